//! Reads and writes lines of JSON. It handles input for which the protocol's library would end the session: garbage, a probe
//! before the start, an endless line.

mod filter;

use std::future::Future;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc as threads;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::mpsc;

use crate::process::interrupt::SignalHold;
use crate::process::own::Calls;

use filter::{Filter, Verdict};

/// The longest line, as long as a plan file may be. A longer one is dropped and answered with an error.
const LONGEST: u64 = 64 << 20;
/// The maximum number of messages that wait for the server; then the client has to wait.
const WAITING: usize = 64;
/// The time limit for writing the last answers.
const LAST_WORDS: Duration = Duration::from_secs(1);

enum Inbound {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Closed,
}

enum Outbound {
    Line(Vec<u8>),
    /// A request that is answered once everything before it is written.
    Flushed(threads::Sender<()>),
}

/// The library's side of the connection.
pub(super) struct Wire {
    inbound: mpsc::Receiver<Inbound>,
    outbound: threads::Sender<Outbound>,
    calls: Arc<Calls>,
}

/// The owner's side of the connection.
pub(super) struct WireLine {
    outbound: threads::Sender<Outbound>,
    interrupted: Arc<AtomicBool>,
}

impl Wire {
    /// Starts to read stdin, write `output` and hold signals. At the end of either, `calls` are interrupted.
    pub(super) fn open(output: impl Write + Send + 'static, calls: Arc<Calls>) -> io::Result<(Wire, WireLine)> {
        let (to_server, inbound) = mpsc::channel(WAITING);
        let (outbound, lines) = threads::channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        let held = SignalHold::begin()?;
        let (flag, closing) = (Arc::clone(&interrupted), to_server.clone());
        thread("signals", move || {
            held.wait();
            flag.store(true, Ordering::SeqCst);
            let _ = closing.blocking_send(Inbound::Closed);
            // `held` is dropped here, so a second signal ends the process.
        })?;
        let closing = to_server.clone();
        thread("writer", move || {
            write(output, &lines);
            let _ = closing.blocking_send(Inbound::Closed);
        })?;
        let answers = outbound.clone();
        thread("reader", move || {
            read(&to_server, &answers);
            let _ = to_server.blocking_send(Inbound::Closed);
        })?;
        let line = WireLine { outbound: outbound.clone(), interrupted };
        Ok((Wire { inbound, outbound, calls }, line))
    }
}

impl WireLine {
    /// Waits until the last answers are written. Returns true if a signal came.
    pub(super) fn end(self) -> bool {
        let (done, written) = threads::channel();
        let _ = self.outbound.send(Outbound::Flushed(done));
        let _ = written.recv_timeout(LAST_WORDS);
        self.interrupted.load(Ordering::SeqCst)
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let line = serde_json::to_vec(&item).map_err(io::Error::from);
        let sent = line.and_then(|line| {
            self.outbound.send(Outbound::Line(line)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        });
        std::future::ready(sent)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        match self.inbound.recv().await {
            Some(Inbound::Message(message)) => Some(*message),
            Some(Inbound::Closed) | None => {
                // Interrupt them now, because the library waits for running calls before it ends.
                self.calls.interrupt();
                None
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

fn write(mut output: impl Write, lines: &threads::Receiver<Outbound>) {
    for item in lines {
        match item {
            Outbound::Line(mut line) => {
                line.push(b'\n');
                if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                    return;
                }
            }
            Outbound::Flushed(done) => drop(done.send(())),
        }
    }
}

/// Reads until the end of stdin, or until nobody listens.
fn read(to_server: &mpsc::Sender<Inbound>, answers: &threads::Sender<Outbound>) {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let (mut filter, mut line) = (Filter::default(), Vec::new());
    while let Ok(Some(is_whole)) = read_line(&mut input, &mut line) {
        let verdict = if is_whole { filter.judge(&line) } else { filter::too_long(LONGEST) };
        let is_heard = match verdict {
            Verdict::Pass(message) => to_server.blocking_send(Inbound::Message(message)).is_ok(),
            Verdict::Answer(answer) => answers.send(Outbound::Line(answer)).is_ok(),
            Verdict::Drop => true,
        };
        if !is_heard {
            return;
        }
    }
}

/// Reads the next line into `line`. Returns false if it was too long and was dropped, and `None` at the end.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    line.shrink_to(1 << 20);
    let is_end = |line: &[u8]| line.ends_with(b"\n");
    if input.by_ref().take(LONGEST).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    let is_whole = is_end(line) || (line.len() as u64) < LONGEST;
    while !is_whole && !is_end(line) {
        line.clear();
        if input.by_ref().take(1 << 16).read_until(b'\n', line)? == 0 {
            break;
        }
    }
    Ok(Some(is_whole))
}
