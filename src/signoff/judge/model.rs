//! The model of the session that a check runs in, if the environment does not name it: from the session's hooks, or else from
//! the conversation. Neither is proof, but the record names the model, so that a reader sees which one judged.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::disk::open_regular;
use crate::host::Host;
use crate::session;
use crate::store::Place;

/// The number of bytes to read at the end of a conversation: the last reply and the output of tools since.
const TAIL: u64 = 512 << 10;

/// Returns the model of the session `id`, or of the host's latest session; `None` if it is unknown.
pub(super) fn of_session(host: &dyn Host, place: &Place, id: Option<&str>) -> Option<String> {
    let about = id.map_or_else(|| session::latest_facts(place, host.name()), |id| session::session_facts(place, id));
    about.model.or_else(|| host.model_in(&tail(&about.transcript?)?))
}

fn tail(path: &Path) -> Option<Vec<u8>> {
    let mut file = open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
