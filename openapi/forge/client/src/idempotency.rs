//! Requests that may be repeated: those with an idempotent method, and those with a key by which the service recognizes
//! their repetition.

use crate::Operation;
use reqwest::{Method, Request, header::HeaderValue};
use std::hash::{BuildHasher, RandomState};
use uuid::{Builder, Uuid};

/// Whether repeating a request has no further effect: its method is idempotent (RFC 9110, section 9.2.2), or the request
/// has one of the operation's idempotency keys.
pub fn is_idempotent(request: &Request, operation: &Operation) -> bool {
    matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::PUT | Method::DELETE | Method::OPTIONS | Method::TRACE
    ) || has_key(request, operation)
}

/// Adds a random idempotency key to a request, if the operation has one and the caller has not chosen one.
///
/// All attempts of a call must have the same key, so a transport adds the key before the first one.
pub fn add_idempotency_key(request: &mut Request, operation: &Operation) {
    if let Some(name) = operation.idempotency_keys.first()
        && !has_key(request, operation)
        && let Ok(key) = HeaderValue::from_str(&random_uuid().to_string())
    {
        request.headers_mut().insert(*name, key);
    }
}

/// A random UUID (RFC 9562, version 4), from the random keys that the standard library makes for hash tables. It is
/// unique, but no secret.
pub fn random_uuid() -> Uuid {
    let random = || u128::from(RandomState::new().hash_one(()));
    Builder::from_random_bytes((random() << 64 | random()).to_be_bytes()).into_uuid()
}

fn has_key(request: &Request, operation: &Operation) -> bool {
    let names = operation.idempotency_keys.iter();
    names
        .copied()
        .any(|name| request.headers().contains_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const PLAIN: Operation = Operation::new("create", "POST", "/");

    const CREATE: Operation = Operation::new("create", "POST", "/")
        .with_idempotency_keys(&["retry-token", "idempotency-key"]);

    fn request(method: Method) -> Request {
        Request::new(method, "http://a.example/".parse().expect("an address"))
    }

    #[test]
    fn random_uuids_differ() {
        let all: HashSet<Uuid> = (0..1000).map(|_| random_uuid()).collect();
        assert_eq!(all.len(), 1000);
        assert!(all.iter().all(|one| one.get_version_num() == 4));
    }

    #[test]
    fn a_post_is_idempotent_only_with_a_key() {
        let mut post = request(Method::POST);
        add_idempotency_key(&mut post, &PLAIN);
        assert!(!is_idempotent(&post, &PLAIN));
        assert!(!is_idempotent(&post, &CREATE));
        add_idempotency_key(&mut post, &CREATE);
        assert!(is_idempotent(&post, &CREATE));
        let key = post.headers()["retry-token"].clone();
        add_idempotency_key(&mut post, &CREATE);
        assert_eq!(post.headers()["retry-token"], key);
        for (method, expected) in [
            (Method::GET, true),
            (Method::DELETE, true),
            (Method::PATCH, false),
        ] {
            assert_eq!(is_idempotent(&request(method), &PLAIN), expected);
        }
    }

    #[test]
    fn the_key_of_a_caller_stays_under_each_of_its_names() {
        let mut post = request(Method::POST);
        let key = HeaderValue::from_static("k");
        post.headers_mut().insert("idempotency-key", key);
        add_idempotency_key(&mut post, &CREATE);
        assert!(!post.headers().contains_key("retry-token"));
    }
}
