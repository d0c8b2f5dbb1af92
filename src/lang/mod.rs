//! What is known of languages and their tools, for all that runs or reads a verify: programs that start others, closing
//! lines of test runners, failed assertions.

pub mod closing_lines;
pub mod failed_assertions;
pub(crate) mod wrapper;
