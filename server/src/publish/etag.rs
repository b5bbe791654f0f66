//! Entity tags (RFC 9110, section 8.8.3): a text that a client already has is
//! not sent again.

use dropshot::{Body, HttpError};
use http::response::Builder;
use http::{HeaderMap, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::ops::reply;

/// Responds with `body`, or with 304 if the request's `If-None-Match` names it.
pub(super) fn respond(
    request: &HeaderMap,
    builder: Builder,
    body: String,
) -> Result<Response<Body>, HttpError> {
    let digest = Sha256::digest(body.as_bytes());
    let tag = format!("\"{}\"", base16ct::lower::encode_string(&digest[..16]));
    let is_known = is_known(request, &tag);
    let builder = builder
        .header(header::ETAG, tag)
        .header(header::CACHE_CONTROL, "no-cache");
    match is_known {
        true => reply::build(builder.status(StatusCode::NOT_MODIFIED), String::new()),
        false => reply::build(builder, body),
    }
}

/// Whether `If-None-Match` names this tag.
pub(super) fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let values = request.get_all(header::IF_NONE_MATCH).iter();
    let mut values = values.filter_map(|value| value.to_str().ok());
    values.any(|value| matches(value, tag))
}

/// The weak comparison of RFC 9110, section 8.8.3.2, with a list or `*`.
fn matches(header: &str, tag: &str) -> bool {
    header.trim() == "*"
        || header
            .split(',')
            .map(str::trim)
            .any(|one| one.strip_prefix("W/").unwrap_or(one) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong() {
        assert!(matches("\"a\", W/\"b\"", "\"b\""));
        assert!(matches("*", "\"b\""));
        assert!(!matches("\"bb\"", "\"b\""));
    }
}
