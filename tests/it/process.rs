//! The runner against programs that misbehave (P-44, P-45). After each, nothing may be left running.
//! Looks into `/proc` and so is for Linux alone.

mod descendants;
mod ends;
mod interrupts;
mod limits;
mod output;
mod starts;
mod support;
