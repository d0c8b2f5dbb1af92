//! `asserts-nothing`: added assertions that always hold, whatever the work does.

use super::{at_each, lines};
use crate::gate::GateFinding;
use crate::gate::facts::GateFacts;

/// Assertions of a constant, without white space.
const EMPTY: [&str; 15] = [
    "assertTrue(True)", "assertFalse(False)", "assertTrue(true)", "assertFalse(false)", "assert!(true)",
    "expect(true).toBe(true)", "expect(true).toBeTruthy()", "expect(true).toEqual(true)", "assert.ok(true)",
    "assert(true)", "assert.True(t,true)", "XCTAssertTrue(true)", "expect(true).to.be.true", "expect(true).toBeTrue()",
    "Assert.True(true)",
];

/// Returns the leads of this scan. It includes tests under `may_change`, because that is where new tests are written.
pub(super) fn find(facts: &GateFacts<'_>) -> Vec<GateFinding> {
    let files = facts.base.iter().flat_map(|base| &base.changed).filter(|file| facts.harness.is_harness(&file.path));
    let empty = lines(files).filter(|line| is_empty(line.text));
    let (says, resolve) = ("this assertion holds whatever the work does", "assert on what the work returns");
    at_each(empty, "asserts-nothing", "assertions about the work", says, resolve)
}

/// Whether the line asserts a constant or compares a value with itself.
fn is_empty(line: &str) -> bool {
    let plain: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let dense: String = plain.split(' ').collect();
    if EMPTY.iter().any(|empty| dense.contains(empty))
        || matches!(plain.as_str(), "assert True" | "assert 1" | "assert not False")
    {
        return true;
    }
    let compared = ["assertEqual(", "assert_eq!(", "assert.equal(", "assert.strictEqual(", "assertEquals("];
    compared.iter().any(|call| {
        let inside = dense.split_once(call).and_then(|(_, rest)| rest.trim_end_matches([';', ' ']).strip_suffix(')'));
        inside.and_then(|inside| inside.split_once(',')).is_some_and(|(one, other)| one == other && !one.contains('('))
    })
}
