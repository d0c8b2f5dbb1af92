//! Reads, queries and changes plan.md as text. Pure: uses no file, clock, environment, process or terminal.

pub mod block;
pub mod change;
pub mod contract;
pub mod difference;
pub mod draft;
pub mod edit;
pub mod glob;
pub mod graph;
pub mod history;
pub mod lint;
pub mod log;
pub mod lookup;
pub mod merge;
pub mod model;
pub mod parse;
pub mod restore;
pub mod rules;
pub mod scan;
pub mod snippet;
pub mod stats;
pub mod text;
pub mod view;

pub use model::Plan;
pub use parse::parse;
