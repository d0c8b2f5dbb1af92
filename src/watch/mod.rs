//! `plan watch`: a live view of plan.md (`VIEWS.md` §2).
//!
//! `model` turns a key into an action, and `view` draws a state into a buffer; both are pure. Around them, `file` detects
//! changes of plan.md, `screen` owns the terminal, `run` starts `plan` itself for each key that writes, and `live` is the
//! loop. A frame is drawn only after a change, and only its visible part is computed, however long the plan is.

mod file;
mod filter;
mod goal;
mod keys;
mod line_edit;
mod live;
mod model;
mod paint;
mod prompt;
mod run;
mod screen;
#[cfg(test)]
mod tests;
mod version;
mod view;

pub use live::{WatchRequest, watch};
