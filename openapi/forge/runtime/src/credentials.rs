//! Credentials that a request presents, and the ways in which they can fail.
//!
//! The library reads them (RFC 6750, RFC 7617, and API keys in header, query or cookie). The
//! implementer judges them, through one method per security scheme of the document. Secrets do not
//! print.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use dropshot::ServerContext;
use http::{HeaderMap, Uri, header};

use crate::call::Call;
use crate::denied::Denied;
use crate::rejection::Rejection;
use crate::table::{Operation, ParameterIn, Scheme};
use crate::urlencoded;

/// The token of `Authorization: Bearer` (RFC 6750, section 2.1).
#[derive(Clone, PartialEq, Eq)]
pub struct Bearer(String);

impl Bearer {
    /// A token.
    pub fn new(token: impl Into<String>) -> Self {
        Bearer(token.into())
    }

    /// The token itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

/// User and password of `Authorization: Basic` (RFC 7617).
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    /// The text before the first colon.
    pub user: String,
    /// The text after the first colon.
    pub password: String,
}

impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Basic")
            .field("user", &self.user)
            .field("password", &"…")
            .finish()
    }
}

/// An API key.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key.
    pub fn new(key: impl Into<String>) -> Self {
        ApiKey(key.into())
    }

    /// The key itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

/// The client certificate of mutual TLS. The runtime does not read it: the implementer finds it by
/// [`Call::remote_addr`](crate::Call::remote_addr), or in the header that a trusted proxy sets, and
/// returns [`Denied`] without one. Every request asks the implementer, so that no request counts as
/// authenticated by itself. If the document also admits anonymous callers,
/// [`Denied::Unauthenticated`] makes the caller anonymous; the other denials reject the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MutualTls;

/// Credentials of one kind.
pub trait Credentials: Sized + Send {
    /// The credentials of this kind in a call, if it presents them.
    fn presented<C: ServerContext>(call: &Call<C>, scheme: Scheme) -> Option<Self>;
}

impl Credentials for Bearer {
    fn presented<C: ServerContext>(call: &Call<C>, _: Scheme) -> Option<Self> {
        bearer(call.headers())
    }
}

impl Credentials for Basic {
    fn presented<C: ServerContext>(call: &Call<C>, _: Scheme) -> Option<Self> {
        basic(call.headers())
    }
}

impl Credentials for ApiKey {
    fn presented<C: ServerContext>(call: &Call<C>, scheme: Scheme) -> Option<Self> {
        match scheme {
            Scheme::ApiKey { location, name } => {
                api_key(call.headers(), call.uri(), location, name)
            }
            Scheme::Bearer | Scheme::Basic | Scheme::MutualTls => None,
        }
    }
}

/// Always present: the implementer decides whether the connection has a certificate.
impl Credentials for MutualTls {
    fn presented<C: ServerContext>(_: &Call<C>, _: Scheme) -> Option<Self> {
        Some(MutualTls)
    }
}

/// Whether a call presents the credentials of one alternative of its operation. Whether they are
/// valid is for the implementer to decide.
pub(crate) fn are_presented<C: ServerContext>(call: &Call<C>, operation: &Operation) -> bool {
    let is_presented = |scheme: Scheme| match scheme {
        Scheme::Bearer => Bearer::presented(call, scheme).is_some(),
        Scheme::Basic => Basic::presented(call, scheme).is_some(),
        Scheme::ApiKey { .. } => ApiKey::presented(call, scheme).is_some(),
        Scheme::MutualTls => MutualTls::presented(call, scheme).is_some(),
    };
    let mut alternatives = operation.security.iter();
    operation.security.is_empty()
        || alternatives.any(|one| one.all.iter().all(|used| is_presented(used.scheme)))
}

/// The denials by the alternatives of an operation's security, until one of them admits the caller.
#[derive(Debug, Default)]
pub struct Refusals {
    strongest: Option<Denied>,
}

impl Refusals {
    /// No denials.
    pub fn new() -> Self {
        Refusals::default()
    }

    /// Credentials were presented and rejected.
    pub fn push(&mut self, denied: Denied) {
        self.strongest = self.strongest.take().max(Some(denied));
    }

    /// Adds the implementer's denial of [`MutualTls`]. [`Denied::Unauthenticated`] means that the
    /// caller has no certificate, and is not a rejection. For an invalid certificate in a proxy's
    /// header, implementers return another denial.
    pub fn push_certificate(&mut self, denied: Denied) {
        if !matches!(denied, Denied::Unauthenticated { .. }) {
            self.push(denied);
        }
    }

    /// Whether no presented credentials have been rejected.
    pub fn is_empty(&self) -> bool {
        self.strongest.is_none()
    }

    /// The strongest denial; missing credentials if none were presented. An undecided check
    /// outweighs a forbidden one, since it might have allowed the call.
    pub fn into_rejection(self) -> Rejection {
        match self.strongest {
            Some(denied) => Rejection::Denied(denied),
            None => Rejection::MissingCredentials,
        }
    }
}

/// The credentials of `Authorization` under `scheme`. Two such headers are ambiguous and count as
/// absent.
fn authorization<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next()?.to_str().ok()?;
    if values.next().is_some() {
        return None;
    }
    // `to_str` accepts only ASCII, so every index is a boundary.
    let (named, credentials) = value.trim_ascii().split_at_checked(scheme.len())?;
    let credentials = credentials.strip_prefix(' ')?.trim_ascii();
    (named.eq_ignore_ascii_case(scheme) && !credentials.is_empty()).then_some(credentials)
}

pub(crate) fn bearer(headers: &HeaderMap) -> Option<Bearer> {
    authorization(headers, "bearer").map(Bearer::new)
}

pub(crate) fn basic(headers: &HeaderMap) -> Option<Basic> {
    let encoded = authorization(headers, "basic")?;
    let decoded = STANDARD
        .decode(encoded)
        .or_else(|_| STANDARD_NO_PAD.decode(encoded))
        .ok()?;
    let decoded = String::from_utf8(decoded).ok()?;
    let (user, password) = decoded.split_once(':')?;
    Some(Basic {
        user: user.to_owned(),
        password: password.to_owned(),
    })
}

pub(crate) fn api_key(
    headers: &HeaderMap,
    uri: &Uri,
    location: ParameterIn,
    name: &str,
) -> Option<ApiKey> {
    let key = match location {
        ParameterIn::Header => headers.get(name)?.to_str().ok()?.trim().to_owned(),
        ParameterIn::Query => {
            let mut pairs = urlencoded::pairs(uri.query()?.as_bytes());
            let is_named = |key: &[u8]| urlencoded::decode(key).is_ok_and(|key| key == name);
            let (_, value) = pairs.find(|(key, _)| is_named(key))?;
            urlencoded::decode(value).ok()?.into_owned()
        }
        ParameterIn::Cookie => cookies(headers)
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())?,
        ParameterIn::Path => return None,
    };
    (!key.is_empty()).then(|| ApiKey::new(key))
}

/// Names and values of all `Cookie` headers (RFC 6265, section 5.4). Browsers also send cookies of
/// other bytes than UTF-8, which hide no others.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b';'))
        .filter_map(|pair| std::str::from_utf8(pair).ok()?.split_once('='))
        .map(|(name, value)| {
            let value = value.trim();
            let unquoted = value
                .strip_prefix('"')
                .and_then(|value| value.strip_suffix('"'));
            (name.trim(), unquoted.unwrap_or(value))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, http::HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn the_scheme_of_authorization_is_read_without_case() {
        let given = headers(&[("authorization", "bEaReR  abc.def ")]);
        assert_eq!(bearer(&given), Some(Bearer::new("abc.def")));
        assert_eq!(basic(&given), None);
    }

    #[test]
    fn a_password_may_hold_colons_and_be_unpadded() {
        let given = headers(&[("authorization", "Basic YTpiOmM")]);
        let expected = Basic {
            user: "a".into(),
            password: "b:c".into(),
        };
        assert_eq!(basic(&given), Some(expected));
    }

    #[test]
    fn malformed_or_repeated_authorization_presents_nothing() {
        for given in [
            headers(&[("authorization", "Bearer")]),
            headers(&[("authorization", "Bearer ")]),
            headers(&[("authorization", "Bearera b")]),
            headers(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]),
        ] {
            assert_eq!(bearer(&given), None);
        }
        assert_eq!(basic(&headers(&[("authorization", "Basic !")])), None);
        assert_eq!(basic(&headers(&[("authorization", "Basic YWJj")])), None);
    }

    #[test]
    fn an_api_key_stands_in_header_query_or_cookie() {
        let given = headers(&[("x-key", "h"), ("cookie", "a=1; key=\"c\"")]);
        let uri: Uri = "/x?a=1&key=q%20r".parse().unwrap();
        let read = |location, name| api_key(&given, &uri, location, name);
        assert_eq!(read(ParameterIn::Header, "X-Key"), Some(ApiKey::new("h")));
        assert_eq!(read(ParameterIn::Query, "key"), Some(ApiKey::new("q r")));
        assert_eq!(read(ParameterIn::Cookie, "key"), Some(ApiKey::new("c")));
        assert_eq!(read(ParameterIn::Cookie, "b"), None);
    }

    #[test]
    fn a_cookie_that_is_not_ascii_hides_no_other() {
        let mut given = HeaderMap::new();
        let value = b"other=\xe4; a=\xc3\xa4; key=c";
        let value = http::HeaderValue::from_bytes(value).expect("a header");
        given.append(header::COOKIE, value);
        let found: Vec<_> = cookies(&given).collect();
        assert_eq!(found, [("a", "ä"), ("key", "c")]);
    }

    #[test]
    fn an_api_key_in_the_query_is_decoded_as_other_parameters_are() {
        let read = |uri: &str| {
            let uri: Uri = uri.parse().unwrap();
            api_key(&HeaderMap::new(), &uri, ParameterIn::Query, "a key")
        };
        assert_eq!(read("/?a+key=b%2Bc+d"), Some(ApiKey::new("b+c d")));
        assert_eq!(read("/?a%20key=1&a+key=2"), Some(ApiKey::new("1")));
        for uri in ["/", "/?a+key=%ff", "/?a+key", "/?a+key="] {
            assert_eq!(read(uri), None, "{uri}");
        }
    }

    #[test]
    fn secrets_do_not_print() {
        let basic = Basic {
            user: "ana".into(),
            password: "hidden".into(),
        };
        let printed = format!(
            "{basic:?}{:?}{:?}",
            Bearer::new("hidden"),
            ApiKey::new("hidden")
        );
        assert!(!printed.contains("hidden"), "{printed}");
    }

    #[test]
    fn a_missing_certificate_is_not_a_refusal() {
        let mut refusals = Refusals::new();
        refusals.push_certificate(Denied::unauthenticated("no certificate"));
        assert!(refusals.is_empty());
        refusals.push_certificate(Denied::forbidden("scope"));
        assert!(!refusals.is_empty());
    }

    #[test]
    fn the_strongest_refusal_wins_over_the_order_of_the_alternatives() {
        let mut refusals = Refusals::new();
        refusals.push(Denied::forbidden("scope"));
        refusals.push(Denied::unauthenticated("expired"));
        assert_eq!(
            refusals.into_rejection(),
            Rejection::Denied(Denied::forbidden("scope"))
        );
        assert_eq!(
            Refusals::new().into_rejection(),
            Rejection::MissingCredentials
        );
    }
}
