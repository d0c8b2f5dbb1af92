//! Java and Kotlin: gradle and maven.

use super::closing::{TestTally, behind, tally};
use super::toolchain::{Closes, NOTHING, Read, TestRunner, Toolchain};

pub(super) const TOOLCHAIN: Toolchain = Toolchain {
    programs: &["java", "mvn", "mvnw", "gradle", "gradlew"],
    runners: &[GRADLE, MAVEN],
    builds: &[".gradle"],
    loaders: &["CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS"],
    uncompiled: |lines, _| lines.iter().any(|line| is_uncompiled(line)),
    ..NOTHING
};

const GRADLE: TestRunner = TestRunner {
    name: "gradle",
    is_called: |program, _| matches!(program, "gradle" | "gradlew"),
    lists: &["--dry-run", "-m", "--help", "--version"],
    closes: Closes::Often,
    read: Read::AllLines(gradle),
    selection: None,
};

const MAVEN: TestRunner = TestRunner {
    name: "maven",
    is_called: |program, _| matches!(program, "mvn" | "mvnw"),
    lists: &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true", "--help", "--version"],
    closes: Closes::Often,
    read: Read::EachLine(maven),
    selection: None,
};

/// `src/Calc.java:3: error: …` of javac, which gradle also shows, or `[ERROR] COMPILATION ERROR :` of Maven.
fn is_uncompiled(line: &str) -> bool {
    let place = line.split_once(": error: ").and_then(|(place, _)| place.rsplit_once(':'));
    line.starts_with("[ERROR] COMPILATION ERROR")
        || place.is_some_and(|(path, line)| path.ends_with(".java") && line.parse::<usize>().is_ok())
}

/// `> Task :test NO-SOURCE`. A task from gradle's cache counts, because it ran before.
fn gradle(lines: &[String]) -> Vec<TestTally> {
    let mut closings = Vec::new();
    for line in lines {
        let Some(task) = line.strip_prefix("> Task ") else { continue };
        let (name, state) = task.split_once(' ').unwrap_or((task, ""));
        if name.rsplit(':').next().is_some_and(|name| name == "test" || name.ends_with("Test")) {
            closings.extend(tally(u64::from(!matches!(state, "NO-SOURCE" | "SKIPPED")), 0));
        }
    }
    closings
}

/// `[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1`; `No tests to run.` A line with a time is about one class.
fn maven(line: &str) -> Option<TestTally> {
    let rest =
        ["[INFO]", "[WARNING]", "[ERROR]"].iter().find_map(|level| line.strip_prefix(level)).unwrap_or(line).trim();
    if matches!(rest, "No tests to run." | "Tests are skipped.") {
        return tally(0, 0);
    }
    if rest.contains("Time elapsed") || !rest.starts_with("Tests run: ") {
        return None;
    }
    let (run, skipped) = (behind(rest, "Tests run")?, behind(rest, "Skipped")?);
    tally(run.saturating_sub(skipped), skipped)
}
