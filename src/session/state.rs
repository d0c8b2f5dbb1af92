//! The state of a session between two hook calls: a small JSON file in the state folder, and the lock around it.

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
/// The most bytes that are read of a file; a longer one is not ours.
const LARGEST: u64 = 64 << 10;
/// How long a hook waits for one holder of the lock. A holder normally needs a few milliseconds; one that needs longer (a stopped
/// process) will not let go soon, and the host waits for its hooks.
pub(super) const BRIEF: Duration = Duration::from_millis(200);
/// How long a person's command waits for one holder.
pub(super) const PATIENT: Duration = Duration::from_secs(4);
/// How long a hook waits in all while the lock passes from holder to holder: enough for twenty sessions on a busy machine.
const QUEUE: Duration = Duration::from_secs(2);
/// The most bytes of a text from a host.
const LONGEST: usize = 512;

/// One session on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SessionState {
    pub(super) version: u32,
    /// The host's name for the session, so that people can find it.
    pub(super) session: String,
    /// The session's host.
    pub(super) host: String,
    /// Its model, by the host's name for it.
    pub(super) model: Option<String>,
    /// The file with the conversation.
    pub(super) transcript: Option<PathBuf>,
    /// plan.md as the session last saw it.
    pub(super) seen: SeenPlan,
    /// The goals that were done when the session began, as hashes of their names.
    pub(super) done_before: Vec<u64>,
    /// The hash of the plan.md that the model knows; none if it knows none.
    pub(super) known: Option<u64>,
    /// The full plan has yet to be shown: at the start, and after a compaction.
    pub(super) is_owed: bool,
    /// The session was compacted since it last got a block.
    pub(super) is_compacted: bool,
    /// Turns since the last block.
    pub(super) turns: u32,
    /// File-modifying turns since plan.md changed or the last reminder.
    pub(super) idle: u32,
    /// The current turn was counted.
    pub(super) is_counted: bool,
    /// The hash of the host's name for the current turn; 0 if it has none.
    pub(super) turn: u64,
    /// The session works on this plan: it wrote to the plan, a person told it to, or it read the plan and then changed files.
    pub(super) works: bool,
    /// Its acts since the last message of a person.
    pub(super) acts: Acts,
    /// Pushes since the count was last reset.
    pub(super) pushes: u32,
    /// Pushes since the last message of a person, whatever reset the count.
    pub(super) pushes_in_all: u32,
    /// The last push: some hosts hand it to their hooks like a message of a person.
    pub(super) sent_on_with: PushFingerprint,
    /// A person said stop or interrupted it. Holds until their next message.
    pub(super) is_quiet: bool,
    /// Earlier pushes may be forgotten, so the guard lets it stop until a person writes. A loop keeps its budget elsewhere.
    pub(super) is_lost: bool,
    /// The person was told why the guard no longer pushes.
    pub(super) is_told: bool,
    /// The host drives the session with a goal of its own.
    pub(super) is_driven: bool,
    /// It stopped and has used no tool since.
    pub(super) has_stopped: bool,
    /// The offer to turn the host's own plan into goals was made.
    pub(super) is_offered: bool,
    /// The hash of the plan.md that was last searched for goals marked done by hand.
    pub(super) ticks_seen: u64,
    /// The goals marked done by hand that were reported, as hashes of their names.
    pub(super) ticks_told: Vec<u64>,
    /// The note about them for the agent, if it gets no block, which says it too.
    pub(super) correction: Option<String>,
    /// A line for the person, sent with the next answer.
    pub(super) notice: Option<String>,
    /// A person's answer to a review, for hosts that give it with each request of the turn.
    pub(super) feedback: Option<String>,
    /// The hold that a message of a person ended.
    pub(super) hold_ended: Option<String>,
}

/// plan.md as the session last saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SeenPlan {
    /// The file's inode, size and times, so that an untouched file is not read again.
    pub(super) stamp: String,
    /// The hash of its bytes.
    pub(super) bytes: u64,
    /// The hash of its goals and steps without their progress: a different one is a new version of the plan.
    pub(super) shape: u64,
    /// The highest count of finished steps and goals so far.
    pub(super) finished: usize,
    /// True if a goal is active.
    pub(super) has_active: bool,
    /// `remind_every`.
    pub(super) remind_every: u32,
}

/// The content of a session's file.
#[derive(Debug)]
pub(super) enum LoadedState {
    /// A state.
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
    /// Takes the lock. Waits at most `patience` for one holder.
    ///
    /// # Errors
    /// [`Kind::Unknown`]: the lock's file cannot be made; [`Kind::Changed`]: it was not free in time.
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
        // Tells waiting processes that the holder changed. If this fails, they wait for it as for a hanging process.
        let _ = file.write_all_at(&std::process::id().to_ne_bytes(), 0);
        Ok(States { place, _lock: file })
    }

    /// The state of `session`.
    pub(super) fn load(&self, session: &str) -> LoadedState {
        load(self.place, session)
    }

    /// Nothing changed, but the session is alive: the file's time says when it was last heard of, for [`super::latest_facts`].
    pub(super) fn heard_of(&self, session: &str) -> bool {
        if let Ok(file) = store::look_state(&store::state_file(self.place, &name(self.place, session))) {
            let _ = file.set_modified(std::time::SystemTime::now());
        }
        true
    }

    /// Writes the state. False if that failed.
    pub(super) fn save(&self, session: &str, state: &SessionState) -> bool {
        let bytes = serde_json::to_vec(&SessionState { version: VERSION, ..state.clone() }).unwrap_or_default();
        store::write_state(self.place, &name(self.place, session), &bytes).is_ok()
    }
}

/// True if a hook reported the session with this digest within `time`. A session without a file is never known to be gone.
pub(super) fn is_heard_of(place: &Place, digest: &str, time: Duration) -> bool {
    let told = std::fs::metadata(store::state_file(place, &format!("sessions/{digest}.json")));
    let age = told.and_then(|meta| meta.modified()).map(|told| told.elapsed());
    !age.is_ok_and(|age| age.is_ok_and(|age| age > time))
}

/// The process that last took the lock.
fn holder_of(file: &File) -> [u8; 4] {
    let mut id = [0; 4];
    let _ = file.read_exact_at(&mut id, 0);
    id
}

/// The state of `session`, read without the lock.
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

/// The bytes of a small file in the state folder.
pub(super) fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    store::read_state(path, LARGEST)
}

fn name(place: &Place, session: &str) -> String {
    format!("sessions/{}.json", digest(place, session))
}

/// A digest of plan and session, for file names, because the host's name may hold any bytes. The plan's path is part of it,
/// because plans of one repository share a state folder; it counts from the top, so that the repository may move.
pub(super) fn digest(place: &Place, session: &str) -> String {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let (above, file) = (top.as_os_str().as_encoded_bytes(), place.file.as_os_str().as_encoded_bytes());
    // Mostly the paths need not be taken apart, and an event asks for several names.
    let below = file.strip_prefix(above).and_then(|below| below.strip_prefix(b"/"));
    let parted = || place.file.strip_prefix(top).unwrap_or(&place.file).as_os_str().as_encoded_bytes();
    let mut digest = Sha256::new();
    digest.update(below.unwrap_or_else(parted));
    digest.update([0]);
    digest.update(session.as_bytes());
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    digest.finalize()[..8].iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The beginning of a host's text, short enough to be kept.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST / 4).collect()
}
