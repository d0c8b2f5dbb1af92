//! The MCP server, `plan mcp`: a tool for each verb that an agent needs, few and short (`CLI.md`, Hosts).
//!
//! ```text
//! client ══lines══▶ wire (reads what the protocol's library would stumble over) ──▶ rmcp ──▶ server
//!                                                      tool's input ──▶ argv ──▶ `plan` as a child, one a call
//! ```
//!
//! A tool is the command itself in a process of its own ([`process::own`](crate::process::own)): the same words, errors
//! and exit status, interrupted alone where the client cancels it, and nothing that a command does can end the server.

mod answer;
mod folder;
mod input;
mod server;
mod session;
mod tools;
mod wire;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;

use crate::error::{Error, Kind, Result};
use crate::process::own::Calls;

use server::Server;
use wire::Wire;

/// Calls that run at once; more wait for their turn.
const AT_ONCE: usize = 32;

/// Where the server was started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The working folder.
    pub folder: PathBuf,
    /// The plan file, where the caller named one.
    pub file: Option<PathBuf>,
}

/// Serves stdin and `output` until stdin is closed, the reader of `output` is gone or a signal comes; true for the last.
/// Calls that run then are interrupted, and nothing of them is left.
///
/// # Errors
/// [`Kind::Unknown`] where the system gives no threads or no sockets.
pub fn serve(start: Start, output: impl Write + Send + 'static) -> Result<bool> {
    let calls = Arc::new(Calls::default());
    let failed = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot serve: {error}"));
    let (wire, line) = Wire::open(output, Arc::clone(&calls)).map_err(failed)?;
    let server = Server::new(start, Arc::clone(&calls))?;
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().max_blocking_threads(AT_ONCE).build().map_err(failed)?;
    runtime.block_on(async {
        // An end before the first request is no error of ours.
        if let Ok(running) = server.serve(wire).await {
            let _ = running.waiting().await;
        }
    });
    calls.end();
    // The reader still waits for stdin, and is left.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(line.end())
}
