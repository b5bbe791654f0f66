//! The descriptions of operations in a generated client.
//!
//! Generated code holds one static [`Operation`] for each method, so that a transport can choose credentials, deadlines
//! and headers without the document.

use crate::Style;
use http::HeaderMap;

/// One operation of a document.
///
/// Generated code and tests write one with [`Operation::new`], and a later version may add fields.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation {
    /// The `operationId` of the document.
    pub id: &'static str,
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// The path of the document, with its variables in braces.
    pub path: &'static str,
    /// The `Accept` header, where progenitor would send none or the wrong one.
    pub accept: Option<&'static str>,
    /// The `Content-Type` header, where progenitor would send the wrong one.
    pub content_type: Option<&'static str>,
    /// Parameters that progenitor cannot put into their places.
    pub parameters: &'static [Parameter],
    /// Whether the JSON that progenitor writes as the body is sent as `application/x-www-form-urlencoded`.
    pub form: bool,
    /// Whether the response is a stream of events, which a deadline for the whole response would end early.
    pub streams: bool,
    /// The alternatives of the document's `security`: every requirement of one alternative must be met. An empty
    /// alternative allows a call without credentials.
    pub security: &'static [&'static [Requirement]],
    /// The names in lower case of the headers by which the service recognizes a repeated request.
    pub idempotency_keys: &'static [&'static str],
    /// The names in lower case of the response headers with the id of the request.
    pub request_ids: &'static [&'static str],
}

/// A parameter that progenitor cannot put into its place.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// The place into which progenitor puts the parameter.
    pub from: Place,
    /// The place that the document defines.
    pub to: Place,
    /// The serialization of the parameter at that place.
    pub form: Form,
}

impl Parameter {
    /// A parameter with these places and this serialization.
    pub const fn new(from: Place, to: Place, form: Form) -> Self {
        Self { from, to, form }
    }
}

/// The serialization of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As one text.
    Text,
    /// As JSON text: the document describes the parameter by `content`.
    Json,
    /// In a style; `true` if each element is written separately (`explode`).
    Styled(Style, bool),
}

/// The place of a parameter, and its name there.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In the path, in place of the marker.
    Path(&'static str, &'static str),
    /// In the query.
    Query(&'static str),
    /// A header.
    Header(&'static str),
    /// In the `Cookie` header.
    Cookie(&'static str),
}

impl Place {
    /// The name of the parameter.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Path(name, _) | Self::Query(name) | Self::Header(name) | Self::Cookie(name) => {
                name
            }
        }
    }
}

/// One security scheme that an operation requires.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirement {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The scopes that the caller's token must have.
    pub scopes: &'static [&'static str],
}

impl Requirement {
    /// A scheme, and the scopes that the caller's token must have.
    pub const fn new(scheme: &'static Scheme, scopes: &'static [&'static str]) -> Self {
        Self { scheme, scopes }
    }
}

/// A security scheme of the document.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scheme {
    /// Its name in `components/securitySchemes`.
    pub name: &'static str,
    /// How a request carries it.
    pub kind: SchemeKind,
}

impl Scheme {
    /// The scheme with this name in `components/securitySchemes`.
    pub const fn new(name: &'static str, kind: SchemeKind) -> Self {
        Self { name, kind }
    }
}

/// How a request carries the credentials of a scheme.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemeKind {
    /// `Authorization: Basic`.
    Basic,
    /// `Authorization: Bearer`; also OAuth 2.0 and OpenID Connect.
    Bearer,
    /// A header of this name.
    Header(&'static str),
    /// A query parameter of this name.
    Query(&'static str),
    /// A cookie of this name.
    Cookie(&'static str),
    /// The client certificate of the connection; the request itself carries nothing.
    MutualTls,
}

impl Operation {
    /// An operation with this `operationId`, method and path. It needs no credentials, and has no features that
    /// progenitor lacks.
    pub const fn new(id: &'static str, method: &'static str, path: &'static str) -> Self {
        Self {
            id,
            method,
            path,
            accept: None,
            content_type: None,
            parameters: &[],
            form: false,
            streams: false,
            security: &[],
            idempotency_keys: &[],
            request_ids: &[],
        }
    }

    /// Sets `accept`.
    pub const fn with_accept(mut self, accept: &'static str) -> Self {
        self.accept = Some(accept);
        self
    }

    /// Sets `content_type`.
    pub const fn with_content_type(mut self, content_type: &'static str) -> Self {
        self.content_type = Some(content_type);
        self
    }

    /// Sets `parameters`.
    pub const fn with_parameters(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }

    /// Sets `form` to true.
    pub const fn with_form(mut self) -> Self {
        self.form = true;
        self
    }

    /// Sets `streams` to true.
    pub const fn with_streams(mut self) -> Self {
        self.streams = true;
        self
    }

    /// Sets `security`.
    pub const fn with_security(mut self, security: &'static [&'static [Requirement]]) -> Self {
        self.security = security;
        self
    }

    /// Sets `idempotency_keys`.
    pub const fn with_idempotency_keys(mut self, names: &'static [&'static str]) -> Self {
        self.idempotency_keys = names;
        self
    }

    /// Sets `request_ids`.
    pub const fn with_request_ids(mut self, names: &'static [&'static str]) -> Self {
        self.request_ids = names;
        self
    }

    /// The id of the request, from the headers of its response that the document marks.
    pub fn request_id<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let mut names = self.request_ids.iter();
        names.find_map(|name| headers.get(*name))?.to_str().ok()
    }

    /// Whether the document allows a call of the operation without credentials.
    pub fn is_public(&self) -> bool {
        self.security.is_empty()
            || self
                .security
                .iter()
                .any(|alternative| alternative.is_empty())
    }

    /// Whether one of the alternatives requires a scheme that `wanted` recognizes.
    pub fn requires(&self, wanted: impl Fn(&Scheme) -> bool) -> bool {
        self.security
            .iter()
            .flat_map(|alternative| alternative.iter())
            .any(|requirement| wanted(requirement.scheme))
    }
}
