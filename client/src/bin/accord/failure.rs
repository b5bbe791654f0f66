//! Errors of commands: a sentence, what to do, and an exit code by kind.

use crate::confirm::NotConfirmed;
use crate::output::{Closed, note};
use accord_client::{
    Buffered, CredentialsError, Failure, LoginError, OperationError, ReplyError,
    reqwest::{self, header::HeaderMap},
};
use serde_json::{Value, json};
use std::borrow::Cow;
use thiserror::Error;

/// The error code of a wrong command line.
const USAGE: &str = "usage";
/// The error code of a stream that ended early.
const INTERRUPTED: &str = "interrupted";

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
#[derive(Debug, Error)]
#[error("{words}")]
struct Failed {
    status: Option<u16>,
    /// The error code of the service, or of a stream.
    code: Option<String>,
    request_id: Option<String>,
    /// Whether a later attempt may succeed.
    is_transient: bool,
    cause: Cause,
    words: String,
    /// Where the user is logged in, if not at the service in use.
    logins: Option<Elsewhere>,
}

/// The service in use, and the services that the user is logged in to.
#[derive(Debug)]
pub struct Elsewhere {
    pub here: String,
    pub services: Vec<String>,
    /// The option that chooses another one.
    pub option: &'static str,
}

/// A cause that a user can remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Nobody is logged in, or no longer.
    NoLogin,
    /// There is no API key.
    NoApiKey,
    /// There are no credentials of a confidential client.
    NoClient,
    /// The service rejects the secret of the API key.
    InvalidApiKey,
    /// No connection could be opened.
    Unreachable,
    Other,
}

impl Cause {
    fn of(error: &dyn OperationError) -> Self {
        match CredentialsError::of(error) {
            Some(reason) if reason.needs_login() => Self::NoLogin,
            Some(CredentialsError::NoApiKey { .. }) => Self::NoApiKey,
            Some(CredentialsError::NoClientCredentials { .. }) => Self::NoClient,
            Some(CredentialsError::Refresh(error)) if error.is_unreachable() => Self::Unreachable,
            None if error.is_unreachable() => Self::Unreachable,
            None if is_invalid_api_key(error) => Self::InvalidApiKey,
            _ => Self::Other,
        }
    }
}

/// Whether the inference area rejects the API key: the code of its document.
fn is_invalid_api_key(error: &dyn OperationError) -> bool {
    let body = error.body();
    let code = body.as_ref().and_then(|body| body.pointer("/error/code"));
    code.is_some_and(|code| code == "invalid_api_key")
}

/// Whether a later attempt may succeed.
fn is_transient(error: &dyn OperationError) -> bool {
    let missing = CredentialsError::of(error);
    missing.map_or(error.is_retryable(), CredentialsError::is_transient)
}

impl Failed {
    /// An error without a response.
    fn unsent(words: &str) -> Self {
        Self {
            status: None,
            code: None,
            request_id: None,
            is_transient: false,
            cause: Cause::Other,
            words: words.to_owned(),
            logins: None,
        }
    }

    /// The code of an event. The words of a response end with its code.
    fn code_of_event(&self) -> Option<&str> {
        let code = self.code.as_deref().filter(|_| self.status.is_none());
        code.filter(|code| *code != INTERRUPTED)
    }

    fn of(error: &dyn OperationError, words: String) -> Self {
        Self {
            status: error.status().map(|status| status.as_u16()),
            code: match error.failure() {
                Some(Failure::Interrupted { .. }) => Some(INTERRUPTED.to_owned()),
                _ => error.body().as_ref().and_then(code_of),
            },
            request_id: error.request_id().map(str::to_owned),
            is_transient: is_transient(error),
            cause: Cause::of(error),
            words,
            logins: None,
        }
    }
}

/// The error code in the body of an error, in the shapes of the four documents.
fn code_of(body: &Value) -> Option<String> {
    let pointers = ["/error/code", "/code", "/errorCode", "/error"];
    let text = |pointer: &&str| body.pointer(pointer).and_then(Value::as_str);
    pointers.iter().find_map(text).map(str::to_owned)
}

/// Converts an error of an operation into one of a command.
pub fn failed<E: OperationError>(error: E) -> anyhow::Error {
    let words = accord_client::explain(&error);
    Failed::of(&error, words).into()
}

/// Converts the error of a login into one of a command.
pub fn of_login(error: LoginError) -> anyhow::Error {
    let words = error.to_string();
    let failed = match &error {
        LoginError::Start(cause) => Failed::of(&**cause, words),
        LoginError::Token(cause) => Failed::of(&**cause, words),
        LoginError::Revoke(cause) => Failed::of(&**cause, words),
        _ => Failed::unsent(&words),
    };
    failed.into()
}

/// The error of a command that needs a login.
pub fn without_login() -> anyhow::Error {
    let failed = Failed {
        cause: Cause::NoLogin,
        ..Failed::unsent("nobody is logged in")
    };
    failed.into()
}

/// Adds to an error for lack of a login where the user is logged in.
pub fn add_logins(error: &mut anyhow::Error, find: impl FnOnce() -> Option<Elsewhere>) {
    if let Some(failed) = error.downcast_mut::<Failed>()
        && failed.cause == Cause::NoLogin
    {
        failed.logins = find();
    }
}

/// Arguments that do not fit together.
#[derive(Debug, Error)]
#[error("{0}")]
struct Usage(String);

/// The error of arguments that do not fit together.
pub fn usage(words: impl Into<String>) -> anyhow::Error {
    Usage(words.into()).into()
}

/// The error of a response that the command has shown.
pub fn of_shown(response: Buffered) -> anyhow::Error {
    let words = format!("the service responded with {}", response.status);
    Failed::of(&response.unlisted(), words).into()
}

/// The error of a response that was interrupted within its body, whose beginning the command has shown.
pub fn of_interrupted(error: reqwest::Error, headers: &HeaderMap) -> anyhow::Error {
    // A query may have secrets.
    let error = anyhow::Error::new(error.without_url()).context("the response was interrupted");
    let failed = Failed {
        code: Some(INTERRUPTED.to_owned()),
        request_id: request_id(headers),
        is_transient: true,
        ..Failed::unsent(&reasons(&error))
    };
    failed.into()
}

/// The error of a reply that arrives as a stream, with the headers of its response.
pub fn of_reply(error: ReplyError, headers: &HeaderMap) -> anyhow::Error {
    let is_transient = error.is_retryable();
    let (code, words) = match error {
        ReplyError::Stream(error) => (INTERRUPTED.to_owned(), reasons(&error.into())),
        ReplyError::Model { code, message } => {
            let message = message.as_deref().unwrap_or("the model gives no reason");
            let words = format!("the response was interrupted: {message}");
            (code.unwrap_or_else(|| "model_failed".to_owned()), words)
        }
        error => return error.into(),
    };
    let failed = Failed {
        code: Some(code),
        request_id: request_id(headers),
        is_transient,
        ..Failed::unsent(&words)
    };
    failed.into()
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("accord-request-id")?.to_str().ok()?;
    Some(id.to_owned())
}

/// Writes the error of the command line to the standard error, as JSON if an argument requests it. Returns the exit
/// code. Help and version end with 0, and go to the standard output.
pub fn report_usage(error: &clap::Error, as_json: bool) -> i32 {
    if as_json && error.use_stderr() {
        print_json(&words_of(error), USAGE, None);
    } else {
        // A closed terminal cannot show it.
        let _ = error.print();
    }
    error.exit_code()
}

/// The words of an error of the command line, without the usage.
fn words_of(error: &clap::Error) -> String {
    use clap::error::ErrorKind::{DisplayHelpOnMissingArgumentOrSubcommand, MissingSubcommand};
    if let DisplayHelpOnMissingArgumentOrSubcommand | MissingSubcommand = error.kind() {
        return "the command is incomplete; --help lists the rest".to_owned();
    }
    let text = error.render().to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text.split("\n\nFor more information").next();
    let text = text.unwrap_or_default().trim_start_matches("error: ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn print_json(words: &str, code: &str, failed: Option<&Failed>) {
    let error = json!({
        "status": failed.and_then(|failed| failed.status),
        "code": code,
        "message": words,
        "requestId": failed.and_then(|failed| failed.request_id.as_deref()),
        "hint": failed.and_then(hint),
    });
    note(json!({ "error": error }));
}

/// Writes an error to the standard error, as JSON or as text with a hint. Returns the exit code.
pub fn report(error: &anyhow::Error, as_json: bool) -> i32 {
    if error.is::<Closed>() {
        return 0;
    }
    let known = error.downcast_ref::<Failed>();
    let words = reasons(error);
    if as_json {
        print_json(&words, &code(error), known);
    } else {
        match known.and_then(Failed::code_of_event) {
            Some(code) => note(format!("error: {words} ({code})")),
            None => note(format!("error: {words}")),
        }
        if let Some(hint) = known.and_then(hint) {
            note(format!("hint: {hint}"));
        }
        if let Some(id) = known.and_then(|failed| failed.request_id.as_deref()) {
            note(format!("request: {id}"));
        }
    }
    match is_usage(error) {
        true => WRONG,
        false => known.map_or(OTHER, exit_code),
    }
}

/// Whether the command line is wrong, or lacks `--yes`.
fn is_usage(error: &anyhow::Error) -> bool {
    let unconfirmed = error.downcast_ref();
    error.is::<Usage>() || matches!(unconfirmed, Some(NotConfirmed::NoTerminal(_)))
}

/// The error code: that of the service, else one of the command.
fn code(error: &anyhow::Error) -> String {
    if is_usage(error) {
        return USAGE.to_owned();
    }
    if error.is::<NotConfirmed>() {
        return "declined".to_owned();
    }
    let Some(failed) = error.downcast_ref::<Failed>() else {
        return "failed".to_owned();
    };
    match (&failed.code, failed.status) {
        (Some(code), _) => code.clone(),
        (None, Some(status)) => format!("http_{status}"),
        (None, None) => match failed.cause {
            Cause::NoLogin => "not_logged_in",
            Cause::NoApiKey => "no_api_key",
            Cause::NoClient => "no_client",
            _ if exit_code(failed) == UNAVAILABLE => "unavailable",
            _ => "failed",
        }
        .to_owned(),
    }
}

fn exit_code(failed: &Failed) -> i32 {
    match failed.status {
        Some(401 | 403) => NOT_ALLOWED,
        Some(404 | 410) => NOT_FOUND,
        Some(409 | 412) => CONFLICT,
        _ if failed.is_transient => UNAVAILABLE,
        _ => match failed.cause {
            Cause::NoLogin | Cause::NoApiKey | Cause::NoClient => NOT_ALLOWED,
            Cause::Unreachable => UNAVAILABLE,
            Cause::InvalidApiKey | Cause::Other => OTHER,
        },
    }
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
fn hint(failed: &Failed) -> Option<Cow<'static, str>> {
    if let Some(Elsewhere {
        here,
        services,
        option,
    }) = &failed.logins
    {
        let services = services.join(", ");
        let hint = format!(
            "run `accord login` for {here}, or choose a service with a login by {option}: {services}"
        );
        return Some(hint.into());
    }
    fixed_hint(failed).map(Cow::Borrowed)
}

/// A hint that only depends on the kind of an error.
fn fixed_hint(failed: &Failed) -> Option<&'static str> {
    Some(match (failed.cause, failed.status) {
        (Cause::NoLogin, _) => "run `accord login`",
        (Cause::NoApiKey, _) => {
            "set one with --api-key or ACCORD_API_KEY; `accord keys create --save` creates one"
        }
        (Cause::NoClient, _) => {
            "set a confidential client with --client-id and --client-secret-file"
        }
        (Cause::Unreachable, _) => {
            "set the address of the service with --url, ACCORD_URL or `accord config set url`"
        }
        (Cause::InvalidApiKey, _) => {
            "is the secret ACTIVE? `accord keys list` shows it; `accord keys forget` forgets a saved one"
        }
        (Cause::Other, Some(401)) => "run `accord login`, as a user who may do this",
        (Cause::Other, Some(403)) => {
            "the login lacks a scope, or the key a policy; `accord whoami` shows the scopes"
        }
        (Cause::Other, Some(412)) => "it has changed since you read it; read it again",
        (Cause::Other, Some(429 | 503)) => "wait a little and try again",
        (Cause::Other, _) => return None,
    })
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
        for (status, is_transient, cause, expected) in [
            (None, false, Cause::NoLogin, 3),
            (None, false, Cause::NoApiKey, 3),
            (None, true, Cause::Unreachable, 6),
            (None, false, Cause::Other, 1),
            (Some(400), false, Cause::Other, 1),
            (Some(401), false, Cause::InvalidApiKey, 3),
            (Some(403), false, Cause::Other, 3),
            (Some(404), false, Cause::Other, 4),
            (Some(412), false, Cause::Other, 5),
            (Some(429), true, Cause::Other, 6),
            (Some(501), false, Cause::Other, 1),
            (Some(503), true, Cause::Other, 6),
        ] {
            let failed = Failed {
                status,
                is_transient,
                cause,
                ..Failed::unsent("")
            };
            assert_eq!(exit_code(&failed), expected, "{failed:?}");
        }
    }
}
