//! The MCP server, `plan mcp`: one short tool for each verb that an agent needs (`CLI.md`, Hosts).
//!
//! ```text
//! client ══lines══▶ wire (handles input that would break the library) ──▶ rmcp ──▶ server
//!                                                      tool's input ──▶ argv ──▶ `plan` as a child, one a call
//! ```
//!
//! A tool runs the command in a process of its own ([`process::own`](crate::process::own)). So it has the same words, errors and
//! exit status, a cancelled call is interrupted alone, and no command can end the server.

mod answer;
mod folder;
mod input;
mod server;
mod session;
mod tools;
mod wire;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;

use crate::error::{Error, Kind, Result};
use crate::process::own::Calls;

pub use folder::ServerStart;
use server::Server;
use wire::Wire;

/// The maximum number of calls that run at once; more wait for their turn.
const AT_ONCE: usize = 32;

/// Serves stdin and `output` until stdin is closed, the reader of `output` is gone, or a signal comes. Returns true for a signal.
/// Running calls are interrupted with everything they started.
///
/// # Errors
/// [`Kind::Unknown`] if the system gives no threads or sockets.
pub fn serve(start: ServerStart, output: impl Write + Send + 'static) -> Result<bool> {
    let calls = Arc::new(Calls::default());
    let failed = |error: std::io::Error| Error::new(Kind::Unknown, format!("cannot serve: {error}"));
    let (wire, line) = Wire::open(output, Arc::clone(&calls)).map_err(failed)?;
    let server = Server::new(start, Arc::clone(&calls))?;
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().max_blocking_threads(AT_ONCE).build().map_err(failed)?;
    runtime.block_on(async {
        // An end before the first request is not an error.
        if let Ok(running) = server.serve(wire).await {
            let _ = running.waiting().await;
        }
    });
    calls.end();
    // The reader may still wait for stdin; it is abandoned.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(line.end())
}
