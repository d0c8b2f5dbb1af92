//! The state of a session between two hook calls: a small JSON file in the state folder, and the lock that protects it.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::acts::Acts;
use super::push_fingerprint::PushFingerprint;
use crate::error::{Error, Kind, Result};
use crate::store::{self, Place};

/// The version of the format. A file of a newer version is left alone.
const VERSION: u32 = 1;
/// The maximum size of a file, in bytes; a larger file is not ours.
const LARGEST: u64 = 64 << 10;
/// How long a hook waits for one holder of the lock. A holder normally needs a few milliseconds; a holder that needs longer (a
/// stopped process) will not release the lock soon, and the host waits for its hooks.
pub(super) const BRIEF: Duration = Duration::from_millis(200);
/// How long a user's command waits for one holder of the lock.
pub(super) const PATIENT: Duration = Duration::from_secs(4);
/// The total time that a hook waits while the lock passes from holder to holder: enough for twenty sessions on a busy machine.
const QUEUE: Duration = Duration::from_secs(2);
/// The maximum length of a stored text from a host, in bytes.
const LONGEST: usize = 512;

/// One session on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SessionState {
    pub(super) version: u32,
    /// The host's name for the session, so that users can find it.
    pub(super) session: String,
    /// The session's host.
    pub(super) host: String,
    /// The host's name for the session's model.
    pub(super) model: Option<String>,
    /// The file with the conversation.
    pub(super) transcript: Option<PathBuf>,
    /// plan.md as the session last saw it.
    pub(super) seen: SeenPlan,
    /// The goals that were done when the session began, as hashes of their names.
    pub(super) done_before: Vec<u64>,
    /// The hash of the plan.md that the model knows; `None` if it has not seen any.
    pub(super) known: Option<u64>,
    /// True if the full plan must still be shown: at the start, and after a compaction.
    pub(super) is_owed: bool,
    /// True if the session was compacted since it last got a block.
    pub(super) is_compacted: bool,
    /// The number of turns since the last block.
    pub(super) turns: u32,
    /// The number of file-modifying turns since plan.md last changed or the last reminder.
    pub(super) idle: u32,
    /// True if the current turn was counted as file-modifying.
    pub(super) is_counted: bool,
    /// The hash of the host's name for the current turn; 0 if it has none.
    pub(super) turn: u64,
    /// True if the session works on this plan: it wrote to the plan, the user told it to, or it read the plan and then changed files.
    pub(super) works: bool,
    /// The session's activity since the user's last message.
    pub(super) acts: Acts,
    /// The number of pushes since this count was last reset.
    pub(super) pushes: u32,
    /// The number of pushes since the user's last message. Nothing else resets this count.
    pub(super) pushes_in_all: u32,
    /// The last push: some hosts pass it to their hooks like a message of the user.
    pub(super) sent_on_with: PushFingerprint,
    /// True if the user said stop or interrupted the agent, until the user's next message.
    pub(super) is_quiet: bool,
    /// True if the count of pushes may be lost: the guard then lets the agent stop until the user writes. A loop has its own budget.
    pub(super) is_lost: bool,
    /// True if the user was told why the guard no longer pushes.
    pub(super) is_told: bool,
    /// True if the host drives the session with its own goal.
    pub(super) is_driven: bool,
    /// True if the agent stopped and has used no tool since.
    pub(super) has_stopped: bool,
    /// True if the offer to turn the host's own plan into goals was made.
    pub(super) is_offered: bool,
    /// The hash of the plan.md that was last searched for goals marked done by hand.
    pub(super) ticks_seen: u64,
    /// The goals marked done by hand that were reported, as hashes of their names.
    pub(super) ticks_told: Vec<u64>,
    /// The note about these goals for the agent. It is dropped if the agent gets a block, which says the same.
    pub(super) correction: Option<String>,
    /// A line for the user, sent with the next answer.
    pub(super) notice: Option<String>,
    /// The feedback block of a person's answer to a review. Some hosts get it with each request of the turn.
    pub(super) feedback: Option<String>,
    /// The id of the hold that a message of the user ended.
    pub(super) hold_ended: Option<String>,
}

/// plan.md as the session last saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SeenPlan {
    /// The file's inode, size and times, so that an unchanged file is not read again.
    pub(super) stamp: String,
    /// The hash of the file's bytes.
    pub(super) bytes: u64,
    /// The hash of the goals and steps without their progress: a different hash means a new version of the plan.
    pub(super) shape: u64,
    /// The highest number of finished steps and goals so far.
    pub(super) finished: usize,
    /// True if a goal is active.
    pub(super) has_active: bool,
    /// `remind_every` of the front matter.
    pub(super) remind_every: u32,
}

/// The content of a session's file.
#[derive(Debug)]
pub(super) enum LoadedState {
    /// A valid state.
    State(Box<SessionState>),
    /// No file: a new session.
    None,
    /// Unreadable bytes.
    Damaged,
    /// A state that a newer version wrote.
    Newer,
}

/// The states of all sessions on one plan, locked.
#[derive(Debug)]
pub(super) struct States<'p> {
    place: &'p Place,
    _lock: File,
}

impl<'p> States<'p> {
    /// Takes the lock. Waits at most `patience` for each holder.
    ///
    /// # Errors
    /// [`Kind::Unknown`]: the lock's file cannot be created; [`Kind::Changed`]: the lock was not free in time.
    pub(super) fn lock(place: &'p Place, patience: Duration) -> Result<Self> {
        let file = store::open_state(place, "sessions/lock")?;
        let end = Instant::now() + patience.max(QUEUE);
        let (mut holder, mut since) = (holder_of(&file), Instant::now());
        while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            let now = holder_of(&file);
            if now != holder {
                (holder, since) = (now, Instant::now());
            }
            if since.elapsed() >= patience || Instant::now() >= end {
                let busy = Error::new(Kind::Changed, "the sessions of this plan are busy");
                return Err(busy.harmless().hint("try again"));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // Tells waiting processes that the holder changed. If this fails, they treat this process as the earlier holder.
        let _ = file.write_all_at(&std::process::id().to_ne_bytes(), 0);
        Ok(States { place, _lock: file })
    }

    /// Reads the state of `session`.
    pub(super) fn load(&self, session: &str) -> LoadedState {
        load(self.place, session)
    }

    /// Sets the time of the session's file to now, although its state did not change: [`super::latest_facts`] compares these times.
    pub(super) fn heard_of(&self, session: &str) -> bool {
        if let Ok(file) = store::look_state(&store::state_file(self.place, &name(self.place, session))) {
            let _ = file.set_modified(std::time::SystemTime::now());
        }
        true
    }

    /// Writes the state. Returns false if the write failed.
    pub(super) fn save(&self, session: &str, state: &SessionState) -> bool {
        let bytes = serde_json::to_vec(&SessionState { version: VERSION, ..state.clone() }).unwrap_or_default();
        store::write_state(self.place, &name(self.place, session), &bytes).is_ok()
    }
}

/// True if a hook reported the session with this digest within `time`, or if that is unknown because the session has no file.
pub(super) fn is_heard_of(place: &Place, digest: &str, time: Duration) -> bool {
    let told = std::fs::metadata(store::state_file(place, &format!("sessions/{digest}.json")));
    let age = told.and_then(|meta| meta.modified()).map(|told| told.elapsed());
    !age.is_ok_and(|age| age.is_ok_and(|age| age > time))
}

/// Returns the id of the process that last took the lock.
fn holder_of(file: &File) -> [u8; 4] {
    let mut id = [0; 4];
    let _ = file.read_exact_at(&mut id, 0);
    id
}

/// Reads the state of `session` without the lock.
pub(super) fn load(place: &Place, session: &str) -> LoadedState {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let bytes = match read(&store::state_file(place, &name(place, session))) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return LoadedState::None,
        Err(_) => return LoadedState::Damaged,
    };
    match serde_json::from_slice::<SessionState>(&bytes) {
        Ok(state) if state.version == VERSION => LoadedState::State(Box::new(state)),
        _ => match serde_json::from_slice::<Version>(&bytes) {
            Ok(found) if found.version > VERSION => LoadedState::Newer,
            _ => LoadedState::Damaged,
        },
    }
}

/// Reads a small file in the state folder.
pub(super) fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    store::read_state(path, LARGEST)
}

fn name(place: &Place, session: &str) -> String {
    format!("sessions/{}.json", digest(place, session))
}

/// Returns a digest of plan and session for file names, because the host's name may contain any bytes. It includes the plan's path,
/// because plans of one repository share a state folder. The path is relative to the top, so that the repository may move.
pub(super) fn digest(place: &Place, session: &str) -> String {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let (above, file) = (top.as_os_str().as_encoded_bytes(), place.file.as_os_str().as_encoded_bytes());
    // This fast path usually suffices without splitting the paths into components; one event needs several names.
    let below = file.strip_prefix(above).and_then(|below| below.strip_prefix(b"/"));
    let parted = || place.file.strip_prefix(top).unwrap_or(&place.file).as_os_str().as_encoded_bytes();
    let mut digest = Sha256::new();
    digest.update(below.unwrap_or_else(parted));
    digest.update([0]);
    digest.update(session.as_bytes());
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    digest.finalize()[..8].iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns the beginning of a host's text, short enough to be stored.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST / 4).collect()
}
