//! The decisions of a server about the requests of its tests, in a file with a line of JSON each.

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
    /// Whether a part may have this value.
    Value {
        /// The part.
        part: Part,
        /// Its value.
        value: Value,
        /// Whether it is valid.
        valid: bool,
    },
    /// Whether a part may be absent.
    Absent {
        /// The part.
        part: Part,
        /// Whether it may.
        valid: bool,
    },
    /// Whether the caller was admitted.
    Caller(Caller),
}

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The parameter of this name.
    Parameter(String),
    /// The body of this media type; no media type if it is absent.
    Body(String),
}

/// How a request stood to the credentials that its operation requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Caller {
    /// `basic`, `bearer`; none if the request had no `Authorization`.
    pub presented: Option<String>,
    /// Why the caller was rejected; none if it was admitted.
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
    /// Appends to the file that [`VARIABLE`] names. None if it names none that can be written.
    pub fn from_environment() -> Option<Recorder> {
        let path = std::env::var_os(VARIABLE)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.ok().map(|file| Recorder(Mutex::new(file)))
    }

    /// Writes an entry.
    pub fn record(&self, entry: &Entry) {
        if let (Ok(mut file), Ok(line)) = (self.0.lock(), serde_json::to_string(entry)) {
            // One write, so that programs side by side do not mix their lines.
            _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}
