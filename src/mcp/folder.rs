//! Finds the folder in which a call runs. It is found for each call, because plan.md may appear later, and a client may
//! have started the server somewhere else.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleServer;
#[expect(deprecated, reason = "later versions of the protocol have no roots; those that are spoken here do")]
use rmcp::model::ListRootsRequest;
use rmcp::model::{ClientResult, ServerRequest};
use rmcp::service::Peer;

use crate::store;

/// Claude Code sets this to the project's folder, whatever the working folder is.
const CLAUDE_PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// The time to wait for a client's roots.
const PATIENCE: Duration = Duration::from_secs(2);

/// The place where the server was started.
#[derive(Clone, Debug)]
pub struct ServerStart {
    /// The working folder.
    pub folder: PathBuf,
    /// The plan file, if the caller named one.
    pub file: Option<PathBuf>,
}

/// Returns the first of these folders that has a plan: the folder in which the server was started, the host's project,
/// the client's roots. If none has a plan, returns the folder in which the server was started.
pub(super) async fn folder(start: &ServerStart, peer: &Peer<RoleServer>) -> PathBuf {
    let has_plan = |folder: &PathBuf| !matches!(store::look(folder, None), Ok(None));
    if start.file.is_some() || has_plan(&start.folder) {
        return start.folder.clone();
    }
    let project = std::env::var_os(CLAUDE_PROJECT_DIR).map(PathBuf::from).filter(|folder| folder.is_absolute());
    if let Some(project) = project.filter(has_plan) {
        return project;
    }
    roots(peer).await.into_iter().find(has_plan).unwrap_or_else(|| start.folder.clone())
}

#[expect(deprecated, reason = "later versions of the protocol have no roots; those that are spoken here do")]
async fn roots(peer: &Peer<RoleServer>) -> Vec<PathBuf> {
    if peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
        return Vec::new();
    }
    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    match tokio::time::timeout(PATIENCE, peer.send_request(request)).await {
        Ok(Ok(ClientResult::ListRootsResult(result))) => {
            result.roots.iter().filter_map(|root| path(&root.uri)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the path of a `file://` address.
fn path(uri: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let rest = uri.strip_prefix("file://")?;
    let encoded = rest.strip_prefix("localhost").unwrap_or(rest).as_bytes();
    let (mut bytes, mut at) = (Vec::with_capacity(encoded.len()), 0);
    while let Some(&byte) = encoded.get(at) {
        let hex = encoded.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                at += 3;
            }
            None => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    let path = PathBuf::from(std::ffi::OsString::from_vec(bytes));
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_path() {
        assert_eq!(path("file:///home/a%20b/%C3%A9"), Some("/home/a b/é".into()));
        assert_eq!(path("file://localhost/x%"), Some("/x%".into()));
        assert_eq!((path("https://x/y"), path("file://host/x"), path("file:x")), (None, None, None));
    }
}
