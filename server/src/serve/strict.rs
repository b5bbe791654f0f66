//! Checks requests by the rules of HTTP before routing (RFC 9110 and RFC 9112).
//!
//! dropshot routes methods case-insensitively, and does not check the host. Its only hook
//! before routing is the policy that chooses an API version, of which this service has
//! only one. A request that is rejected here is not in an area, and its error has
//! dropshot's own format.

use dropforge_runtime::METHODS;
use dropshot::{Body, DynamicVersionPolicy, ErrorStatusCode, HttpError, semver};
use http::{HeaderMap, HeaderValue, Method, Request, Version, header};

use crate::area::Area;
use crate::contract;
use crate::ops::reply;

/// Rejects invalid HTTP requests, and methods that no operation can have.
#[derive(Debug)]
pub(super) struct Strict {
    /// The areas whose operations the listener serves.
    pub(super) areas: Vec<Area>,
}

impl DynamicVersionPolicy for Strict {
    fn request_extract_version(
        &self,
        request: &Request<Body>,
        _: &slog::Logger,
    ) -> Result<semver::Version, HttpError> {
        if is_misspelled(request.method()) {
            let message = "methods are in upper case";
            return Err(refusal(
                ErrorStatusCode::NOT_IMPLEMENTED,
                message,
                request.version(),
            ));
        }
        if !METHODS.contains(request.method()) {
            self.check_path(request.uri().path())?;
        }
        let authority = request.uri().authority().map(|one| one.as_str());
        check_host(request.version(), authority, request.headers())
            .map_err(|message| refusal(ErrorStatusCode::BAD_REQUEST, message, request.version()))?;
        Ok(semver::Version::new(1, 0, 0))
    }
}

impl Strict {
    /// Rejects an unknown method of an operation's path with 405. dropshot's `Allow` would name
    /// every method for which a route exists, including those that only lead to a 405.
    fn check_path(&self, path: &str) -> Result<(), HttpError> {
        let mut tables = self.areas.iter().map(|area| contract::table(*area));
        let allow = tables.find_map(|table| Some(table.methods(path)).filter(|m| !m.is_empty()));
        match allow {
            Some(allow) => Err(reply::method_not_allowed(&allow)),
            None => Ok(()),
        }
    }
}

/// Whether a method would be routed as another one: methods are case-sensitive (RFC 9110,
/// section 9.1).
fn is_misspelled(method: &Method) -> bool {
    let is_alike = |known: &Method| known.as_str().eq_ignore_ascii_case(method.as_str());
    !METHODS.contains(method) && METHODS.iter().any(is_alike)
}

/// Checks for one host, which is the same as in the target of the request if that has one
/// (RFC 9112, section 3.2, and RFC 9113, section 8.3.1).
fn check_host(
    version: Version,
    authority: Option<&str>,
    headers: &HeaderMap,
) -> Result<(), &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (host, another) = (hosts.next(), hosts.next());
    if another.is_some() {
        return Err("there are two Host headers");
    }
    let Some(host) = host else {
        let needs_none = match version {
            Version::HTTP_09 | Version::HTTP_10 => true,
            Version::HTTP_11 => false,
            _ => authority.is_some(),
        };
        return match needs_none {
            true => Ok(()),
            false => Err("there is no Host header"),
        };
    };
    let Some(host) = host.to_str().ok().filter(|host| is_authority(host)) else {
        return Err("the Host header is not a host");
    };
    match authority {
        Some(authority) if !authority.eq_ignore_ascii_case(host) => {
            Err("the Host header is not the host of the request's target")
        }
        _ => Ok(()),
    }
}

/// Whether a text is a valid host with or without a port, and without a user (RFC 9110,
/// section 4.2.4).
fn is_authority(text: &str) -> bool {
    let is_foreign = |byte: u8| !byte.is_ascii_graphic() || b"@/\\?#,".contains(&byte);
    !text.is_empty() && !text.bytes().any(is_foreign)
}

fn refusal(status_code: ErrorStatusCode, message: &str, version: Version) -> HttpError {
    // The connection is closed, because the following bytes may also be invalid. HTTP/2
    // does not have this header, and does not need it.
    let is_one_of_many = version == Version::HTTP_2;
    let close = (!is_one_of_many).then(|| {
        let close = (header::CONNECTION, HeaderValue::from_static("close"));
        Box::new(HeaderMap::from_iter([close]))
    });
    HttpError {
        status_code,
        error_code: None,
        external_message: message.to_owned(),
        internal_message: message.to_owned(),
        headers: close,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(version: Version, authority: Option<&str>, hosts: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(header::HOST, host.parse().unwrap());
        }
        check_host(version, authority, &headers).is_ok()
    }

    #[test]
    fn a_request_names_one_host() {
        let (one, two) = (Version::HTTP_11, Version::HTTP_2);
        for (version, authority, hosts, good) in [
            (one, None, &["a.example"][..], true),
            (one, None, &["[::1]:8080"], true),
            (one, None, &[], false),
            (one, None, &["a.example", "a.example"], false),
            (one, None, &["a.example, b.example"], false),
            (one, None, &[""], false),
            (one, None, &["user@a.example"], false),
            (one, Some("A.example"), &["a.example"], true),
            (one, Some("b.example"), &["a.example"], false),
            (one, Some("a.example"), &[], false),
            (Version::HTTP_10, None, &[], true),
            (two, Some("a.example"), &[], true),
            (two, Some("a.example"), &["a.example"], true),
            (two, Some("a.example"), &["b.example"], false),
            (two, None, &[], false),
        ] {
            assert_eq!(
                check(version, authority, hosts),
                good,
                "{version:?} {authority:?} {hosts:?}"
            );
        }
    }
}
