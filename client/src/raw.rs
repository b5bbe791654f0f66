//! Requests that the generated clients do not have: an operation of a newer service, or a representation of one's own.

use crate::{Accord, areas};
use dropforge_client::{Failure, Operation, Requirement, Scheme, SchemeKind, Session, execute};
use progenitor_client::{ClientInfo, Error};
use reqwest::{
    Method, RequestBuilder, Response,
    header::{ACCEPT, HeaderMap, HeaderName, HeaderValue},
};
use serde::Serialize;
use std::{cmp::Reverse, fmt};

/// An area of the service, which is one OpenAPI document. Each but identity has a feature of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Area {
    /// Users, organizations and application instances.
    #[cfg(feature = "accounts")]
    Accounts,
    /// Device authorization and tokens.
    Identity,
    /// API keys, chat completions and responses.
    #[cfg(feature = "inference")]
    Inference,
    /// Agent patterns of a project.
    #[cfg(feature = "patterns")]
    Patterns,
}

/// The credential that a raw request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CredentialKind {
    /// None.
    None,
    /// The access token: of the login, or the given one.
    AccessToken,
    /// The secret of the API key.
    ApiKey,
    /// Identifier and secret of the confidential client.
    Client,
}

/// A request of any method and path, sent as the generated operations are: with credentials, deadlines and retries.
#[must_use = "a request is sent by `send`"]
pub struct RawRequest {
    operation: &'static Operation,
    /// The variant of the operation whose response is an event stream.
    events: Option<&'static Operation>,
    client: reqwest::Client,
    session: Session,
    request: RequestBuilder,
}

impl Accord {
    /// Starts a request of any method to a path of an area. The path begins behind the area's prefix, as in its
    /// document: `/apikeys`.
    ///
    /// If the area's document has the operation, its credential is sent, and its retries apply. Otherwise the request
    /// carries the access token, unless [`RawRequest::credential`] says something else. Deadlines limit the whole
    /// response. With the header `Accept: text/event-stream`, they limit only the beginning of an operation's stream.
    ///
    /// ```no_run
    /// # async fn example(accord: accord_client::Accord) -> Result<(), Box<dyn std::error::Error>> {
    /// use accord_client::{Area, reqwest::Method};
    ///
    /// let response = accord
    ///     .request(Method::GET, Area::Inference, "/apikeys")
    ///     .query(&[("compartmentId", "compartment.demo")])
    ///     .send()
    ///     .await?;
    /// println!("{} {}", response.status(), response.text().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn request(&self, method: Method, area: Area, path: &str) -> RawRequest {
        macro_rules! area {
            ($area:ident) => {
                (
                    self.$area.baseurl(),
                    self.$area.client(),
                    areas::$area::OPERATIONS,
                )
            };
        }
        let (base, client, operations): (&str, &reqwest::Client, &'static [Operation]) = match area
        {
            #[cfg(feature = "accounts")]
            Area::Accounts => area!(accounts),
            Area::Identity => area!(identity),
            #[cfg(feature = "inference")]
            Area::Inference => area!(inference),
            #[cfg(feature = "patterns")]
            Area::Patterns => area!(patterns),
        };
        // The path cannot become a part of the host.
        let path = path.trim_start_matches('/');
        let request = client.request(method.clone(), format!("{base}/{path}"));
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let known = operations
            .iter()
            .filter(|operation| operation.method == method.as_str())
            .filter_map(|operation| Some((literals(operation.path, path)?, operation)))
            // The plain variant of an operation comes before that with events.
            .min_by_key(|(literals, _)| Reverse(*literals));
        let known = known.map(|(_, operation)| operation);
        let mut streams = operations.iter().filter(|operation| operation.streams);
        let mut transport = self.transport.clone();
        transport.is_whole = false;
        RawRequest {
            operation: known.unwrap_or(&WITH_TOKEN),
            events: streams.find(|other| known.is_some_and(|known| known.id == other.id)),
            client: client.clone(),
            session: transport.session(),
            request,
        }
    }
}

impl RawRequest {
    /// Sends this credential. If the document's operation takes another one, the request counts as one of no document:
    /// only its method decides whether it may be repeated.
    pub fn credential(mut self, kind: CredentialKind) -> Self {
        let other = match kind {
            CredentialKind::None => &WITHOUT_CREDENTIAL,
            CredentialKind::AccessToken => &WITH_TOKEN,
            CredentialKind::ApiKey => &WITH_API_KEY,
            CredentialKind::Client => &AS_CLIENT,
        };
        if schemes(self.operation) != schemes(other) {
            self.operation = other;
            self.events = None;
        }
        self
    }

    /// Adds parameters to the query.
    pub fn query(self, parameters: &(impl Serialize + ?Sized)) -> Self {
        self.map(|request| request.query(parameters))
    }

    /// Sets a header. It may have a secret, so `Debug` omits its value.
    pub fn header(self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        let headers = HeaderMap::from_iter([(name, value)]);
        self.map(|request| request.headers(headers))
    }

    /// Sends a body of JSON, with its `Content-Type` unless [`header`](Self::header) has set one.
    pub fn json(self, body: &(impl Serialize + ?Sized)) -> Self {
        self.map(|request| request.json(body))
    }

    /// Sends a body of these bytes. `Content-Type` is a header.
    pub fn body(self, body: impl Into<reqwest::Body>) -> Self {
        self.map(|request| request.body(body))
    }

    /// Sends the request, and returns the response, of any status.
    ///
    /// # Errors
    ///
    /// When the credential is missing, or the request cannot be sent.
    pub async fn send(self) -> Result<Response, Failure> {
        let request = self.request.build();
        let request =
            request.map_err(|error| Failure::Request(Error::InvalidRequest(error.to_string())))?;
        let accept = request.headers().get(ACCEPT);
        let operation = match (self.events, accept) {
            (Some(events), Some(accept)) if accept == "text/event-stream" => events,
            _ => self.operation,
        };
        match execute(&self.session, &self.client, request, operation).await {
            Ok(response) => Ok(response),
            Err(error) => Err(Failure::of(Error::<()>::CommunicationError(error)).await),
        }
    }

    fn map(mut self, change: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        self.request = change(self.request);
        self
    }
}

/// The operation only: paths, queries and bodies may have secrets.
impl fmt::Debug for RawRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawRequest")
            .field("operation", &self.operation.id)
            .finish_non_exhaustive()
    }
}

/// The kinds of credentials of each alternative of an operation.
fn schemes(operation: &Operation) -> Vec<Vec<&str>> {
    let alternatives = operation.security.iter();
    let schemes = |all: &&[Requirement]| all.iter().map(|one| one.scheme.name).collect();
    alternatives.map(schemes).collect()
}

/// The number of literal segments of a path's template; `None` if the path does not match it.
fn literals(template: &str, path: &str) -> Option<usize> {
    let segments = |path: &'_ str| path.trim_matches('/').split('/').count();
    if segments(template) != segments(path) {
        return None;
    }
    let mut literals = 0;
    let pairs = template
        .trim_matches('/')
        .split('/')
        .zip(path.trim_matches('/').split('/'));
    for (wanted, given) in pairs {
        if wanted == given {
            literals += 1;
        } else if !wanted.contains('{') {
            return None;
        }
    }
    Some(literals)
}

static TOKEN: Scheme = Scheme::new("accessToken", SchemeKind::Bearer);

static API_KEY: Scheme = Scheme::new(crate::credentials::API_KEY_SCHEME, SchemeKind::Bearer);

static CLIENT: Scheme = Scheme::new("clientBasic", SchemeKind::Basic);

static WITHOUT_CREDENTIAL: Operation = raw(&[]);
static WITH_TOKEN: Operation = raw(&[&[requirement(&TOKEN)]]);
static WITH_API_KEY: Operation = raw(&[&[requirement(&API_KEY)]]);
static AS_CLIENT: Operation = raw(&[&[requirement(&CLIENT)]]);

const fn requirement(scheme: &'static Scheme) -> Requirement {
    let scopes = &[];
    Requirement::new(scheme, scopes)
}

/// An operation of no document.
const fn raw(security: &'static [&'static [Requirement]]) -> Operation {
    Operation::new("request", "", "")
        .with_security(security)
        .with_request_ids(&["accord-request-id"])
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn a_path_belongs_to_the_operation_with_most_of_its_text() {
        assert_eq!(literals("/apikeys/{id}", "apikeys/a"), Some(1));
        assert_eq!(literals("/apikeys/own", "apikeys/own"), Some(2));
        assert_eq!(literals("/apikeys/{id}", "apikeys"), None);
        assert_eq!(literals("/apikeys/{id}", "usage/a"), None);
    }
}
