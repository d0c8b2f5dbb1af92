//! What is remembered of one session between two calls: a small JSON file of the state folder, and the lock around it.

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

/// The version of the file. One of a newer version is left alone.
const VERSION: u32 = 1;
/// Bytes that are read of one; what is longer is none of ours.
const LARGEST: u64 = 64 << 10;
/// How long a hook waits for one that came first, which takes a few milliseconds. A host waits for its hooks, and whoever
/// holds the lock for longer (a stopped process) does not let it go soon.
pub(super) const BRIEF: Duration = Duration::from_millis(200);
/// How long a person's command waits.
pub(super) const PATIENT: Duration = Duration::from_secs(4);
/// How long a hook waits in all while the lock goes from one to the next: the hooks of twenty sessions on a busy machine.
const QUEUE: Duration = Duration::from_secs(2);
/// Bytes of a text that a host sent, at most.
const LONGEST: usize = 512;

/// One session on one plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    pub(super) version: u32,
    /// The host's name for it, for people to find it by.
    pub(super) session: String,
    /// The host that told of it.
    pub(super) host: String,
    /// Its model, by the host's own name for it.
    pub(super) model: Option<String>,
    /// The file with the conversation.
    pub(super) transcript: Option<PathBuf>,
    /// plan.md as it was last looked at.
    pub(super) seen: SeenPlan,
    /// The goals that were done when it began, by the hashes of their names.
    pub(super) done_before: Vec<u64>,
    /// The bytes of plan.md that the model knows, by their hash; none where it knows none.
    pub(super) known: Option<u64>,
    /// The whole plan is still to be shown: at the start, after a compaction.
    pub(super) is_owed: bool,
    /// It was compacted since a block was given.
    pub(super) is_compacted: bool,
    /// Turns since a block was given.
    pub(super) turns: u32,
    /// File-modifying turns since plan.md changed or the reminder came.
    pub(super) idle: u32,
    /// The turn at hand was counted.
    pub(super) is_counted: bool,
    /// The turn at hand by the host's name for it, as a hash; 0 where it has none.
    pub(super) turn: u64,
    /// It works on this plan: it wrote to it, a person told it to, or it read the plan and then changed files.
    pub(super) works: bool,
    /// What it did since the last message of a person.
    pub(super) acts: Acts,
    /// How often it was sent on since the count was last reset.
    pub(super) pushes: u32,
    /// The same since the last message of a person, whatever reset the count.
    pub(super) pushes_in_all: u32,
    /// What it was sent on with last: some hosts hand that to their hooks like a message of a person.
    pub(super) sent_on_with: PushFingerprint,
    /// A person said stop, or interrupted it: until the next message.
    pub(super) is_quiet: bool,
    /// It may have been sent on before, and nothing is remembered of that: the guard lets it go until a person speaks. A loop
    /// has its budget elsewhere.
    pub(super) is_lost: bool,
    /// The person was told why it is no longer sent on.
    pub(super) is_told: bool,
    /// The host drives it by a goal of its own.
    pub(super) is_driven: bool,
    /// It stopped, and used no tool since.
    pub(super) has_stopped: bool,
    /// It was offered to turn a plan of the host's into goals.
    pub(super) is_offered: bool,
    /// The bytes of plan.md that were looked through for goals made done by hand, by their hash.
    pub(super) ticks_seen: u64,
    /// The goals made done by hand that were told of, by the hashes of their names.
    pub(super) ticks_told: Vec<u64>,
    /// What the agent is to be told of them where it is given no block, which says it too.
    pub(super) correction: Option<String>,
    /// What the person is to be told, with the next answer.
    pub(super) notice: Option<String>,
    /// What a person said to the plan that was shown, for hosts that give it with each request of the turn.
    pub(super) feedback: Option<String>,
    /// The hold that a message of a person ended.
    pub(super) hold_ended: Option<String>,
}

/// plan.md as it was last looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SeenPlan {
    /// Where, how long and how old the file was, so that one that nobody touched is not read again.
    pub(super) stamp: String,
    /// Its bytes, by their hash.
    pub(super) bytes: u64,
    /// Its goals and steps without what of them is done, by their hash: another one is a new version of the plan.
    pub(super) shape: u64,
    /// The most steps and goals that were ever finished at once.
    pub(super) finished: usize,
    /// A goal is active.
    pub(super) has_active: bool,
    /// `remind_every`.
    pub(super) remind_every: u32,
}

/// What a session's file held.
#[derive(Debug)]
pub(super) enum LoadedState {
    /// A state.
    State(Box<State>),
    /// Nothing: a new session.
    None,
    /// Nothing that can be read.
    Damaged,
    /// One that a newer version wrote.
    Newer,
}

/// The states of all sessions on one plan, held so that nobody else changes one meanwhile.
#[derive(Debug)]
pub(super) struct States<'p> {
    place: &'p Place,
    _lock: File,
}

impl<'p> States<'p> {
    /// Waits for whoever has them, at most `patience` for one holder.
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
        // Tells those who wait that it went on. One that cannot write it is waited for like one that hangs.
        let _ = file.write_all_at(&std::process::id().to_ne_bytes(), 0);
        Ok(States { place, _lock: file })
    }

    /// What is remembered of `session`.
    pub(super) fn load(&self, session: &str) -> LoadedState {
        load(self.place, session)
    }

    /// Nothing new, but it was heard of: the file's time says when, for [`super::latest`].
    pub(super) fn heard_of(&self, session: &str) -> bool {
        if let Ok(file) = File::open(store::state_file(self.place, &name(self.place, session))) {
            let _ = file.set_modified(std::time::SystemTime::now());
        }
        true
    }

    /// Remembers it. False where that failed.
    pub(super) fn save(&self, session: &str, state: &State) -> bool {
        let bytes = serde_json::to_vec(&State { version: VERSION, ..state.clone() }).unwrap_or_default();
        store::write_state(self.place, &name(self.place, session), &bytes).is_ok()
    }
}

/// Whether a hook told of the session of this digest within `time`. One that none ever told of cannot be known to be gone.
pub(super) fn is_heard_of(place: &Place, digest: &str, time: Duration) -> bool {
    let told = std::fs::metadata(store::state_file(place, &format!("sessions/{digest}.json")));
    let age = told.and_then(|meta| meta.modified()).map(|told| told.elapsed());
    !age.is_ok_and(|age| age.is_ok_and(|age| age > time))
}

/// The process that took the lock last.
fn holder_of(file: &File) -> [u8; 4] {
    let mut id = [0; 4];
    let _ = file.read_exact_at(&mut id, 0);
    id
}

/// What is remembered of `session`, looked at without the lock.
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
    match serde_json::from_slice::<State>(&bytes) {
        Ok(state) if state.version == VERSION => LoadedState::State(Box::new(state)),
        _ => match serde_json::from_slice::<Version>(&bytes) {
            Ok(found) if found.version > VERSION => LoadedState::Newer,
            _ => LoadedState::Damaged,
        },
    }
}

/// The bytes of a small file of the state folder, at most so many as one of ours has.
pub(super) fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    store::read_state(path, LARGEST)
}

fn name(place: &Place, session: &str) -> String {
    format!("sessions/{}.json", digest(place, session))
}

/// A session on a plan, as part of a file's name. The host's name for it may hold anything; plans of one repository share a
/// state folder, so the plan's own path is in it, from the top so that the repository may move.
pub(super) fn digest(place: &Place, session: &str) -> String {
    let top = place.top.as_deref().unwrap_or(&place.root);
    let mut digest = Sha256::new();
    digest.update(place.file.strip_prefix(top).unwrap_or(&place.file).as_os_str().as_encoded_bytes());
    digest.update([0]);
    digest.update(session.as_bytes());
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    digest.finalize()[..8].iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A host's text, short enough to be remembered.
pub(super) fn short(text: &str) -> String {
    text.chars().take(LONGEST / 4).collect()
}
