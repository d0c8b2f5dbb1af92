//! Finds changes of a makefile that keep a compiler quiet: new flags such as `-Wno-unused`, and dropped ones such as `-Werror`.

use std::collections::{BTreeMap, HashSet};

use super::comment::Silenced;

/// A line that sets the flags of a compiler (`CFLAGS`, `WARNINGS`): its variable and the words of its value. Recipes belong to the harness.
fn assignment(line: &str) -> Option<(&str, Vec<&str>)> {
    let (name, value) = line.split_once('=').filter(|_| !line.starts_with(['\t', '#']))?;
    let name = name.trim_end_matches([':', '?', '+', ' ', '\t']);
    let is_of_compiler = name.contains("FLAGS") || name.contains("WARN");
    is_of_compiler.then(|| (name, value.split('#').next().unwrap_or_default().split_whitespace().collect()))
}

fn is_quiet(flag: &str) -> bool {
    matches!(flag, "-w" | "-nowarn" | "-Xlint:none" | "-fpermissive")
        || ["-Wno-", "-Xlint:-", SYSTEM].iter().any(|begin| flag.starts_with(begin))
}

/// The flag of a folder of headers in which the compiler finds nothing to warn about.
const SYSTEM: &str = "-isystem";

/// Whether a flag asks for warnings, or makes them errors.
fn asks(flag: &str) -> bool {
    // These hand their value to the linker, the assembler or the preprocessor.
    let is_handed_on = ["-Wl,", "-Wa,", "-Wp,"].iter().any(|begin| flag.starts_with(begin));
    let is_named = ["-W", "-Xlint", "-pedantic"].iter().any(|begin| flag.starts_with(begin));
    is_named && !is_handed_on && !is_quiet(flag)
}

/// Returns the makefile with the warnings of the start; `None` if `now` asks for at least these, or if a value goes on in the next line.
pub(super) fn silenced(then: &str, now: &str) -> Option<Silenced> {
    let goes_on = |text: &str| text.lines().any(|line| line.ends_with('\\') && assignment(line).is_some());
    if goes_on(then) || goes_on(now) {
        return None;
    }
    let flags = |text: &'_ str, is_one: fn(&str) -> bool| -> HashSet<String> {
        let values = text.lines().filter_map(assignment).flat_map(|(_, value)| value);
        values.filter(|flag| is_one(flag)).map(str::to_owned).collect()
    };
    let (were_quiet, still_ask) = (flags(then, is_quiet), flags(now, asks));
    let mut dropped: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
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
        let is_new = |flag: &&str| is_quiet(flag) && !were_quiet.contains(*flag);
        let (head, comment) = line.split_once('#').map_or((line, ""), |(head, comment)| (head.trim_end(), comment));
        found.extend(value.iter().copied().filter(is_new).map(|flag| (flag.to_owned(), index + 1)));
        let words = head.split(' ').filter_map(|word| match word.strip_prefix(SYSTEM) {
            // A folder of system headers is a folder of headers.
            Some(folder) if is_new(&word) => Some(format!("-I{folder}")),
            _ => (!is_new(&word)).then(|| word.to_owned()),
        });
        let back = dropped.remove(name).unwrap_or_default();
        found.extend(back.iter().map(|flag| (format!("{flag} taken out"), index + 1)));
        let kept = words.chain(back.into_iter().map(str::to_owned)).collect::<Vec<_>>().join(" ");
        lines.push(if comment.is_empty() { kept } else { format!("{kept} #{comment}") });
    }
    // A variable that is gone comes back at the end.
    for (name, flags) in dropped.into_iter().filter(|(_, flags)| !flags.is_empty()) {
        found.extend(flags.iter().map(|flag| (format!("{flag} taken out"), now.lines().count())));
        lines.push(format!("{name} += {}", flags.join(" ")));
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
        assert_eq!(
            (&found.first, found.without.as_str(), found.is_all),
            (&("-Werror taken out".to_owned(), 1), then, true)
        );
        let found = silenced(then, &format!("{then}CFLAGS += -Wno-unused\n")).unwrap();
        assert!(found.is_all && !found.without.contains("-Wno-unused"), "{}", found.without);
        let found = silenced(then, &with("-std=c17 -Wall -Werror -isystem vendor")).unwrap();
        assert_eq!((found.without.as_str(), found.is_all), (with("-std=c17 -Wall -Werror -I vendor").as_str(), false));
        let found = silenced(then, &with("-std=c11 -Wall -Werror -isystem$(V)/a # all")).unwrap();
        assert_eq!(found.without, with("-std=c11 -Wall -Werror -I$(V)/a # all"));
        let gone = then.replace("CFLAGS = -std=c11 -Wall -Werror\n", "");
        assert!(silenced(then, &gone).unwrap().without.ends_with("CFLAGS += -Wall -Werror\n"));
        for now in [
            then.to_owned(),
            with("-Wall -Wextra -Werror -std=c11"),
            format!("WARN = -Wall -Werror\n{}", with("-std=c11 $(WARN)")),
            then.replace("-o a", "-Wno-unused -o a"),
            format!("{then}GREP = grep -w\nLDFLAGS = -Wl,-s\n"),
            with("-std=c11 \\\n  -Wall -Werror"),
        ] {
            assert!(silenced(then, &now).is_none(), "{now}");
        }
    }
}
