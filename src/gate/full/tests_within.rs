//! Tests and test settings inside source files.

use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::import_map;
use crate::mutate;
use crate::replay::Stop;
use crate::repo::export::Layout;

/// The files whose inner tests or test settings were put into another state.
#[derive(Debug, Default)]
pub(crate) struct TestsWithin {
    /// Files such as `package.json`, which hold runner settings next to other things.
    pub(crate) settings: Vec<PathBuf>,
    pub(crate) sources: Vec<PathBuf>,
    /// Source files whose tests could not be replaced.
    pub(crate) unsure: Vec<PathBuf>,
}

/// Puts the tests and test settings inside the changed files of `source` (parts of mixed files, tests in source files) into
/// the state of `tests`, in `into`. If `spare` is set, files under `may_change` stay as they are.
pub(crate) fn put(
    candidate: &Candidate<'_>,
    source: &Layout,
    tests: &Layout,
    spare: bool,
    into: &mut Layout,
) -> Result<TestsWithin, Stop> {
    let mut within = TestsWithin::default();
    for path in candidate.changed() {
        if candidate.harness.is_harness(path) || spare && candidate.harness.may_change(path) {
            continue;
        }
        let mixed = candidate.harness.is_mixed(path);
        if !mixed && path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let (Some(now), Some(then)) = (candidate.bytes(source, path)?, candidate.bytes(tests, path)?) else { continue };
        if mixed {
            let stands = |path: &Path| tests.get(path).is_some() && into.get(path).is_some();
            let blend = candidate.harness.blended(path, &then, &now, &stands);
            let kept = blend.as_ref().unwrap_or(&now);
            // Today's entries may lead to files that the start does not have.
            let led = if spare { import_map::restored(candidate, path, [&then, kept], into) } else { None };
            let blend = led.or(blend);
            within.settings.extend(blend.is_some().then(|| path.to_owned()));
            blend.into_iter().for_each(|bytes| into.put(path, bytes));
        } else if !mutate::inline_tests(&then).is_empty() {
            match mutate::with_inline_tests_of(&now, &then) {
                Some(bytes) => {
                    within.sources.extend((bytes != now).then(|| path.to_owned()));
                    into.put(path, bytes);
                }
                None => within.unsure.push(path.to_owned()),
            }
        }
    }
    Ok(within)
}
