//! How large a loop is.

/// `usual` beside other work, `full` where `PLAN_FULL=1` asks for all of it.
pub fn size(usual: usize, full: usize) -> usize {
    if std::env::var_os("PLAN_FULL").is_some_and(|value| value == "1") { full } else { usual }
}
