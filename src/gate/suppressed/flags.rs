//! Finds changes of a makefile that keep a compiler quiet: new flags such as `-Wno-unused`, and dropped ones such as `-Werror`.

use std::collections::{HashMap, HashSet};

use super::comment::Silenced;

/// A line that sets a variable: its name and the words of its value. Recipes belong to the harness.
fn assignment(line: &str) -> Option<(&str, Vec<&str>)> {
    let (name, value) = line.split_once('=').filter(|_| !line.starts_with(['\t', '#']))?;
    let value = value.split('#').next().unwrap_or_default();
    Some((name.trim_end_matches([':', '?', '+', ' ', '\t']), value.split_whitespace().collect()))
}

/// Whether a flag turns warnings off.
fn is_quiet(flag: &str) -> bool {
    matches!(flag, "-w" | "-nowarn" | "-Xlint:none" | "-fpermissive")
        || ["-Wno-", "-Xlint:-", "-isystem"].iter().any(|begin| flag.starts_with(begin))
}

/// Whether a flag asks for warnings, or makes them errors.
fn asks(flag: &str) -> bool {
    (flag.starts_with("-W") || flag.starts_with("-Xlint") || flag.starts_with("-pedantic")) && !is_quiet(flag)
}

/// Returns the makefile with the warnings of the start; `None` if `now` asks for at least these.
pub(super) fn silenced(then: &str, now: &str) -> Option<Silenced> {
    let flags = |text: &'_ str, is_one: fn(&str) -> bool| -> HashSet<String> {
        let values = text.lines().filter_map(assignment).flat_map(|(_, value)| value);
        values.filter(|flag| is_one(flag)).map(str::to_owned).collect()
    };
    let (were_quiet, still_ask) = (flags(then, is_quiet), flags(now, asks));
    let mut dropped: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, value) in then.lines().filter_map(assignment) {
        let gone = value.into_iter().filter(|flag| asks(flag) && !still_ask.contains(*flag));
        dropped.entry(name).or_default().extend(gone);
    }
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut lines = Vec::new();
    for (index, line) in now.lines().enumerate() {
        let Some((name, value)) = assignment(line) else {
            lines.push(line.to_owned());
            continue;
        };
        let mut kept = line.to_owned();
        for flag in value.into_iter().filter(|flag| is_quiet(flag) && !were_quiet.contains(*flag)) {
            // A folder of system headers is a folder of headers.
            kept = kept.replacen(flag, if flag == "-isystem" { "-I" } else { "" }, 1);
            found.push((flag.to_owned(), index + 1));
        }
        let back = dropped.remove(name).unwrap_or_default();
        found.extend(back.iter().map(|flag| (format!("no {flag}"), index + 1)));
        lines.push(back.into_iter().fold(kept, |line, flag| format!("{line} {flag}")));
    }
    let without = lines.join("\n") + "\n";
    let is_all = bare(then) == bare(now);
    Some(Silenced { count: found.len(), first: found.first()?.clone(), without, is_whole: false, is_all })
}

/// The lines without flags about warnings and without comments. A line that only adds such flags is gone.
fn bare(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split_whitespace().filter(|word| !is_quiet(word) && !asks(word)).collect());
    words.filter(|words: &Vec<&str>| !matches!(words[..], [] | [_, "=" | "+=" | ":="])).collect()
}

#[cfg(test)]
mod tests {
    use super::silenced;

    // P-5
    #[test]
    fn the_warnings_of_the_start_come_back() {
        let then = "CFLAGS = -std=c11 -Wall -Werror\n\ncheck: a.c\n\t$(CC) $(CFLAGS) -o a a.c\n";
        let with = |flags: &str| then.replace("-std=c11 -Wall -Werror", flags);
        let found = silenced(then, &with("-std=c11 -Wall -Werror -Wno-unused -w")).unwrap();
        assert_eq!((found.count, &found.first, found.is_all), (2, &("-Wno-unused".to_owned(), 1), true));
        assert_eq!(found.without.split_whitespace().collect::<Vec<_>>(), then.split_whitespace().collect::<Vec<_>>());
        let found = silenced(then, &with("-std=c11 -Wall")).unwrap();
        assert_eq!((&found.first, found.without.as_str(), found.is_all), (&("no -Werror".to_owned(), 1), then, true));
        let found = silenced(then, &format!("{then}CFLAGS += -Wno-unused\n")).unwrap();
        assert!(found.is_all && !found.without.contains("-Wno-unused"), "{}", found.without);
        let found = silenced(then, &with("-std=c17 -Wall -Werror -isystem vendor")).unwrap();
        assert_eq!((found.without.as_str(), found.is_all), (with("-std=c17 -Wall -Werror -I vendor").as_str(), false));
        for now in [
            then.to_owned(),
            with("-Wall -Wextra -Werror -std=c11"),
            format!("WARN = -Wall -Werror\n{}", with("-std=c11 $(WARN)")),
            then.replace("-o a", "-Wno-unused -o a"),
        ] {
            assert!(silenced(then, &now).is_none(), "{now}");
        }
    }
}
