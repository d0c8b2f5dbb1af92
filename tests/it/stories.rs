//! User stories: prd.json out and in (`docs/stories.md`).

use crate::readme::read;

// W-13, W-14, W-15: rules, keys and template stand once, in the tables that the checks run on
#[test]
fn the_page_is_written_from_the_tables() {
    let page = read("docs/stories.md");
    let (written, _) = page.split_once("-->\n\n").unwrap();
    let expected = format!("{written}-->\n\n{}", plan::exchange::prd::fields::documentation());
    if page != expected && std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/stories.md"), &expected).unwrap();
        return;
    }
    assert_eq!(page, expected, "UPDATE=1 writes docs/stories.md");
}
