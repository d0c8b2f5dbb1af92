//! The three-way merge of plan.md: its laws over random histories, git with the driver, and the installation.

mod git;
mod history;
mod install;
mod laws;
mod lines;
mod many;
mod support;
mod trouble;
