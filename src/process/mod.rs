//! Runs programs. All programs are started in this room (`SIGNOFF.md` §2).
//!
//! [`run`](run::run) runs a program that may do anything, and leaves no process of it behind;
//! [`capture`](capture::capture) runs a program that we chose ourselves, such as git; [`own`] runs `plan` itself for one
//! command; [`detach`] starts `plan` and leaves it running.

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
