//! Errors of commands: a sentence, what to do, and an exit code by kind.

use crate::confirm::NotConfirmed;
use crate::output::Closed;
use accord_client::{Buffered, LoginError, OperationError};
use serde_json::json;
use std::fmt::{self, Display};

/// The exit code of a command that failed for another reason than those below.
const OTHER: i32 = 1;
/// The exit code of a wrong command line, as clap has it.
pub const WRONG: i32 = 2;
/// The exit code without a login or a credential, or when it may not do this.
const NOT_ALLOWED: i32 = 3;
/// The exit code when something does not exist.
const NOT_FOUND: i32 = 4;
/// The exit code when something exists already, or has changed.
const CONFLICT: i32 = 5;
/// The exit code when the service cannot be reached, or cannot do it now.
const UNAVAILABLE: i32 = 6;

/// An operation that failed.
#[derive(Debug)]
struct Failed {
    status: Option<u16>,
    request_id: Option<String>,
    /// Whether a later attempt may succeed.
    is_transient: bool,
    words: String,
}

impl Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Failed {}

/// Converts an error of an operation into one of a command.
pub fn failed<E: OperationError>(error: E) -> anyhow::Error {
    anyhow::Error::new(Failed {
        status: error.status().map(|status| status.as_u16()),
        request_id: error.request_id().map(str::to_owned),
        is_transient: error.is_retryable(),
        words: accord_client::explain(&error),
    })
}

/// Converts the error of a login into one of a command.
pub fn of_login(error: LoginError) -> anyhow::Error {
    let cause: Option<&dyn OperationError> = match &error {
        LoginError::Start(cause) => Some(&**cause),
        LoginError::Token(cause) => Some(&**cause),
        LoginError::Revoke(cause) => Some(&**cause),
        _ => None,
    };
    let request_id = cause.and_then(|cause| cause.request_id());
    anyhow::Error::new(Failed {
        status: cause
            .and_then(|cause| cause.status())
            .map(|status| status.as_u16()),
        request_id: request_id.map(str::to_owned),
        is_transient: cause.is_some_and(|cause| cause.is_retryable()),
        words: error.to_string(),
    })
}

/// The error of a command that needs a login.
pub fn without_login() -> anyhow::Error {
    anyhow::Error::new(Failed {
        status: None,
        request_id: None,
        is_transient: false,
        words: "nobody is logged in".to_owned(),
    })
}

/// The error of a response that the command has shown.
pub fn of_shown(response: Buffered) -> anyhow::Error {
    let shown = response.status;
    let failure = response.unlisted();
    anyhow::Error::new(Failed {
        status: Some(shown.as_u16()),
        request_id: failure.request_id().map(str::to_owned),
        is_transient: failure.is_retryable(),
        words: format!("the service responded with {shown}"),
    })
}

/// Writes an error to the standard error, as JSON or as text with a hint. Returns the exit code.
pub fn report(error: &anyhow::Error, as_json: bool) -> i32 {
    if error.is::<Closed>() {
        return 0;
    }
    let known = error.downcast_ref::<Failed>();
    let request_id = known.and_then(|failed| failed.request_id.as_deref());
    let (words, hint) = (reasons(error), known.and_then(hint));
    if as_json {
        let status = known.and_then(|failed| failed.status);
        let error =
            json!({"message": words, "status": status, "requestId": request_id, "hint": hint});
        eprintln!("{}", json!({ "error": error }));
    } else {
        eprintln!("error: {words}");
        if let Some(hint) = hint {
            eprintln!("hint: {hint}");
        }
        if let Some(id) = request_id {
            eprintln!("request: {id}");
        }
    }
    match error.downcast_ref() {
        Some(NotConfirmed::NoTerminal(_)) => WRONG,
        _ => known.map_or(OTHER, code),
    }
}

fn code(failed: &Failed) -> i32 {
    match failed.status {
        Some(401 | 403) => NOT_ALLOWED,
        Some(404 | 410) => NOT_FOUND,
        Some(409 | 412) => CONFLICT,
        _ if failed.is_transient => UNAVAILABLE,
        // Also the service of a login that is refreshed.
        None if failed.words.contains("cannot be reached") => UNAVAILABLE,
        None if is_without_login(failed) => NOT_ALLOWED,
        _ => OTHER,
    }
}

/// Whether the client has sent nothing, since it has no credential.
fn is_without_login(failed: &Failed) -> bool {
    [
        "nobody is logged in",
        "log in again",
        "secret of an API key",
    ]
    .iter()
    .any(|words| failed.words.contains(words))
}

/// An error and its causes, each text once.
fn reasons(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// A hint how to solve an error.
fn hint(failed: &Failed) -> Option<&'static str> {
    match failed.status {
        None if failed.words.contains("nobody is logged in") => Some("run `accord login`"),
        None if failed.words.contains("log in again") => Some("run `accord login`"),
        None if failed.words.contains("secret of an API key") => {
            Some("set one with --api-key or ACCORD_API_KEY; `accord keys create` creates one")
        }
        None if failed.words.contains("cannot be reached") => {
            Some("set the address of the service with --url or ACCORD_URL")
        }
        Some(401) if failed.words.contains("API key") => {
            Some("is the secret ACTIVE? `accord keys list` shows it")
        }
        Some(401) => Some("run `accord login`, as a user who may do this"),
        Some(403) => {
            Some("the login lacks a scope, or the key a policy; `accord whoami` shows the scopes")
        }
        Some(412) => Some("it has changed since you read it; read it again"),
        Some(429 | 503) => Some("wait a little and try again"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_is_shown_once() {
        let cause = anyhow::anyhow!("EOF at column 11");
        let error = cause.context("an event is not readable: EOF at column 11");
        let error = error.context("the chat was interrupted");
        assert_eq!(
            reasons(&error),
            "the chat was interrupted: an event is not readable: EOF at column 11"
        );
    }

    #[test]
    fn the_exit_code_says_the_kind() {
        let unsent = "a call needs an access token, and nobody is logged in";
        for (status, is_transient, words, expected) in [
            (None, false, unsent, 3),
            (None, true, "http://127.0.0.1:1 cannot be reached", 6),
            (None, false, "the request cannot be made: no such path", 1),
            (Some(400), false, "", 1),
            (Some(403), false, "", 3),
            (Some(404), false, "", 4),
            (Some(412), false, "", 5),
            (Some(429), true, "", 6),
            (Some(501), false, "", 1),
            (Some(503), true, "", 6),
        ] {
            let failed = Failed {
                status,
                request_id: None,
                is_transient,
                words: words.to_owned(),
            };
            assert_eq!(code(&failed), expected, "{failed:?}");
        }
    }
}
