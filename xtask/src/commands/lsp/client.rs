//! Messages to the editor.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gen_lsp_types::{
    ClientCapabilities, Diagnostic, Location, MessageType, PublishDiagnosticsParams,
    ShowMessageParams,
};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::files::Files;
use super::finding::ByFile;

/// The origin of findings: each replaces its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The build of a document.
    Build(PathBuf),
    /// The lint of a document.
    Lint(PathBuf),
    /// The generator of the client of a document.
    Client(PathBuf),
    /// The comparison of a document with its release.
    Effect(PathBuf),
    /// The compiler.
    Compiler,
}

/// The connection to the editor, and what the editor shows.
pub(super) struct Client {
    send: Box<dyn Fn(Message)>,
    requests: i32,
    has_progress: bool,
    shows_documents: bool,
    findings: BTreeMap<Origin, ByFile>,
    /// The findings that the editor shows.
    shown: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

impl Client {
    pub(super) fn new(send: impl Fn(Message) + 'static) -> Client {
        Client {
            send: Box::new(send),
            requests: 0,
            has_progress: false,
            shows_documents: false,
            findings: BTreeMap::new(),
            shown: BTreeMap::new(),
        }
    }

    /// Remembers what the editor can do.
    pub(super) fn initialize(&mut self, capabilities: &ClientCapabilities) {
        let window = capabilities.window.as_ref();
        self.has_progress = window.is_some_and(|window| window.work_done_progress == Some(true));
        let documents = window.and_then(|window| window.show_document.as_ref());
        self.shows_documents = documents.is_some_and(|documents| documents.support);
    }

    /// Responds to a request.
    pub(super) fn respond(&self, response: Response) {
        (self.send)(response.into());
    }

    fn notify(&self, method: &str, params: Value) {
        (self.send)(Notification::new(method.to_owned(), params).into());
    }

    fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let id = RequestId::from(format!("accord-{}", self.requests));
        (self.send)(Request::new(id, method.to_owned(), params).into());
    }

    /// The findings in a file.
    pub(super) fn findings<'c>(
        &'c self,
        path: &'c PathBuf,
    ) -> impl Iterator<Item = &'c super::finding::Finding> {
        let of_file = self.findings.values().filter_map(|all| all.get(path));
        of_file.flatten()
    }

    /// Replaces the findings of an origin, and shows those of all files that it is about.
    pub(super) fn publish(&mut self, origin: &Origin, findings: ByFile, files: &Files) {
        let mut paths: Vec<PathBuf> = findings.keys().cloned().collect();
        if let Some(old) = self.findings.insert(origin.clone(), findings) {
            paths.extend(old.into_keys());
        }
        paths.sort();
        paths.dedup();
        for path in paths {
            let Some(uri) = files.uri(&path) else {
                continue;
            };
            let mut shown = Vec::new();
            for finding in self.findings(&path) {
                // Documents that share a file have the same findings in it.
                if !shown.contains(&finding.shown) {
                    shown.push(finding.shown.clone());
                }
            }
            if self.shown.get(&path) == Some(&shown) {
                continue;
            }
            self.shown.insert(path, shown.clone());
            let params = PublishDiagnosticsParams::new(uri, None, shown);
            self.notify("textDocument/publishDiagnostics", json!(params));
        }
    }

    /// Begins to show progress.
    pub(super) fn begin(&mut self, token: &str, title: &str) {
        if self.has_progress {
            self.request("window/workDoneProgress/create", json!({"token": token}));
            let value = json!({"kind": "begin", "title": title, "cancellable": false});
            self.notify("$/progress", json!({"token": token, "value": value}));
        }
    }

    /// Shows progress.
    pub(super) fn advance(&self, token: &str, message: &str) {
        if self.has_progress {
            let value = json!({"kind": "report", "message": message});
            self.notify("$/progress", json!({"token": token, "value": value}));
        }
    }

    /// Ends to show progress.
    pub(super) fn end(&self, token: &str, message: &str) {
        if self.has_progress {
            let value = json!({"kind": "end", "message": message});
            self.notify("$/progress", json!({"token": token, "value": value}));
        }
    }

    /// Opens the first place, or names the places if the editor cannot. Says so if there is none.
    pub(super) fn open(&mut self, locations: &[Location]) {
        match locations.first() {
            Some(first) if self.shows_documents => self.request(
                "window/showDocument",
                json!({"uri": first.uri, "selection": first.range, "takeFocus": true}),
            ),
            None => self.say("There is no such place in the sources."),
            Some(_) => {
                let names: Vec<String> = locations
                    .iter()
                    .map(|one| format!("{}:{}", one.uri, one.range.start.line + 1))
                    .collect();
                self.say(&names.join("\n"));
            }
        }
    }

    /// Shows a text.
    pub(super) fn say(&self, message: &str) {
        let params = ShowMessageParams::new(MessageType::Info, message.to_owned());
        self.notify("window/showMessage", json!(params));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_lens_without_a_place_says_so() {
        let sent = Rc::new(RefCell::new(Vec::new()));
        let into = Rc::clone(&sent);
        let mut client = Client::new(move |message| into.borrow_mut().push(message));
        client.open(&[]);
        let sent = sent.borrow();
        let [Message::Notification(shown)] = sent.as_slice() else {
            panic!("{sent:?}");
        };
        let text = "There is no such place in the sources.";
        assert_eq!(shown.params["message"], text);
    }
}
