//! `lsp`: the language server of the documents, for editors.
//!
//! One loop handles the messages of the editor, and the results of the threads that analyze, compare
//! and compile beside it. So no message waits for a document.

mod analysis;
mod background;
mod capabilities;
mod check;
mod client;
mod compiler;
mod completion;
mod effect;
mod files;
mod finding;
mod fixes;
mod generated;
mod hover;
mod lenses;
mod navigation;
mod operation;
mod reference;
mod server;
mod sources;
mod state;
mod symbols;
mod text;
mod worker;

use std::sync::{Arc, mpsc};

use anyhow::Context;
use lsp_server::Connection;

use self::client::Client;
use self::server::{End, Event, Server};
use crate::Outcome;

/// Serve the documents to an editor, by the Language Server Protocol
///
/// As one types: every finding of the build and the lint, with quick fixes; completion,
/// hover, outline, definitions and references. On save: the changes since the release,
/// and the compiler's errors of both sides at the lines of the document. The editor
/// starts this command, and talks to it through standard input and output.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask lsp   for the settings of an editor, see openapi/EDITOR.md

Exit code: 0 when the editor shut the server down, 1 when the connection ended
without that, 2 when a message could not be read.")]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    let (connection, threads) = Connection::stdio();
    let Connection { sender, receiver } = connection;
    let (events, waiting) = mpsc::channel();
    // An editor that has ended receives no messages.
    let client = Client::new(move |message| _ = sender.send(message));
    let from_client = events.clone();
    std::thread::spawn(move || {
        for message in receiver {
            if from_client.send(Event::Client(message)).is_err() {
                return;
            }
        }
        let _ = from_client.send(Event::Closed);
    });
    let send = Arc::new(move |event| _ = events.send(event));
    let mut server = Server::new(client, send);
    let end = loop {
        let event = waiting.recv().context("all threads have ended")?;
        if let Some(end) = server.handle(event) {
            break end;
        }
    };
    // The thread that writes ends when nobody can send anything more.
    drop(server);
    threads.join().context("cannot read a message")?;
    Ok(match end {
        End::Orderly => Outcome::Success,
        End::Sudden => Outcome::Failure,
    })
}
