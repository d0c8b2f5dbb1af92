//! Running programs: the only door to them (`SIGNOFF.md` §2).
//!
//! [`run`](run::run) runs a program that may do anything and leaves
//! nothing of it behind; [`capture`](capture::capture) runs one that we chose ourselves, such as git; [`own`] runs `plan`
//! itself for one command, [`detach`] leaves it behind.

pub mod account;
pub mod ancestors;
pub mod ask;
pub mod attached;
pub mod capture;
pub mod child;
pub mod detach;
pub mod dialogue;
pub mod editor;
pub mod environment;
mod feed;
pub mod interrupt;
pub mod launched;
mod log;
mod output;
pub mod outside;
pub mod own;
mod poll;
pub mod resolve;
pub mod run;
pub mod sandbox;
mod spec;
mod tail;
mod tree;
mod wire;
