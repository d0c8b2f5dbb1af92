//! A goal that needs more changes than it allows: it is amended while it runs.

use super::{ADDS, CALC, UNITTEST, assert_blocked, complete, found, started};

// P-5, P-12
#[test]
fn the_remedy_of_a_finding_is_one_command() {
    let world = started(UNITTEST, "", CALC);
    let test = CALC[2].1.replace("add(2, 3), 5", "add(2, 3), 6").replace("add(-2, -3), -5", "add(-2, -3), -4");
    world.write("calc.py", ADDS.replace("a + b", "a + b + 1"));
    world.write("test_calc.py", test);
    let finding = assert_blocked(&world, "approved-tests-red");
    let resolve = finding["resolve"].as_str().unwrap();
    let way = resolve.split('`').nth(1).unwrap();
    assert!(way.starts_with("plan goal set ") && way.ends_with(" --because \"why\"") && !way.contains("&&"), "{way}");
    let words: Vec<&str> = way.split(' ').skip(1).map(|word| word.trim_matches('"')).collect();
    let output = world.plan(words);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    // The base is the first one, with a red verify.
    assert_eq!(found(&complete(&world)).0, [""; 0]);
}
