//! Contract tests: tests that follow from a document, for the implementer of its trait.
//!
//! The generator writes a macro for each document, such as `accounts_contract_tests!`, with a
//! `#[test]` for each operation and each [`Case`] that applies to it. Each test calls [`run`],
//! which makes requests from the operation's table and examples, and compares the responses
//! with the table. An implementer supplies a [`Subject`], which sends requests and has
//! credentials.
//!
//! Every response must have a status that the document lists, and headers, a media type and a
//! body that are valid. Each case says what else it requires.

mod cases;
mod local;
mod sample;
mod variants;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

pub use local::LocalServer;

use crate::guard;
use crate::reply::{Reply, ReplyBody};
use crate::table::{Api, Operation, Parameter, SchemeUse};

/// A server under test. Its methods block: tests are synchronous.
pub trait Subject {
    /// Sends a request whose target is a path and query.
    ///
    /// # Errors
    ///
    /// Why there is no response.
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String>;

    /// Credentials that a scheme accepts, with these scopes.
    fn credentials(&self, operation: &Operation, used: &SchemeUse) -> Secret;

    /// Valid credentials without the scopes. `None` if the scheme has no scopes.
    fn insufficient(&self, used: &SchemeUse) -> Option<Secret>;

    /// What to send for a parameter instead of the document's example: the identifier of
    /// something that exists.
    fn parameter(&self, operation: &Operation, parameter: &Parameter) -> Option<String> {
        let _ = (operation, parameter);
        None
    }

    /// Whether a response may have a status that the document does not list for the operation.
    /// The runtime refuses requests with 400, 401 and others whether or not the document lists
    /// them. A server error always fails. By default, a document has to list every status that its server returns.
    fn accepts_unlisted(&self, operation: &Operation, status: StatusCode) -> bool {
        let _ = (operation, status);
        false
    }
}

/// Credentials of one scheme.
pub enum Secret {
    /// The token of `Authorization: Bearer`.
    Bearer(String),
    /// User and password of `Authorization: Basic`.
    Basic(String, String),
    /// The value of an API key.
    ApiKey(String),
    /// Nothing in the request: the certificate belongs to the connection.
    MutualTls,
}

/// A kind of test of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Each example of a request is sent.
    Examples,
    /// Each required parameter and property is left out, and refused with a
    /// status between 400 and 499 that is not about credentials.
    Required,
    /// Each value is moved to each bound of its constraints and past it, and to
    /// another type: refused, where the document refuses it, as above.
    Constraints,
    /// A property that the document does not know is added: refused where the
    /// schema says that there are no others, no error otherwise.
    UnknownFields,
    /// A body is sent as another media type, and without any.
    ContentType,
    /// `Accept` admits no media type of the operation: 406 if the document lists it. Otherwise
    /// `Accept` is only a preference.
    Accept,
    /// No credentials: 401.
    NoCredentials,
    /// Malformed credentials: 401.
    MalformedCredentials,
    /// Credentials without the scopes: 403, or 401.
    InsufficientCredentials,
    /// Every method that the path does not have: 405, with the others in `Allow`.
    OtherMethods,
}

/// Runs a case with the operation of this id.
///
/// # Panics
///
/// With every response that violates the document. Also if the document has no such operation,
/// which generated tests exclude.
pub fn run<S: Subject + ?Sized>(api: &'static Api, operation: &str, case: Case, subject: &S) {
    let found = api.operations.iter().find(|known| known.id == operation);
    let Some(operation) = found else {
        panic!("{} has no operation {operation}", api.name);
    };
    let mut trial = Trial {
        api,
        operation,
        subject,
        requests: 0,
        is_unwritten: false,
        problems: Vec::new(),
    };
    trial.case(case);
    let remark = match trial.is_unwritten {
        true => ", and its method is not written yet",
        false => "",
    };
    println!(
        "{}: {case:?}: {} requests{remark}",
        operation.id, trial.requests
    );
    assert!(
        trial.problems.is_empty(),
        "{} of {}:\n  {}",
        operation.id,
        operation.pointer,
        trial.problems.join("\n  ")
    );
}

/// A run of one case with one operation.
struct Trial<'s, S: ?Sized> {
    api: &'static Api,
    operation: &'static Operation,
    subject: &'s S,
    requests: usize,
    /// Whether a response was 501 because the method is not written.
    is_unwritten: bool,
    problems: Vec<String>,
}

impl<S: Subject + ?Sized> Trial<'_, S> {
    /// Sends a request, and compares the response with the document. `what` describes the request
    /// for people.
    fn send(&mut self, what: &str, request: Request<Bytes>) -> Option<Response<Bytes>> {
        self.requests += 1;
        let method = request.method().clone();
        let response = match self.subject.send(request) {
            Ok(response) => response,
            Err(error) => {
                self.problems.push(format!("{what}: no response: {error}"));
                return None;
            }
        };
        if self.api.is_prototype {
            if response.status() == StatusCode::NOT_IMPLEMENTED {
                self.is_unwritten = true;
                return None;
            }
            // A prototype does not have its error bodies yet.
            if response.status().is_client_error() {
                return Some(response);
            }
        }
        let listed = match (response.status(), self.operation.method_not_allowed) {
            // The document does not describe it.
            (StatusCode::METHOD_NOT_ALLOWED, None) => return Some(response),
            (StatusCode::METHOD_NOT_ALLOWED, listed) => listed,
            (status, _) => self.operation.response(status),
        };
        let status = response.status();
        if listed.is_none()
            && !status.is_server_error()
            && self.subject.accepts_unlisted(self.operation, status)
        {
            return Some(response);
        }
        let reply = Reply {
            status: response.status(),
            headers: response.headers().clone(),
            body: ReplyBody::Whole(response.body().clone()),
            fault: None,
        };
        let (findings, _) = guard::inspect(listed, &method, &reply);
        for finding in &findings {
            let status = response.status().as_u16();
            self.problems
                .push(format!("{what}: status {status}: {finding}"));
        }
        if response.status().is_server_error() {
            self.problems
                .push(format!("{what}: status {}", response.status()));
        }
        Some(response)
    }

    /// Reports an unexpected response.
    fn unexpected(&mut self, what: &str, expected: &str, response: &Response<Bytes>) {
        let body = String::from_utf8_lossy(response.body());
        let body: String = body.chars().take(300).collect();
        self.problems.push(format!(
            "{what}: expected {expected}, got {}: {body}",
            response.status()
        ));
    }
}
