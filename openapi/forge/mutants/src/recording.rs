//! A file with the decisions of a server about the requests of its tests: a line of JSON for each decision.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The environment variable that names the file to which tests record.
pub const VARIABLE: &str = "DROPFORGE_RECORD";

/// A line of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The id of the operation.
    pub operation: String,
    /// The path of the operation, with the base path of its document.
    pub path: String,
    /// The decision.
    pub verdict: Verdict,
}

/// One decision of a server about a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The server has checked the value of a part.
    Value {
        /// The part.
        part: Part,
        /// Its value.
        value: Value,
        /// Whether the server has accepted the value.
        valid: bool,
    },
    /// A request did not have a part.
    Absent {
        /// The part.
        part: Part,
        /// Whether the server has accepted the request without the part.
        valid: bool,
    },
    /// The server has checked the credentials of the caller.
    Caller(Caller),
}

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The parameter of this name.
    Parameter(String),
    /// The body, with its media type, which is empty if the body is absent.
    Body(String),
}

/// The credentials of a request, and whether they were accepted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Caller {
    /// The scheme of the header `Authorization`, such as `basic` or `bearer`. `None` without this header.
    pub presented: Option<String>,
    /// Why the server rejected the caller. `None` if it did not.
    pub refused: Option<Refusal>,
}

/// Why a caller was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Refusal {
    /// The request has no credentials.
    Missing,
    /// The credentials are not valid.
    Unauthenticated,
    /// The credentials do not suffice for the operation.
    Forbidden,
}

/// Writes a recording.
#[derive(Debug)]
pub struct Recorder(Mutex<File>);

impl Recorder {
    /// Appends to the file that [`VARIABLE`] names. `None` without the variable, or if the file cannot be written.
    pub fn from_environment() -> Option<Recorder> {
        let path = std::env::var_os(VARIABLE)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.ok().map(|file| Recorder(Mutex::new(file)))
    }

    /// Writes an entry. An entry that cannot be written is left out.
    pub fn record(&self, entry: &Entry) {
        if let (Ok(mut file), Ok(line)) = (self.0.lock(), serde_json::to_string(entry)) {
            // A single write, so that programs that run at the same time do not mix their lines.
            _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}
