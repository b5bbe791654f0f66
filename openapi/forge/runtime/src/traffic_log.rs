//! What requests are judged by, written down while tests run.
//!
//! Whoever changes a document in one place wants to know which tests would notice.
//! Running all of them for each change takes days; but what they send is the same
//! each time, and what a document decides about it can be asked of the changed
//! document alone. So, in debug builds and where `DROPFORGE_RECORD` names a file,
//! each value that was compared with a schema goes there with the verdict, and each
//! request that came in or was turned away, a line of JSON each.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, OnceLock};

use http::{HeaderMap, header};
use serde_json::{Value, json};

use crate::body::ParsedBody;
use crate::denied::Denied;
use crate::rejection::Rejection;
use crate::table::{Operation, Parameter};

/// Where it goes, if anywhere.
fn file() -> Option<&'static Mutex<File>> {
    static FILE: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return None;
    }
    let open = || {
        let path = std::env::var_os("DROPFORGE_RECORD")?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.ok().map(Mutex::new)
    };
    FILE.get_or_init(open).as_ref()
}

fn write(operation: &Operation, entry: impl FnOnce() -> Value) {
    let Some(file) = file() else { return };
    let mut entry = entry();
    entry["operation"] = operation.id.into();
    entry["path"] = operation.path.into();
    let line = format!("{entry}\n");
    if let Ok(mut file) = file.lock() {
        // One write, so that programs side by side do not mix their lines.
        let _ = file.write_all(line.as_bytes());
    }
}

/// A parameter's value, and whether it was good enough.
pub(crate) fn parameter(
    operation: &Operation,
    parameter: &Parameter,
    value: Option<&Value>,
    valid: bool,
) {
    write(operation, || {
        json!({
            "what": "parameter",
            "name": parameter.name,
            "value": value,
            "absent": value.is_none(),
            "valid": valid,
        })
    });
}

/// A request's body, or that there was none.
pub(crate) fn body(operation: &Operation, read: &ParsedBody) {
    let Some(table) = operation.body.filter(|table| !table.lenient) else {
        return;
    };
    write(operation, || {
        let content = read.content.as_ref();
        json!({
            "what": "body",
            "media": content.map(|content| table.media[content.media].name),
            "value": content.and_then(|content| content.value.as_ref()),
            "absent": content.is_none(),
            "valid": read.violations.is_empty(),
        })
    });
}

/// A request whose credentials were good enough.
pub(crate) fn admitted(operation: &Operation, headers: &HeaderMap) {
    write(
        operation,
        || json!({"what": "admitted", "authorization": scheme(headers)}),
    );
}

/// A request whose credentials were not.
pub(crate) fn refused(operation: &Operation, headers: &HeaderMap, rejection: &Rejection) {
    let why = match rejection {
        Rejection::MissingCredentials => "missing",
        Rejection::Denied(Denied::Unauthenticated { .. }) => "unauthenticated",
        Rejection::Denied(Denied::Forbidden { .. }) => "forbidden",
        _ => return,
    };
    write(
        operation,
        || json!({"what": "refused", "why": why, "authorization": scheme(headers)}),
    );
}

/// The scheme that `Authorization` names, in small letters.
fn scheme(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.split(' ').next().map(str::to_ascii_lowercase)
}
