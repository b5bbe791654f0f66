//! The addresses of the areas: with HTTPS, unless the network is trusted, and without a password.

use crate::build_error::BuildError;
use std::fmt;
use url::{Host, Url};

/// An unparsed address, which does not print a password.
#[derive(Clone)]
pub(crate) struct Address(pub(crate) String);

impl Address {
    /// The address without a slash at its end.
    pub(crate) fn parse(&self, allow_http: bool) -> Result<String, BuildError> {
        let invalid = || BuildError::Address {
            address: self.to_string(),
        };
        let url = Url::parse(&self.0).map_err(|_| invalid())?;
        let usable = matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none();
        if !usable || !url.has_host() {
            return Err(invalid());
        }
        if !url.username().is_empty() || url.password().is_some() {
            let address = self.to_string();
            return Err(BuildError::Password { address });
        }
        if url.scheme() == "http" && !allow_http && !is_loopback(&url) {
            let address = self.to_string();
            return Err(BuildError::Insecure { address });
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }
}

/// Whether requests to this address stay on this machine; `false` if it is not an address.
pub(crate) fn is_local(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| is_loopback(&url))
}

/// Whether requests to this address stay on this machine.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Without what precedes an `@`, which may be a password.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.rsplit_once('@') {
            Some((_, rest)) => write!(f, "…@{rest}"),
            None => f.write_str(&self.0),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, BuildError> {
        Address(text.to_owned()).parse(false)
    }

    #[test]
    fn an_address_says_where_and_nothing_else() {
        let parsed = parse("https://a.example/").expect("an address");
        assert_eq!(parsed, "https://a.example");
        let parsed = parse("https://a.example/x/").expect("an address");
        assert_eq!(parsed, "https://a.example/x");
        for wrong in ["a.example", "ftp://a.example", "https://a.example?x", ""] {
            let error = parse(wrong).expect_err(wrong).to_string();
            assert!(
                error.contains("write an address such as http://127.0.0.1:8080"),
                "{error}"
            );
        }
    }

    #[test]
    fn an_address_with_a_password_is_refused_and_not_printed() {
        for wrong in [
            "https://user:very-secret@a.example",
            "https://very-secret@a.example",
            "https://:very-secret@a.example",
            // Without a scheme, `user` is parsed as one.
            "user:very-secret@a.example",
            "https://user:very-secret@a.example?x",
        ] {
            let error = parse(wrong).expect_err(wrong);
            let printed = format!("{error} {error:?} {:?}", Address(wrong.to_owned()));
            assert!(!printed.contains("very-secret"), "{printed}");
            assert!(printed.contains("a.example"), "{printed}");
        }
        let error = parse("https://user:p@a.example").expect_err("a password");
        assert!(matches!(error, BuildError::Password { .. }), "{error}");
    }

    #[test]
    fn an_address_of_this_machine_is_told_from_others() {
        for local in ["http://[::1]:80/x", "https://127.0.0.1"] {
            assert!(is_local(local), "{local}");
        }
        for other in ["https://a.example", "http://127.0.0.1.example", "localhost"] {
            assert!(!is_local(other), "{other}");
        }
    }

    #[test]
    fn http_leaves_the_machine_only_if_it_is_allowed() {
        for local in [
            "http://localhost:1",
            "http://a.localhost",
            "http://127.9.9.9",
            "http://[::1]:80",
        ] {
            parse(local).expect(local);
        }
        for remote in [
            "http://a.example",
            "http://10.0.0.1",
            "http://localhost.example",
        ] {
            let error = parse(remote).expect_err(remote);
            assert!(matches!(error, BuildError::Insecure { .. }), "{error}");
            let allowed = Address(remote.to_owned()).parse(true);
            assert_eq!(allowed.expect("an address"), remote);
        }
    }
}
