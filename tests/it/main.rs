//! The integration tests: one binary, one file for each capability. `tests/support` builds the worlds that they run in.
//!
//! Loops are short enough to run beside other work; `PLAN_FULL=1` runs each at its full size.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking and may say what it skipped"
)]

#[path = "../support/mod.rs"]
mod support;

mod agreement;
mod amended;
mod audit;
mod base;
mod calls;
mod cases;
mod cheats;
mod completions;
mod contract;
mod crash;
mod demo;
mod doctor;
mod draft;
mod events;
mod facts;
mod files;
mod gate;
mod golden;
mod help;
mod hooks;
mod hostile;
mod hosts;
mod house;
mod import;
mod inject;
mod install;
mod joined;
mod judge;
mod judge_form;
mod judges;
mod leads;
mod loop_driver;
mod machine;
#[cfg(feature = "mcp")]
mod mcp;
mod merge;
mod mutate;
mod newcomers;
mod placeholders;
mod plan;
#[cfg(target_os = "linux")]
mod process;
mod processes;
mod prompts;
mod readme;
mod remedies;
mod replaced;
mod repo;
mod report;
mod repositories;
mod requirements;
mod review;
mod rewind;
mod rules;
mod rules_model;
#[cfg(target_os = "linux")]
mod sandbox;
mod selftest;
mod signoff;
mod stage1;
mod stats;
mod store;
mod stories;
mod streams;
mod team;
mod terminal;
mod told;
mod transcripts;
mod trouble;
mod watch;
mod who_judges;
mod words;
mod world;
mod writers;
