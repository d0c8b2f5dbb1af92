//! The volatile state of a host's session: the version of the plan that it was shown, how long ago, and how often it was asked to
//! continue (`INJECTION.md`).
//!
//! For each event, `turn` reads the session's state under a lock, `decide` chooses the answer, and `turn` writes the state back. The
//! plan never depends on this state: if it is damaged, missing or cannot be written, hooks only say less.

mod acts;
mod change_detection;
mod decide;
pub mod draft;
mod event;
pub mod events;
mod guard;
mod hold;
pub mod loop_driver;
mod mention;
mod messages;
mod plan_snapshot;
mod prune;
mod push_fingerprint;
mod query;
mod question;
pub mod review;
mod shell;
mod state;
mod stop_words;
mod ticks;
mod tools;
mod turn;

pub use change_detection::remind_every;
pub use decide::InjectionMode;
pub use event::{HookAnswer, Moment, SessionEvent, SessionStart, Stop, ToolCall, ToolKind};
pub use hold::{Hold, current as hold, end as end_hold, finish, pause};
pub use query::{SessionFacts, When, is_due, is_reminder_due, latest_facts, record_plan_write, session_facts};
pub use turn::{Driver, turn};
