//! Entity tags (RFC 9110, section 8.8.3): a client that has the current content gets 304.

use bytes::Bytes;
use dropshot::{Body, HttpError};
use http::response::Builder;
use http::{HeaderMap, Response, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::ops::reply;

/// Responds with a text, which a client validates before each reuse.
pub(super) fn respond(
    request: &HeaderMap,
    builder: Builder,
    text: String,
) -> Result<Response<Body>, HttpError> {
    let tag = digest([text.as_bytes()]);
    let builder = builder.header(header::CACHE_CONTROL, "no-cache");
    respond_with(request, builder, &tag, text.into())
}

/// Responds with `body`, whose entity tag is `tag` in quotes, or with 304 if the request's
/// `If-None-Match` names it.
pub(super) fn respond_with(
    request: &HeaderMap,
    builder: Builder,
    tag: &str,
    body: Bytes,
) -> Result<Response<Body>, HttpError> {
    let tag = format!("\"{tag}\"");
    let is_known = is_known(request, &tag);
    let builder = builder.header(header::ETAG, tag);
    if !is_known {
        return reply::build(builder, body);
    }
    let mut response = reply::build(builder.status(StatusCode::NOT_MODIFIED), Body::empty())?;
    // A 304 has only the headers that update a stored response (RFC 9110, section 15.4.5).
    for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        response.headers_mut().remove(name);
    }
    Ok(response)
}

/// The first half of the SHA-256 digest of the parts, in hexadecimal digits.
pub(super) fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    base16ct::lower::encode_string(&digest.finalize()[..16])
}

/// Whether `If-None-Match` names this tag.
fn is_known(request: &HeaderMap, tag: &str) -> bool {
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
