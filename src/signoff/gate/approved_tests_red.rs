//! `approved-tests-red`: the source as it is, with the test and harness files as they stood at the start, less
//! `may_change`: a goal that is reached by changing its tests is not.

use super::Finding;
use super::full::{Found, Scene, Stop, Told, Yard, unresolved};
use crate::repo::export::Layout;

const ROW: &str = "approved-tests-red";
const RESOLVE: &str = "let the work pass the tests as they stood; tests that really must change go into `may_change`";

pub(super) fn row(scene: &Scene<'_>, yard: &mut Yard<'_>) -> Result<Found, Stop> {
    let Some(base) = scene.base() else {
        return Ok(
            unresolved(&[ROW], "no base of this goal is pinned", "fetch `refs/plan/*`, or start the goal").into()
        );
    };
    let mut layout = scene.last().clone();
    let files = restore(scene, base, &mut layout)?;
    let unsure = scene.with_tests_within(scene.last(), base, &mut layout)?;
    let told = match layout == *scene.last() {
        true => Told::Green,
        false => yard.run(&layout, "the source with tests and harness as at the start")?,
    };
    let what = match &files[..] {
        [] => "tests inside of source files".to_owned(),
        [one] => format!("`{one}`"),
        [first, rest @ ..] => format!("`{first}` and {} more", rest.len()),
    };
    let expected = "green with the tests as they stood at the goal's start";
    Ok(match told {
        Told::Red(why) => {
            let finding = Finding::block(ROW, expected, format!("{what} as at the start: {why}"), RESOLVE);
            files.first().map_or(finding.clone(), |first| finding.at(first)).into()
        }
        Told::Unstartable(why) => unresolved(&[ROW], format!("{what} as at the start: {why}"), RESOLVE).into(),
        Told::Slow(why) => unresolved(&[ROW], why, "a faster verify").into(),
        Told::Green => match unsure.first() {
            Some(path) => {
                let why = format!("`{}`: its own tests cannot be told from its source", path.display());
                unresolved(&[ROW], why, "keep the tests of a source file in a module of their own").into()
            }
            None => Found::default(),
        },
    })
}

/// Puts the files that decide what verify says back to what they were; those that are new and loaded unasked are taken
/// away. Tests that are new stay: they can only ask for more. The paths that were touched.
fn restore(scene: &Scene<'_>, base: &Layout, layout: &mut Layout) -> Result<Vec<String>, Stop> {
    let mut touched = Vec::new();
    for path in scene.changed().filter(|path| !scene.harness().may_change(path)) {
        let was = base.get(path).is_some();
        let put_back = match was {
            true => scene.decides(base, path)?,
            false => {
                let content = scene.bytes(scene.last(), path)?;
                scene.harness().is_autoload(path, content.as_deref())
            }
        };
        if put_back {
            layout.take(path, base);
            touched.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(touched)
}
