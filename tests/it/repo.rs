//! Tests the repository room with real git.

mod contents;
mod evidence;
mod export;
mod fingerprint;
mod hides;
mod hostile;
mod kept_trees;
mod kinds;
mod refs;
mod size;
mod support;
mod tree;
