//! How large a loop is.

/// `usual` beside other work, `full` where `PLAN_FULL=1` asks for all of it.
pub fn size(usual: usize, full: usize) -> usize {
    if is_full() { full } else { usual }
}

/// Whether `PLAN_FULL=1` asks for all of it. A test that has no smaller size leaves itself out elsewhere.
pub fn is_full() -> bool {
    std::env::var_os("PLAN_FULL").is_some_and(|value| value == "1")
}
