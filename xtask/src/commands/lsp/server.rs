//! The server: dispatches the messages of the editor, and the results of the threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{
    CodeActionParams, CodeLensParams, CompletionParams, DefinitionParams,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, DocumentSymbolParams, ExecuteCommandParams, HoverParams,
    InitializeParams, Location, ReferenceParams,
};
use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::analysis::{self, Analysis};
use super::background::Background;
use super::capabilities;
use super::check::{Checks, Progress, Report};
use super::client::{Client, Origin};
use super::files::{self, Files};
use super::finding::ByFile;
use super::sources::Sources;
use super::state::{State, is_yaml};
use super::worker::{Outcome, Worker};
use super::{completion, effect, fixes, hover, lenses, navigation, symbols};
use crate::panics;

/// An event: a message of the editor, or a result of a thread.
pub(super) enum Event {
    /// A message of the editor.
    Client(Message),
    /// The editor has closed the connection.
    Closed,
    /// A result of the analysis.
    Worker(Outcome),
    /// The effect of the edits of a document.
    Effect(PathBuf, ByFile),
    /// The sources were read.
    Sources(Sources),
    /// The state of a check.
    Check(Report),
}

/// How the connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// After a request to shut down.
    Orderly,
    /// Without one.
    Sudden,
}

/// Sends events to the loop of the server, from any thread.
pub(super) type Send = Arc<dyn Fn(Event) + std::marker::Send + Sync>;

/// The server.
pub(super) struct Server {
    state: State,
    client: Client,
    worker: Worker,
    background: Background,
    checks: Checks,
    send: Send,
    phase: Phase,
}

/// The phase of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the first request.
    New,
    /// The editor sends requests.
    Open,
    /// The editor has asked to shut down.
    ShutDown,
}

impl Server {
    /// A server that gets its events through `send`.
    pub(super) fn new(client: Client, send: Send) -> Server {
        let (to_worker, to_checks) = (Arc::clone(&send), Arc::clone(&send));
        Server {
            state: State::default(),
            client,
            worker: Worker::start(move |outcome| to_worker(Event::Worker(outcome))),
            background: Background::start(),
            checks: Checks::new(move |report| to_checks(Event::Check(report))),
            send,
            phase: Phase::New,
        }
    }

    /// Handles an event. Returns how the connection ends, if it does.
    pub(super) fn handle(&mut self, event: Event) -> Option<End> {
        match event {
            Event::Client(Message::Request(request)) => self.request(request),
            Event::Client(Message::Notification(notification)) => {
                if notification.method == "exit" {
                    return Some(self.end());
                }
                self.notification(notification);
            }
            // The requests of the server need no response.
            Event::Client(Message::Response(_)) => {}
            Event::Closed => return Some(self.end()),
            Event::Worker(outcome) => self.outcome(outcome),
            Event::Effect(path, found) => {
                let origin = Origin::Effect(path);
                self.client.publish(&origin, found, &self.state.files);
            }
            Event::Sources(sources) => self.state.sources = sources,
            Event::Check(report) => self.check(report),
        }
        None
    }

    fn outcome(&mut self, outcome: Outcome) {
        let files = &self.state.files;
        let (Outcome::Analysis(Analysis { path, .. })
        | Outcome::Lint(path, _)
        | Outcome::Generated(path, ..)) = &outcome;
        // It may have been deleted in the meantime.
        if !files.has(path) {
            return;
        }
        match outcome {
            Outcome::Analysis(Analysis {
                path,
                findings,
                loaded,
            }) => {
                match loaded {
                    Some((document, _)) => _ = self.state.loaded.insert(path.clone(), document),
                    // The other findings are at places that may have moved.
                    None => {
                        let lint = Origin::Lint(path.clone());
                        self.client.publish(&lint, ByFile::new(), files);
                    }
                }
                self.client.publish(&Origin::Build(path), findings, files);
            }
            Outcome::Lint(path, found) => {
                self.client.publish(&Origin::Lint(path), found, files);
            }
            Outcome::Generated(path, generated, found) => {
                if let Some(generated) = generated {
                    self.state.generated.insert(path.clone(), generated);
                }
                self.client.publish(&Origin::Client(path), found, files);
            }
        }
    }

    fn end(&mut self) -> End {
        self.checks.end();
        match self.phase {
            Phase::ShutDown => End::Orderly,
            Phase::New | Phase::Open => End::Sudden,
        }
    }

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let result = match panics::catch(|| self.result(request)) {
            Ok(result) => result,
            Err(panic) => {
                eprintln!("a request panicked: {panic}");
                Err((ErrorCode::InternalError, "the request panicked".to_owned()))
            }
        };
        self.client.respond(match result {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        });
    }

    fn result(&mut self, request: Request) -> Result<Value, (ErrorCode, String)> {
        let Request { method, params, .. } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => {
                let params: InitializeParams = read(params)?;
                self.client.initialize(&params.capabilities);
                self.phase = Phase::Open;
                self.read_sources();
                Ok(capabilities::result())
            }
            (Phase::New, _) => {
                let message = "the first request must be `initialize`".to_owned();
                Err((ErrorCode::ServerNotInitialized, message))
            }
            (Phase::ShutDown, _) | (Phase::Open, "initialize") => {
                let message = format!("`{method}` is not possible now");
                Err((ErrorCode::InvalidRequest, message))
            }
            (Phase::Open, "shutdown") => {
                self.checks.end();
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Open, method) => self.result_of(method, params),
        }
    }

    /// The result of a request about a document, or of a command.
    fn result_of(&mut self, method: &str, params: Value) -> Result<Value, (ErrorCode, String)> {
        let (state, client) = (&mut self.state, &mut self.client);
        Ok(match method {
            "textDocument/codeAction" => {
                let params: CodeActionParams = read(params)?;
                json!(fixes::actions(state, client, &params))
            }
            "textDocument/completion" => {
                let params: CompletionParams = read(params)?;
                json!(completion::items(
                    state,
                    &params.text_document_position_params
                ))
            }
            "textDocument/hover" => {
                let params: HoverParams = read(params)?;
                json!(hover::hover(state, &params.text_document_position_params))
            }
            "textDocument/definition" => {
                let params: DefinitionParams = read(params)?;
                json!(navigation::definitions(
                    state,
                    &params.text_document_position_params
                ))
            }
            "textDocument/references" => {
                let params: ReferenceParams = read(params)?;
                json!(navigation::references(
                    state,
                    &params.text_document_position_params
                ))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = read(params)?;
                json!(symbols::outline(state, &params.text_document.uri))
            }
            "textDocument/codeLens" => {
                let params: CodeLensParams = read(params)?;
                json!(lenses::lenses(state, &params.text_document.uri))
            }
            "workspace/executeCommand" => {
                execute(client, read(params)?)?;
                Value::Null
            }
            method => {
                let message = format!("the method `{method}` is not supported");
                return Err((ErrorCode::MethodNotFound, message));
            }
        })
    }

    /// Notifications have no response: an invalid one is only logged.
    fn notification(&mut self, notification: Notification) {
        if self.phase != Phase::Open {
            return;
        }
        let method = notification.method.clone();
        let noted = panics::catch(|| self.note(notification));
        if let Ok(Err((_, message))) | Err(message) = noted {
            eprintln!("{method}: {message}");
        }
    }

    fn note(&mut self, notification: Notification) -> Result<(), (ErrorCode, String)> {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let DidOpenTextDocumentParams { text_document } = read(params)?;
                let path = self
                    .state
                    .files
                    .open(&text_document.uri, &text_document.text);
                if let Some(path) = path.filter(|path| is_yaml(path)) {
                    self.analyze(&path);
                    self.show_effect(&path);
                }
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = read(params)?;
                let uri = &params.text_document.text_document_identifier.uri;
                let path = self.state.files.change(uri, &params.content_changes);
                if let Some(path) = path.filter(|path| is_yaml(path)) {
                    self.analyze(&path);
                }
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = read(params)?;
                match files::path(&params.text_document.uri) {
                    Some(path) if is_yaml(&path) => {
                        self.analyze(&path);
                        self.show_effect(&path);
                        if is_of_contract(&path) {
                            self.checks.start(&self.state.files);
                        }
                    }
                    Some(_) => self.read_sources(),
                    None => {}
                }
            }
            "textDocument/didClose" => {
                let DidCloseTextDocumentParams { text_document } = read(params)?;
                let path = self.state.files.close(&text_document.uri);
                if let Some(path) = path.filter(|path| is_yaml(path)) {
                    if !self.state.files.has(&path) {
                        self.forget(&path);
                    }
                    self.analyze(&path);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes the findings and the document of a file that no longer exists.
    fn forget(&mut self, path: &Path) {
        const ORIGINS: [fn(PathBuf) -> Origin; 4] =
            [Origin::Build, Origin::Lint, Origin::Client, Origin::Effect];
        self.state.forget(path);
        for origin in ORIGINS {
            let origin = origin(path.to_owned());
            self.client
                .publish(&origin, ByFile::new(), &self.state.files);
        }
    }

    /// Analyzes the documents that a file is part of.
    fn analyze(&self, path: &Path) {
        for document in analysis::documents_of(path, &self.state.files) {
            self.worker.analyze(&document, &self.state.files);
        }
    }

    /// Compares the documents that a file is part of with their release, beside the editor.
    fn show_effect(&self, path: &Path) {
        if !is_of_contract(path) {
            return;
        }
        let documents = analysis::documents_of(path, &self.state.files);
        let (files, send): (Files, Send) = (self.state.files.clone(), Arc::clone(&self.send));
        self.background.run(move || {
            for document in documents {
                let found = panics::catch(|| effect::of_document(&document, &files));
                // The analysis reports a document that cannot be loaded.
                if let Ok(Ok(found)) = found {
                    send(Event::Effect(document, found));
                }
            }
        });
    }

    /// Reads the sources, beside the editor.
    fn read_sources(&self) {
        let (files, send): (Files, Send) = (self.state.files.clone(), Arc::clone(&self.send));
        self.background
            .run(move || send(Event::Sources(Sources::read(&files))));
    }

    fn check(&mut self, Report { check, progress }: Report) {
        let token = format!("accord/check/{check}");
        let files = &self.state.files;
        match progress {
            Progress::Begun => self.client.begin(&token, "Compiling both sides"),
            Progress::Found(found) => {
                let count: usize = found.values().map(Vec::len).sum();
                self.client.publish(&Origin::Compiler, found, files);
                self.client.advance(&token, &format!("{count} messages"));
            }
            Progress::Ended(found, text) => {
                if let Some(found) = found {
                    self.client.publish(&Origin::Compiler, found, files);
                }
                self.client.end(&token, &text);
            }
            Progress::Replaced => self.client.end(&token, "replaced by a newer check"),
        }
    }
}

/// Executes the command of a lens.
fn execute(client: &mut Client, params: ExecuteCommandParams) -> Result<(), (ErrorCode, String)> {
    if params.command != lenses::OPEN {
        let message = format!("there is no command `{}`", params.command);
        return Err((ErrorCode::InvalidParams, message));
    }
    let argument = params.arguments.into_iter().flatten().next();
    let locations: Vec<Location> = read(argument.unwrap_or_default())?;
    client.open(&locations);
    Ok(())
}

fn is_of_contract(path: &Path) -> bool {
    let contract = crate::repository::yaml().unwrap_or_default();
    contract.iter().any(|own| own == path)
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params)
        .map_err(|error| (ErrorCode::InvalidParams, format!("invalid params: {error}")))
}
