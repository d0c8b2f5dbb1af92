//! The model of the session that a check runs in, where the environment does not name it: what its hooks told, else what the
//! conversation says. None of it is proof: the record names the model, and who reads it sees which one judged.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::disk::open_regular;
use crate::host::Host;
use crate::session;
use crate::store::Place;

/// Bytes at the end of a conversation that are looked at: the last reply and what the tools said since.
const TAIL: u64 = 512 << 10;

/// The model of the session of that name, or of the one of this host that was heard of last; none where nothing tells.
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
