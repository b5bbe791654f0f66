//! The files of the reference page. The address of a file has the hash of its content, and browsers
//! keep the file for a year without asking again.

use std::io::Read;
use std::sync::LazyLock;

use bytes::Bytes;
use dropshot::{Body, HttpError};
use flate2::read::GzDecoder;
use http::{HeaderMap, Response, header};

use super::super::etag;

/// Scalar's script, compressed by the build script.
const SCRIPT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scalar.js.gz"));

/// The files of this service: name, type and text. They import each other, and share one hash.
const FILES: [(&str, &str, &str); 6] = [
    (
        "page.css",
        "text/css; charset=utf-8",
        include_str!("../../../templates/docs/page.css"),
    ),
    (
        "page.js",
        JAVASCRIPT,
        include_str!("../../../templates/docs/page.js"),
    ),
    (
        "accessible.js",
        JAVASCRIPT,
        include_str!("../../../templates/docs/accessible.js"),
    ),
    (
        "credentials.js",
        JAVASCRIPT,
        include_str!("../../../templates/docs/credentials.js"),
    ),
    (
        "offer.js",
        JAVASCRIPT,
        include_str!("../../../templates/docs/offer.js"),
    ),
    (
        "signin.js",
        JAVASCRIPT,
        include_str!("../../../templates/docs/signin.js"),
    ),
];

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The hash of the files of this service.
pub(super) static OWN: LazyLock<String> = LazyLock::new(|| {
    let parts = FILES.iter().flat_map(|(name, _, text)| [*name, *text]);
    etag::digest(parts.map(str::as_bytes))
});

/// The hash of Scalar's script.
pub(super) static SCALAR: LazyLock<String> = LazyLock::new(|| etag::digest([SCRIPT]));

/// Scalar's script for clients that do not accept gzip. Browsers do, so it is decompressed at the
/// first request for it.
static PLAIN_SCRIPT: LazyLock<Result<Bytes, String>> = LazyLock::new(|| {
    let mut script = Vec::new();
    match GzDecoder::new(SCRIPT).read_to_end(&mut script) {
        Ok(_) => Ok(script.into()),
        Err(error) => Err(error.to_string()),
    }
});

/// A file of the page.
pub(super) enum Asset {
    /// The type and the text of a file of this service.
    Own(&'static str, &'static str),
    /// Scalar's script.
    Scalar,
}

impl Asset {
    /// The file at an address, which has the hash and the name.
    pub(super) fn find(hash: &str, name: &str) -> Option<Asset> {
        if name == "scalar.js" {
            return (hash == *SCALAR).then_some(Asset::Scalar);
        }
        let &(_, kind, text) = FILES.iter().find(|(one, ..)| *one == name)?;
        (hash == *OWN).then_some(Asset::Own(kind, text))
    }

    /// The response to a request for the file.
    pub(super) fn respond(&self, request: &HeaderMap) -> Result<Response<Body>, HttpError> {
        let mut builder = Response::builder()
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::CACHE_CONTROL, "public, max-age=31536000, immutable");
        // A compressed body has an entity tag of its own (RFC 9110, section 8.8.3.3).
        let (kind, body, tag) = match self {
            Asset::Own(kind, text) => (*kind, Bytes::from_static(text.as_bytes()), OWN.clone()),
            Asset::Scalar => {
                builder = builder.header(header::VARY, "Accept-Encoding");
                if accepts_gzip(request) {
                    builder = builder.header(header::CONTENT_ENCODING, "gzip");
                    let tag = format!("{}-gzip", *SCALAR);
                    (JAVASCRIPT, Bytes::from_static(SCRIPT), tag)
                } else {
                    let script = PLAIN_SCRIPT
                        .clone()
                        .map_err(HttpError::for_internal_error)?;
                    (JAVASCRIPT, script, SCALAR.clone())
                }
            }
        };
        let builder = builder.header(header::CONTENT_TYPE, kind);
        etag::respond_with(request, builder, &tag, body)
    }
}

/// Whether `Accept-Encoding` allows gzip (RFC 9110, section 12.5.3).
fn accepts_gzip(request: &HeaderMap) -> bool {
    let codings = request.get_all(header::ACCEPT_ENCODING).iter();
    let codings = codings.filter_map(|value| value.to_str().ok());
    let weights: Vec<_> = codings
        .flat_map(|value| value.split(','))
        .map(|coding| {
            let (name, parameter) = coding.split_once(';').unwrap_or((coding, ""));
            // The only parameter of a coding is its weight.
            let (_, weight) = parameter.split_once('=').unwrap_or(("q", "1"));
            (name.trim(), weight.trim().parse::<f32>().unwrap_or(0.0))
        })
        .collect();
    let weight = |name: &str| {
        let is_it = |one: &&(&str, f32)| one.0.eq_ignore_ascii_case(name);
        weights.iter().find(is_it).map(|(_, weight)| *weight)
    };
    weight("gzip").or_else(|| weight("*")).unwrap_or(0.0) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        for (value, accepts) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("*", true),
            ("*;q=0.1, gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("gzip;Q=0", false),
            ("br", false),
            ("", false),
        ] {
            let mut request = HeaderMap::new();
            request.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
            assert_eq!(accepts_gzip(&request), accepts, "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_file_is_found_only_under_its_own_hash() {
        assert!(Asset::find(&OWN, "page.js").is_some());
        assert!(Asset::find(&SCALAR, "scalar.js").is_some());
        assert!(Asset::find(&SCALAR, "page.js").is_none());
        assert!(Asset::find(&OWN, "scalar.js").is_none());
        assert!(Asset::find(&OWN, "page.html").is_none());
    }
}
