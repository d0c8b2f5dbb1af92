//! What is volatile about a session of a host: what it was shown, how long ago, how often it was sent on (`INJECTION.md`).
//!
//! Nothing here is needed to know what the plan says. A damaged, missing or unwritable state makes hooks say less.

mod event;

pub use event::{Answer, Event, Moment, Start, Stop, Tool, ToolKind};
