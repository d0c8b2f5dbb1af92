//! plan.md on disk: tests the store room with real files and real processes.

mod child;
mod crash;
mod place;
mod race;
mod saved_between;
mod support;
mod trouble;
mod undo;
mod write;
