//! The scripts that verify gives to interpreters, and to programs that only pass a command on.

use std::path::Path;

use super::interpreters::starts_script;
use super::named::{NamedFiles, RUNNERS, ReadFile, is_check_file, is_look};
use super::{below, is_code};

/// Programs that run the file of `-f`.
const OF_OPTION: [&str; 7] = ["awk", "gawk", "mawk", "nawk", "sed", "jq", "psql"];
/// Programs with a command `run` that runs a source file.
const RUN: [&str; 8] = ["zig", "v", "crystal", "streamlit", "nim", "mix", "swift", "dotnet"];
/// How many scripts of `concurrently` are followed.
const MOST: usize = 20;
/// Programs that run the words after their options as a command.
const CARRIERS: [&str; 5] = ["xargs", "find", "parallel", "flock", "watchexec"];

impl NamedFiles {
    /// Adds the first argument of an interpreter that is not an option as a script.
    pub(super) fn script_of(&mut self, args: &[&str], folder: &Path) {
        let mut rest = args;
        while let [arg, more @ ..] = rest {
            rest = more;
            match *arg {
                "-e" | "-E" | "-c" | "--eval" | "-p" | "--print" | "-jar" => return,
                "-r" | "--require" | "--import" | "--loader" | "-I" | "-C" | "-d" | "-o" | "--env-file" | "-cp" => {
                    rest = more.get(1..).unwrap_or_default();
                }
                "run" | "test" => {}
                option if option.starts_with('-') => {
                    // The option may take the next word: `--conditions dev check.js`, `-P tsconfig.json check.ts`.
                    let is_value = |word: &str| match Path::new(word).extension() {
                        Some(ending) => ending == "json" || ending == "toml",
                        None => option.starts_with("--") && !option.starts_with("--no") && !word.contains('/'),
                    };
                    if let [value, script, ..] = rest
                        && !option.contains('=')
                        && is_value(value)
                        && is_script(script)
                    {
                        rest = &rest[1..];
                    }
                }
                script => {
                    self.opaque = true;
                    return self.file(folder, script);
                }
            }
        }
    }

    /// Adds the main file of `go run FOLDER` if its name says that it only checks. Any other may be the work.
    pub(super) fn go_run(&mut self, args: &[&str], folder: &Path) {
        let Some(package) = args.iter().find(|arg| !arg.starts_with('-')).filter(|arg| is_check_file(arg)) else {
            return;
        };
        self.file(folder, package);
        if !is_code(Path::new(package)) {
            self.file(folder, &format!("{package}/main.go"));
        }
    }

    /// Adds what a program may run that is not known, by its arguments: the command after an interpreter (`docker run app node
    /// check.js`), a whole command as one argument (`eval "sh check.sh"`), the file of `-f`.
    pub(super) fn carried(&mut self, program: &str, args: &[&str], folder: &Path, read: ReadFile<'_>, depth: usize) {
        if OF_OPTION.contains(&program) {
            return self.files.extend(option_files(args).filter_map(|file| below(folder, file)));
        }
        // `zig run check.zig`
        if let ["run" | "r", rest @ ..] = args
            && RUN.contains(&program)
            && let Some(script) = rest.iter().find(|word| is_script(word))
        {
            return self.file(folder, script);
        }
        // These only read or print their arguments.
        if is_look(program) || matches!(program, "echo" | "printf" | "which" | "type" | "cat" | "git") {
            return;
        }
        let begin = match program {
            "find" => args.iter().position(|arg| matches!(*arg, "-exec" | "-execdir")).unwrap_or(args.len()),
            _ => 0,
        };
        let may_check = CARRIERS.contains(&program) || args.iter().any(|arg| is_check_file(arg));
        let is_own = |word: &str| CARRIERS.contains(&program) && word.starts_with("./");
        let is_start = |at: usize| {
            let word = args[at];
            // The word may be the value of an option: `webpack --target node src/index.js`.
            let is_value =
                at > 0 && args[at - 1].starts_with('-') && !matches!(args[at - 1], "--" | "-exec" | "-execdir");
            (starts_script(word) || RUNNERS.contains(&word) || is_own(word)) && (!is_value || may_check)
        };
        if let Some(at) = (begin..args.len()).find(|at| is_start(*at)) {
            return self.command(&args[at..], folder, read, depth);
        }
        let is_command = |word: &&&str| {
            let first = word.split_whitespace().next().filter(|first| first.len() < word.len());
            first.is_some_and(|first| starts_script(first) || first.starts_with("./") || first == "npm")
        };
        let lines: Vec<String> = args.iter().filter(is_command).map(|line| (*line).to_owned()).collect();
        self.scripts(&lines, folder, read, depth);
        // `concurrently npm:lint npm:check`
        for script in args.iter().filter_map(|arg| arg.strip_prefix("npm:")).take(MOST) {
            self.package("npm", &["run", script], folder, read, depth);
        }
    }
}

/// Whether a word is the path of source code, so that an interpreter may run it.
fn is_script(word: &str) -> bool {
    is_code(Path::new(word))
}

/// The values of `-f FILE`, `-nf FILE` and `--file=FILE`.
fn option_files<'a>(args: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    args.iter().enumerate().filter_map(|(at, arg)| match arg.split_once('=') {
        Some(("--file" | "--from-file", file)) => Some(file),
        _ if matches!(*arg, "--file" | "--from-file") => args.get(at + 1).copied(),
        _ if arg.starts_with('-') && !arg.starts_with("--") && arg.ends_with('f') => args.get(at + 1).copied(),
        _ => arg.strip_prefix("-f").filter(|file| !file.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::names;

    // P-5
    #[test]
    fn a_script_is_found_behind_what_carries_it() {
        for (line, file) in [
            ("sh -c 'ls docs | xargs -n1 sh check.sh'", "check.sh"),
            ("sh -c 'ls docs | xargs -I{} ./check.sh {}'", "check.sh"),
            ("sh -c 'find . -name x -exec sh check.sh {} +'", "check.sh"),
            ("sh -c 'eval sh check.sh'", "check.sh"),
            ("sh -c 'eval \"sh check.sh\"'", "check.sh"),
            ("sh -c '. ./check.sh'", "check.sh"),
            ("sh -c 'bash < check.sh'", "check.sh"),
            ("sh -c 'pushd web; sh check.sh; popd'", "web/check.sh"),
            ("nix-shell --run 'sh check.sh'", "check.sh"),
            ("script -qec './check.sh -v' log", "check.sh"),
            ("flock lock sh check.sh", "check.sh"),
            ("valgrind -q sh check.sh", "check.sh"),
            ("docker compose run --rm app sh check.sh", "check.sh"),
            ("docker run --rm -v .:/w -w /w node:20 node check.js", "check.js"),
            ("conda run -n env python check.py", "check.py"),
            ("conda run -n env pytest checks/a.py", "checks/a.py"),
            ("mise exec -- python check.py", "check.py"),
            ("dotenvx run -- node check.js", "check.js"),
            ("env -C web sh check.sh", "web/check.sh"),
            ("env --chdir=web sh check.sh", "web/check.sh"),
            ("uv run --directory web check.py", "web/check.py"),
            ("uv run --project web python check.py", "check.py"),
            ("poetry -C web run python check.py", "web/check.py"),
            ("sudo -C 3 sh check.sh", "check.sh"),
            ("npx --yes tsx@4 check.ts", "check.ts"),
            ("pnpm dlx tsx check.ts", "check.ts"),
            ("yarn node check.js", "check.js"),
            ("node --conditions dev check.js", "check.js"),
            ("deno run --config x.json check.ts", "check.ts"),
            ("ts-node -P tsconfig.json check.ts", "check.ts"),
            ("java -ea -cp build tools/Check.java", "tools/Check.java"),
            ("pwsh -NoProfile -File check.ps1", "check.ps1"),
            ("awk -f check.awk data.csv", "check.awk"),
            ("awk -fcheck.awk data.csv", "check.awk"),
            ("ruby -w bin/check lib/app.rb", "bin/check"),
            ("node --no-warnings bin/check src/app.js", "bin/check"),
            ("deno run -A tools/check src/app.ts", "tools/check"),
            ("pipx run pytest checks/a.py", "checks/a.py"),
            ("pnpm --dir web exec node check.js", "web/check.js"),
            ("sudo env -C web sh check.sh", "web/check.sh"),
            ("sed -nf check.sed data.csv", "check.sed"),
            ("jq -e --from-file=check.jq data.json", "check.jq"),
            ("zig run check.zig", "check.zig"),
            ("streamlit run --port 1 check.py", "check.py"),
            ("go run ./tools/check", "tools/check/main.go"),
            ("go run ./tools/check.go", "tools/check.go"),
            ("python3 -m cProfile -o out check.py", "check.py"),
            ("python3 -c 'from tools.check import main; main()'", "tools/check.py"),
        ] {
            names(line, &[], file, true);
        }
        for (line, file) in [
            ("sh -c 'echo sh check.sh'", "check.sh"),
            ("sh -c 'grep -q python check.py'", "check.py"),
            ("sh -c 'cat sh check.sh'", "check.sh"),
            ("sh -c '. ./settings.sh'", "settings.sh"),
            ("cp ./check.sh ./other.sh", "check.sh"),
            ("go run ./cmd/app", "cmd/app/main.go"),
            ("webpack --target node ./src/index.js", "src/index.js"),
            ("git grep -n python src/app.py", "src/app.py"),
            ("find ./src/calc.py -newer x", "src/calc.py"),
            ("cargo run -- examples/input.js", "examples/input.js"),
            ("awk '/x/ { f = 1 }' data.csv", "data.csv"),
            ("python3 -c 'import calc; calc.check(1)'", "calc.py"),
            ("python3 -m venv check.py", "check.py"),
        ] {
            names(line, &[], file, false);
        }
    }
}
