//! `plan` keeps an agent's plan in one git-tracked plan.md and signs a goal off only when a command and a judge agree.

pub mod config;
pub mod error;
pub mod host;
pub mod plan;
pub mod process;
pub mod prompt;
pub mod repo;
pub mod signoff;
pub mod store;
