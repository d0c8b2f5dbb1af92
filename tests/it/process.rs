//! Tests the runner with programs that misbehave (P-44, P-45). After each, no process may be left. It reads `/proc`, so it is only for
//! Linux.

mod descendants;
mod ends;
mod interrupts;
mod limits;
mod output;
mod starts;
mod support;
