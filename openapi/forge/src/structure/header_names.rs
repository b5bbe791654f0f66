//! Finds names of headers that are probably misspelled standard ones. Clients and proxies do not know such a name.

use super::key::Object;
use super::media_types::is_token;
use super::tables;
use crate::document::{Diagnostic, Node, Span, similar};

/// Headers that clients and servers know (RFC 9110 and the registry of IANA). Names that resemble a usual word, such as
/// `Link`, are not listed.
const STANDARD: [&str; 53] = [
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Accept-Patch",
    "Accept-Post",
    "Accept-Ranges",
    "Access-Control-Allow-Credentials",
    "Access-Control-Allow-Headers",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Access-Control-Max-Age",
    "Access-Control-Request-Headers",
    "Access-Control-Request-Method",
    "Allow",
    "Authorization",
    "Cache-Control",
    "Content-Disposition",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Location",
    "Content-Range",
    "Content-Security-Policy",
    "Content-Type",
    "Cookie",
    "Deprecation",
    "ETag",
    "Expires",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Unmodified-Since",
    "Last-Modified",
    "Location",
    "Origin",
    "Prefer",
    "Preference-Applied",
    "Proxy-Authenticate",
    "Proxy-Authorization",
    "Referer",
    "Referrer-Policy",
    "Retry-After",
    "Server-Timing",
    "Set-Cookie",
    "Strict-Transport-Security",
    "Sunset",
    "Traceparent",
    "Tracestate",
    "User-Agent",
    "WWW-Authenticate",
];

/// Checks the names of headers that an object has.
pub(super) fn check(node: &Node, object: &Object) -> Vec<Diagnostic> {
    // The loader has added `x-dropforge-response-headers` to the responses.
    let headers = node.get("headers").filter(|_| object.is(&tables::RESPONSE));
    let headers = headers.into_iter().flat_map(Node::members);
    let mut found: Vec<Diagnostic> = headers
        .filter_map(|(name, entry)| finding(name, entry.key_span))
        .collect();
    if object.is(&tables::PARAMETER)
        && node.text("in") == Some("header")
        && let Some(name) = node.get("name")
    {
        found.extend(finding(name.as_str().unwrap_or_default(), name.span));
    }
    found
}

fn finding(name: &str, span: Span) -> Option<Diagnostic> {
    let near = meant(name)?;
    let message = format!("no standard header has the name `{name}`");
    Some(Diagnostic::warning("header-misspelled", span, message).did_you_mean(near))
}

/// The standard header that a name probably means; none for a name that is right, or like no other.
fn meant(name: &str) -> Option<&'static str> {
    // Headers of vendors often have the name of a standard one behind the prefix.
    let is_vendors = name
        .get(..2)
        .is_some_and(|start| start.eq_ignore_ascii_case("x-"));
    let is_standard = |known: &&str| known.eq_ignore_ascii_case(name);
    // A later pass rejects a name that no header can have.
    if is_vendors || !is_token(name) || STANDARD.iter().any(is_standard) {
        return None;
    }
    let written = letters(name);
    let mut known = STANDARD.into_iter();
    if let Some(same) = known.find(|known| letters(known) == written) {
        return Some(same);
    }
    // `Locations` may be a header of its own.
    let single = name.strip_suffix(['s', 'S']).unwrap_or(name);
    (1..=2).find_map(|tolerance| {
        let candidates = STANDARD.into_iter().filter(|known| {
            let most = match known.len() {
                0..5 => 0,
                length if length >= 8 && known.contains('-') => 2,
                _ => 1,
            };
            tolerance <= most && !known.eq_ignore_ascii_case(single)
        });
        similar::nearest(candidates, name, tolerance)
    })
}

/// The letters of a name without those that separate its words.
fn letters(name: &str) -> String {
    name.replace(['-', '_'], "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_standard_headers_are_noticed_and_other_names_are_not() {
        for (name, wanted) in [
            ("Retry-Afer", "Retry-After"),
            ("Retry_After", "Retry-After"),
            ("RetryAfter", "Retry-After"),
            ("E-Tag", "ETag"),
            ("Alow", "Allow"),
            ("Cache-Contol", "Cache-Control"),
            ("WWW-Authentciate", "WWW-Authenticate"),
            ("Authorisation", "Authorization"),
            ("Idempotecy-Key", "Idempotency-Key"),
            ("If-Matches", "If-Match"),
            ("Locaton", "Location"),
            ("Referrer", "Referer"),
            ("content-lenght", "Content-Length"),
        ] {
            assert_eq!(meant(name), Some(wanted), "{name}");
        }
        for name in STANDARD.into_iter().chain(
            "etag www-authenticate Accept-Version Allocation Api-Version Content-Version \
             Cookies Link Locations Next-Page RateLimit-Limit Region Request-Id Tag \
             X-Rate-Limit X-Retry-After x-content-type accord-retry-token"
                .split(' '),
        ) {
            assert_eq!(meant(name), None, "{name}");
        }
    }
}
