//! An editor, as far as the protocol knows one: it starts the server, and talks to it through
//! standard input and output.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, Response, ResponseError};
use serde_json::{Value, json};

/// How long a test waits for a message.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor with a running server.
pub struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Message>,
    /// Notifications that no test has waited for yet.
    pub notes: Vec<Notification>,
    /// Requests of the server.
    pub asked: Vec<Request>,
    requests: i32,
    version: i32,
}

impl Editor {
    /// Starts a server, and initializes it.
    pub fn start() -> Editor {
        Editor::start_with(&[])
    }

    /// Starts a server with these variables of the environment, and initializes it.
    pub fn start_with(variables: &[(&str, &Path)]) -> Editor {
        let mut editor = Editor::spawn(variables);
        let window = json!({"workDoneProgress": true, "showDocument": {"support": true}});
        let params =
            json!({"processId": null, "rootUri": null, "capabilities": {"window": window}});
        editor.request("initialize", params);
        editor.notify("initialized", json!({}));
        editor
    }

    /// Starts a server that is not initialized.
    pub fn spawn(variables: &[(&str, &Path)]) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("lsp")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(server.stdout.take().expect("an output"));
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Editor {
            input: server.stdin.take().expect("an input"),
            server,
            messages,
            notes: Vec::new(),
            asked: Vec::new(),
            requests: 0,
            version: 0,
        }
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).expect("the server reads");
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Sends a request, and returns its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.try_request(method, params);
        response.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// Sends a request, and returns its result or its error.
    pub fn try_request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        self.requests += 1;
        let id = self.requests.into();
        self.send(Request::new(id, method.to_owned(), params).into());
        loop {
            if let Some(Response {
                response_result, ..
            }) = self.receive(method)
            {
                return response_result;
            }
        }
    }

    /// Receives a message, and keeps it. Returns it if it is a response.
    fn receive(&mut self, awaited: &str) -> Option<Response> {
        let message = self.messages.recv_timeout(PATIENCE);
        match message.unwrap_or_else(|error| panic!("{awaited} does not come: {error}")) {
            Message::Notification(note) => self.notes.push(note),
            Message::Request(request) => {
                let response = Response::new_ok(request.id.clone(), Value::Null);
                self.asked.push(request);
                self.send(response.into());
            }
            Message::Response(response) => return Some(response),
        }
        None
    }

    /// Waits for a notification, and returns its parameters.
    pub fn wait(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let is_awaited = |note: &Notification| note.method == method && is_it(&note.params);
            if let Some(at) = self.notes.iter().position(is_awaited) {
                return self.notes.remove(at).params;
            }
            assert!(
                Instant::now() < deadline,
                "{method} does not come: {:?}",
                self.notes
            );
            self.receive(method);
        }
    }

    /// Waits until the findings in a file are as they should be, and returns them.
    pub fn findings(&mut self, path: &Path, are_right: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let uri = uri(path);
        let params = self.wait("textDocument/publishDiagnostics", |params| {
            let found = params["diagnostics"].as_array().map(Vec::as_slice);
            params["uri"] == *uri && are_right(found.unwrap_or_default())
        });
        params["diagnostics"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    /// Waits for a finding in a file.
    pub fn finding(&mut self, path: &Path, code: &str) -> Value {
        let has_it = |found: &[Value]| found.iter().any(|one| one["code"] == code);
        let found = self.findings(path, has_it);
        let mut found = found.into_iter();
        found.find(|one| one["code"] == code).expect("a finding")
    }

    /// Opens a file with a text that is not saved.
    pub fn open(&mut self, path: &Path, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "yaml", "version": 0, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Replaces the text of an open file.
    pub fn change(&mut self, path: &Path, text: &str) {
        self.version += 1;
        let document = json!({"uri": uri(path), "version": self.version});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"text": text}]}),
        );
    }

    /// Closes a file.
    pub fn close(&mut self, path: &Path) {
        self.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri(path)}}),
        );
    }

    /// Says that a file was saved.
    pub fn save(&mut self, path: &Path) {
        self.notify(
            "textDocument/didSave",
            json!({"textDocument": {"uri": uri(path)}}),
        );
    }

    /// Sends a request about a position in a file.
    pub fn ask(&mut self, method: &str, path: &Path, (line, character): (usize, usize)) -> Value {
        let position = json!({"line": line, "character": character});
        let context = json!({"includeDeclaration": true, "triggerKind": 1});
        let document = json!({"uri": uri(path)});
        let params = json!({"textDocument": document, "position": position, "context": context});
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Repeats a request about a position until its result is right: code is generated, and sources
    /// are read, beside the editor.
    pub fn ask_until(
        &mut self,
        method: &str,
        path: &Path,
        at: (usize, usize),
        is_right: impl Fn(&Value) -> bool,
    ) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let result = self.ask(method, path, at);
            if is_right(&result) {
                return result;
            }
            assert!(Instant::now() < deadline, "{method}: {result:#}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Shuts the server down. Returns its exit code.
    pub fn shut_down(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.exit_code()
    }

    /// Waits until the server has ended.
    pub fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.server.try_wait().expect("a process") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The top of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a parent").to_owned()
}

/// A file of the repository, with its text.
pub fn file(name: &str) -> (PathBuf, String) {
    let path = root().join(name);
    let text = std::fs::read_to_string(&path).expect("a file");
    (path, text)
}

/// The address of a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// The position of a piece of a text, and a number of characters behind its beginning. The text
/// before it on its line must be ASCII.
pub fn position(text: &str, piece: &str, behind: usize) -> (usize, usize) {
    let at = text.find(piece).unwrap_or_else(|| panic!("no {piece}"));
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let (in_piece, column) = match piece[..behind].rfind('\n') {
        Some(last) => (piece[..behind].matches('\n').count(), behind - last - 1),
        None => (0, at - start + behind),
    };
    (line + in_piece, column)
}

/// Replaces a piece of a text, which must be there.
pub fn replaced(text: &str, piece: &str, by: &str) -> String {
    assert!(text.contains(piece), "no {piece}");
    text.replacen(piece, by, 1)
}

/// A text after an edit of the protocol. The line must be ASCII before the edit.
pub fn edited(text: &str, edit: &Value) -> String {
    let offset = |at: &Value| {
        let line = at["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + at["character"].as_u64().expect("a character") as usize
    };
    let range = &edit["range"];
    let (start, end) = (offset(&range["start"]), offset(&range["end"]));
    let new = edit["newText"].as_str().expect("a text");
    format!("{}{new}{}", &text[..start], &text[end..])
}
