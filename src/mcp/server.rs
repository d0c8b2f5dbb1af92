//! The handler that the protocol's library calls.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::mpsc as threads;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientResult, ElicitRequest, ElicitRequestParams,
    ElicitationAction, ElicitationSchema, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, ServerCapabilities, ServerConfig, ServerRequest,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::mpsc;

use super::folder::ServerStart;
use super::folder::folder;
use super::tools::{self, Words};
use super::{answer, session};
use crate::error::{Kind, Result};
use crate::process::own::{Calls, OwnCall, Ticket};
use crate::ui::relay::{RelayLine, YES};

/// The time between two progress notices about the same thing.
const NOTICE: Duration = Duration::from_secs(5);

/// The time between two checks whether a question still matters.
const GLANCE: Duration = Duration::from_millis(100);

/// The data that all calls share.
pub(super) struct Server {
    start: ServerStart,
    words: Words,
    calls: Arc<Calls>,
}

/// A message of a running command.
enum CommandEvent {
    Progress(String),
    Question(String, threads::Sender<String>),
}

impl Server {
    pub(super) fn new(start: ServerStart, calls: Arc<Calls>) -> Result<Server> {
        Ok(Server { start, words: Words::read()?, calls })
    }

    /// Returns the call to run: its folder, arguments and environment.
    async fn call(&self, words: Vec<std::ffi::OsString>, context: &RequestContext<RoleServer>) -> OwnCall {
        let file = self.start.file.iter().flat_map(|file| ["--file".into(), file.into()]);
        OwnCall {
            arguments: file.chain(words).collect(),
            cwd: folder(&self.start, &context.peer).await,
            env: session::environment(&context.meta),
            asks: asks(&context.peer),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("plan", env!("CARGO_PKG_VERSION")))
            .with_instructions(self.words.instructions.clone())
    }

    /// Returns the supported versions. Later versions have no requests from the server to the client, which questions need.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.words.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let words = match tools::argv(&request.name, request.arguments.unwrap_or_default()) {
            None => return Err(ErrorData::invalid_params(format!("unknown tool `{}`", request.name), None)),
            Some(Err(refusal)) => return Ok(answer::failed(Kind::Input, &refusal).into()),
            Some(Ok(words)) => words,
        };
        let ticket = self.calls.ticket();
        let call = self.call(words, &context).await;
        let (say, mut heard) = mpsc::unbounded_channel();
        let running = Arc::clone(&ticket);
        let mut run = tokio::task::spawn_blocking(move || run(&running, &call, &say));
        let mut notices = Notices::new(&context);
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    // Nobody reads the result, so do not wait for it.
                    ticket.interrupt();
                    return Ok(answer::failed(Kind::Interrupted, "cancelled").into());
                }
                Some(heard) = heard.recv() => match heard {
                    CommandEvent::Progress(text) => notices.tell(text).await,
                    CommandEvent::Question(text, to) => tokio::select! {
                        yes = ask(&context.peer, text) => drop(to.send(if yes { YES } else { "n" }.to_owned())),
                        () = context.ct.cancelled() => {}
                        ended = &mut run => return Ok(result(ended).into()),
                    },
                },
                ended = &mut run => return Ok(result(ended).into()),
            }
        }
    }
}

fn result(ended: std::result::Result<CallToolResult, tokio::task::JoinError>) -> CallToolResult {
    ended.unwrap_or_else(|_| answer::failed(Kind::Unknown, "the call failed unexpectedly"))
}

/// Runs the command on its own thread.
fn run(ticket: &Ticket, call: &OwnCall, say: &mpsc::UnboundedSender<CommandEvent>) -> CallToolResult {
    let mut text = String::new();
    let ended = ticket.run(call, &mut |line| match RelayLine::read(line) {
        RelayLine::Progress(what, _) => {
            let _ = say.send(CommandEvent::Progress(what.to_owned()));
            None
        }
        RelayLine::Question(question) => {
            let (to, answer) = threads::channel();
            let _ = say.send(CommandEvent::Question(format!("{text}{question}"), to));
            Some(wait(ticket, &answer))
        }
        RelayLine::Text(line) => {
            if line.starts_with("$ ") {
                let _ = say.send(CommandEvent::Progress(line.to_owned()));
            }
            text.push_str(line);
            text.push('\n');
            None
        }
    });
    match ended {
        Ok(ended) => answer::ended(ended.code, text + &String::from_utf8_lossy(&ended.stdout)),
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
            answer::failed(Kind::Interrupted, "interrupted before it ran")
        }
        Err(_) if !call.cwd.is_dir() => {
            let gone =
                format!("the folder `{}` no longer exists; restart the server in another folder", call.cwd.display());
            answer::failed(Kind::Unknown, &gone)
        }
        Err(error) => answer::failed(Kind::Unknown, &format!("cannot run `plan`: {error}")),
    }
}

/// Returns the answer to a question; `n` once nobody can answer any more.
fn wait(ticket: &Ticket, answer: &threads::Receiver<String>) -> String {
    loop {
        match answer.recv_timeout(GLANCE) {
            Ok(answer) => return answer,
            Err(threads::RecvTimeoutError::Timeout) if !ticket.is_interrupted() => {}
            Err(_) => return "n".to_owned(),
        }
    }
}

/// True if the client can put a question to a person.
fn asks(peer: &Peer<RoleServer>) -> bool {
    let elicitation = peer.peer_info().and_then(|client| client.capabilities.elicitation.clone());
    // An empty object means a form, which used to be the only kind.
    elicitation.is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none())
}

/// Asks through the client. Only `accept` counts as a yes.
async fn ask(peer: &Peer<RoleServer>, message: String) -> bool {
    let Ok(requested_schema) = ElicitationSchema::builder().build() else { return false };
    let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
    matches!(peer.send_request(request).await,
        Ok(ClientResult::ElicitResult(result)) if result.action == ElicitationAction::Accept)
}

/// Progress notices, for a client that asked for them.
struct Notices<'c> {
    to: Option<(&'c Peer<RoleServer>, ProgressToken)>,
    begun: Instant,
    last: Option<(Instant, String)>,
}

impl<'c> Notices<'c> {
    fn new(context: &'c RequestContext<RoleServer>) -> Self {
        let to = context.meta.get_progress_token().map(|token| (&context.peer, token));
        Notices { to, begun: Instant::now(), last: None }
    }

    /// Sends a new text at once, and the same text every few seconds.
    async fn tell(&mut self, what: String) {
        let Some((peer, token)) = &self.to else { return };
        if self.last.as_ref().is_some_and(|(at, last)| *last == what && at.elapsed() < NOTICE) {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let message = format!("{what} ({seconds:.0} s)");
        let notice = ProgressNotificationParam::new(token.clone(), (seconds * 10.0).round() / 10.0);
        let _ = peer.notify_progress(notice.with_message(message)).await;
        self.last = Some((Instant::now(), what));
    }
}
