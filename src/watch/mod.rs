//! `plan watch`: a live view of plan.md (`VIEWS.md` §2).
//!
//! `model` takes a key and says what is to be done, `view` draws a state into a buffer: both are pure. Around them `file` looks
//! whether plan.md moved, `screen` owns the terminal, `run` starts `plan` itself for each key that writes, and `live` is the loop. A
//! frame is drawn only when something changed; nothing is drawn that is not seen, however long the plan is.

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
