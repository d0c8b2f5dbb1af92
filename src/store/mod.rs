//! plan.md on disk: finds it, reads it while others save it, and writes it so that no saved version is lost
//! (`FORMAT.md` §3, §4).
//!
//! A write takes the lock, reads, patches, writes `.plan.md.<pid>.tmp` beside the file and exchanges the two names in
//! one step. The displaced file is at the temporary name then, and is examined before anything else is done with
//! it:
//!
//! ```text
//!   read A          plan.md = A
//!   write B         plan.md = A    .plan.md.1.tmp = B
//!   exchange        plan.md = B    .plan.md.1.tmp = A    the same as was read: to undo, done
//!                                                  = A'   someone saved meanwhile: patch A' to B', exchange again,
//!                                                         or keep a copy of A', put it back and answer 5
//! ```
//!
//! Someone may have read B while it was in place. So `plan` checks whether a version that turns up later already holds the
//! change. If it does, that version stays and the change is done.
//!
//! If `plan` is killed, each of the two names still has a complete version; the next writer moves the file at the
//! temporary name to undo. Editors that write in place keep the displaced file open. It is moved and never unlinked,
//! so a late save still lands in undo.

mod backups;
mod content;
mod create;
mod error;
mod find;
mod folder;
mod leftover;
mod line_count;
mod lock;
mod marks;
mod other_tool;
mod place;
mod read;
mod repository;
mod rescue;
mod stamp;
mod state;
mod swap;
mod temp;
#[cfg(test)]
mod tests;
mod undo;
mod update;

pub use create::create;
pub use error::{reason, state as state_error};
pub use find::find;
pub use leftover::{leftovers, look_ready, sweep};
pub use lock::ready;
pub use other_tool::OtherPlan;
pub use place::{Place, look, place_for_new, user_state};
pub use read::read;
pub use repository::repository_top;
pub use rescue::{Rescue, rescue};
pub use stamp::{Seen, glance_at};
pub use state::{look_state, open_state, read_state, remove_state, state_file, state_folder, write_state};
pub use temp::is_temporary;
pub use undo::{KeptVersion, lost, undo_content, undo_list, undo_restore};
pub use update::{Updated, update};

pub use backups::Class;
