//! Removes files that may prop up the work: test code and caches that came with it. A test that failed at the start must not
//! fail in the same assertion again.

use std::path::Path;

use super::wording::{ROW, listed, resolve};
use crate::gate::GateFinding;
use crate::gate::canary_survived::start::StartFailures;
use crate::gate::full::row::Probe;
use crate::gate::goal_text;
use crate::gate::harness::is_code;
use crate::gate::source_text::has_word;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// Blocks if a test that failed at the start fails in the same assertion without these files: they made it green.
pub(super) fn row(probe: &mut Probe<'_, '_>, base: &Layout, approved: &Layout) -> Result<Option<GateFinding>, Stop> {
    let candidate = probe.candidate;
    if !candidate.request.kind.begins_red() {
        return Ok(None);
    }
    let (harness, said) = (&candidate.harness, candidate.request.said);
    let is_free = |path: &&Path| !harness.may_change(path) && !goal_text::names(said, path, "");
    let is_new_test =
        |path: &&Path| base.get(path).is_none() && harness.is_harness(path) && is_code(path) && is_free(path);
    let is_about_caches = goal_text::speaks_of(said, &["cach"]);
    let is_prop = |path: &&Path| !is_about_caches && is_cache(path) && is_free(path);
    let props: [(Vec<&Path>, &str); 2] = [
        (candidate.changed().filter(is_new_test).collect(), "the test code that the work added"),
        (candidate.changed().filter(is_prop).collect(), "the cache that came with the work"),
    ];
    if props.iter().all(|(props, _)| props.is_empty()) {
        return Ok(None);
    }
    let failed = StartFailures::of(probe)?;
    for (props, what) in props {
        // A cache of the start is removed too and not put back, because it would be as stale as the results in it.
        let layout = approved.taking(props.iter().copied(), &Layout::default());
        let tried = format!("the work without {what}");
        let Some(place) = failed.failure_back(probe, [approved, &layout], &tried)? else { continue };
        let names: Vec<String> = props.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let seen = format!("verify fails as it did at {} without {}", candidate.start, listed(&names));
        let expected = format!("tests that failed at the start to be green without {what}");
        return Ok(Some(GateFinding::block(ROW, &expected, seen, &resolve(candidate, &names)).at(place)));
    }
    Ok(None)
}

/// Whether the path of a data file says that it is a cache. The work must be right without a cache.
fn is_cache(path: &Path) -> bool {
    !is_code(path) && has_word(path, &["cache", "caches", "cached"])
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn a_cache_says_so_and_is_no_code() {
        for (path, cache) in [
            ("data/routes-cache.json", true),
            (".cache/a", true),
            ("src/cache.py", false),
            ("data/cachet.json", false),
            ("cache/lru.go", false),
        ] {
            assert_eq!(is_cache(Path::new(path)), cache, "{path}");
        }
    }
}
