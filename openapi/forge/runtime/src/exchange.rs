//! One request on its way through a handler: first the caller's credentials, then the parameters
//! and the body, then the call for the implementer.

use dropshot::{Body, ServerContext};
use http::StatusCode;

use crate::accept::Accept;
use crate::body::{self, Incoming};
use crate::call::Call;
use crate::decision::Decision;
use crate::observe::Observe;
use crate::parameters;
use crate::rejection::Rejection;
use crate::request::Request;
use crate::table::{Operation, Status};

/// A request without a response yet.
#[derive(Debug)]
pub struct Exchange<C: ServerContext> {
    call: Call<C>,
    operation: &'static Operation,
    accept: Accept,
    incoming: Incoming,
}

impl<C: Observe + ServerContext> Exchange<C> {
    pub(crate) fn new(
        call: Call<C>,
        operation: &'static Operation,
        request: hyper::Request<Body>,
    ) -> Self {
        let accept = Accept::from_headers(request.headers());
        let (parts, body) = request.into_parts();
        let incoming = Incoming::new(&parts.headers, body, call.body_time());
        Exchange {
            call,
            operation,
            accept,
            incoming,
        }
    }

    /// The call so far; its body is empty until [`Self::read`].
    pub fn call(&self) -> &Call<C> {
        &self.call
    }

    /// The call, for the implementer.
    pub fn into_call(self) -> Call<C> {
        self.call
    }

    /// The media types that the caller accepts.
    pub fn accept(&self) -> &Accept {
        &self.accept
    }

    /// Reads and checks the parameters and the body.
    ///
    /// In this order: `Accept` (406, if the document lists it), the body's media type (415), its
    /// size (413) and its syntax. Then parameters and body are checked against the document, with
    /// all violations together.
    pub async fn read(&mut self) -> Result<Request, Rejection> {
        self.call.decided(Decision::Admitted);
        self.check_accept()?;
        let body = match self.operation.body {
            Some(table) => {
                let limit = self.call.max_body_bytes();
                let body =
                    body::read(table, self.call.headers(), &mut self.incoming, limit).await?;
                self.call.decided(body.decision(table));
                body
            }
            None => body::ParsedBody::absent(),
        };
        self.call.set_body(body.bytes.clone(), body.parts);
        let mut violations = Vec::new();
        let parameters = parameters::read(
            self.operation,
            self.call.uri(),
            self.call.headers(),
            &|decision| self.call.decided(decision),
            &mut violations,
        );
        violations.extend(body.violations);
        if !violations.is_empty() {
            return Err(Rejection::Invalid(violations));
        }
        Ok(Request::new(
            self.operation,
            parameters,
            body.bytes,
            body.content,
        ))
    }

    /// Whether the caller accepts a media type of the operation. If the document has no 406,
    /// `Accept` is a preference and rejects nothing.
    fn check_accept(&self) -> Result<(), Rejection> {
        let listed = self.operation.response(StatusCode::NOT_ACCEPTABLE);
        if listed.is_none() || self.accept.is_any() {
            return Ok(());
        }
        let offered = offered(self.operation);
        if offered.is_empty() || self.accept.best(&offered).is_some() {
            return Ok(());
        }
        Err(Rejection::NotAcceptable { offered })
    }
}

/// The media types of the operation's responses.
pub(crate) fn offered(operation: &Operation) -> Vec<&'static str> {
    let mut offered = Vec::new();
    for response in operation.responses {
        let success = match response.status {
            Status::Code(code) => code < 400,
            Status::Range(digit) => digit < 4,
            Status::Default => false,
        };
        if success {
            for media in response.media {
                if !offered.contains(&media.name) {
                    offered.push(media.name);
                }
            }
        }
    }
    offered
}
