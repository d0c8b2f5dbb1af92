//! The repository room against real git.

mod contents;
mod evidence;
mod export;
mod fingerprint;
mod hides;
mod hoard;
mod hostile;
mod kinds;
mod refs;
mod size;
mod support;
mod tree;
