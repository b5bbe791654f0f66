//! Sends the requests of one case, and collects their problems.

use bytes::Bytes;
use http::{Response, StatusCode};
use serde_json::Value;

use super::sample::Sample;
use super::subject::Subject;
use crate::guard;
use crate::reply::{Reply, ReplyBody};
use crate::table::{Api, Operation, Requirement, Scheme};

/// A run of one case with one operation.
pub(super) struct Trial<'s, S: ?Sized> {
    pub(super) api: &'static Api,
    pub(super) document: &'s Value,
    pub(super) operation: &'static Operation,
    pub(super) subject: &'s S,
    pub(super) requests: usize,
    /// Whether a prototype does not implement the method, or the check of its client certificates.
    pub(super) is_unwritten: bool,
    pub(super) problems: Vec<String>,
}

impl<S: Subject + ?Sized> Trial<'_, S> {
    /// Sends a request, if it can be sent, and compares the response with the document. `what`
    /// describes the request for people.
    pub(super) fn send(&mut self, what: &str, sample: &Sample) -> Option<Response<Bytes>> {
        let request = sample.request().ok()?;
        self.requests += 1;
        let method = request.method().clone();
        let response = match self.subject.send(request) {
            Ok(response) => response,
            Err(error) => {
                self.problems.push(format!("{what}: no response: {error}"));
                return None;
            }
        };
        let status = response.status();
        if self.api.is_prototype {
            let admits_nobody = status == StatusCode::UNAUTHORIZED && self.needs_certificate();
            if status == StatusCode::NOT_IMPLEMENTED || admits_nobody {
                self.is_unwritten = true;
                return None;
            }
            // A prototype does not have its error bodies yet.
            if status.is_client_error() {
                return Some(response);
            }
        }
        let listed = match (status, self.operation.method_not_allowed) {
            // The document does not describe this status.
            (StatusCode::METHOD_NOT_ALLOWED, None) => return Some(response),
            (StatusCode::METHOD_NOT_ALLOWED, listed) => listed,
            (status, _) => self.operation.response(status),
        };
        if listed.is_none()
            && !status.is_server_error()
            && self.subject.accepts_unlisted(self.operation, status)
        {
            return Some(response);
        }
        let reply = Reply {
            status,
            headers: response.headers().clone(),
            body: ReplyBody::Whole(response.body().clone()),
            fault: None,
        };
        let (findings, _) = guard::inspect(listed, &method, &reply);
        for finding in &findings {
            self.problems
                .push(format!("{what}: status {}: {finding}", status.as_u16()));
        }
        if status.is_server_error() {
            self.problems.push(format!("{what}: status {status}"));
        }
        Some(response)
    }

    /// Whether nobody may call the operation without a client certificate.
    fn needs_certificate(&self) -> bool {
        let requirements = self.operation.security;
        let has_certificate = |requirement: &Requirement| {
            let mut all = requirement.all.iter();
            all.any(|used| used.scheme == Scheme::MutualTls)
        };
        !requirements.is_empty() && requirements.iter().all(has_certificate)
    }

    /// Reports an unexpected response.
    pub(super) fn unexpected(&mut self, what: &str, expected: &str, response: &Response<Bytes>) {
        let body = String::from_utf8_lossy(response.body());
        let body: String = body.chars().take(300).collect();
        self.problems.push(format!(
            "{what}: expected {expected}, got {}: {body}",
            response.status()
        ));
    }
}
