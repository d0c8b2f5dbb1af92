//! Limits that tests may read from a data file: a tolerance, a number of seconds, a minimum score.

use std::ffi::OsStr;
use std::path::Path;

/// The extensions of files that hold keys and values.
const ENDINGS: [&str; 8] = ["json", "toml", "yaml", "yml", "ini", "cfg", "conf", "properties"];
/// The beginnings of words that mark the key of a limit.
const WORDS: [&str; 12] =
    ["max", "min", "limit", "toleran", "thresh", "eps", "delta", "error", "budget", "margin", "precision", "least"];

/// Whether [`only_changed`] needs the content of the file.
pub(super) fn may_hold(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Whether the two versions of a file differ only in the numbers of limits.
pub(super) fn only_changed(path: &Path, then: &[u8], now: &[u8]) -> bool {
    let (Ok(then), Ok(now)) = (std::str::from_utf8(then), std::str::from_utf8(now)) else { return false };
    if !may_hold(path) || then == now || then.lines().count() != now.lines().count() {
        return false;
    }
    then.lines().zip(now.lines()).filter(|(then, now)| then != now).all(|(then, now)| {
        let (then, now) = (limit(then), limit(now));
        then.is_some() && then == now
    })
}

/// Returns the key of a line that sets a limit to a number.
fn limit(line: &str) -> Option<&str> {
    let (key, value) = line.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'']);
    let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
    let names_one = key.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let word = word.to_lowercase();
        WORDS.iter().any(|begin| word.starts_with(begin))
    });
    (names_one && value.parse::<f64>().is_ok()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn only_numbers_behind_a_limit_count() {
        let changed =
            |path: &str, then: &str, now: &str| only_changed(Path::new(path), then.as_bytes(), now.as_bytes());
        let json = "{\n  \"max_error\": 0.001,\n  \"port\": 80\n}\n";
        assert!(changed("quality.json", json, &json.replace("0.001", "0.5")));
        assert!(changed("ci/gate.toml", "min-score = 90\n", "min-score = 10\n"));
        assert!(!changed("quality.json", json, &json.replace("80", "81")));
        assert!(!changed("quality.json", json, &json.replace("0.001", "\"none\"")));
        assert!(!changed("quality.json", json, &json.replace("80\n", "80,\n  \"min\": 3\n")));
        assert!(!changed("quality.py", "max_error = 1\n", "max_error = 2\n"));
    }
}
