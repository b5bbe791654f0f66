//! The headers that restrict the scripts of the reference page.
//!
//! The page shares its origin with the pages under `/ui`, on which users approve devices, and it
//! runs a script of another project. Three rules keep this script out of those pages:
//!
//! - The content security policy lets it call the operations of the documents and `/openapi`, and
//!   nothing else. It cannot send a form, embed a page, or start a worker.
//! - The pages under `/ui` reject requests that are not for a tab (`pages/router.rs`), so the script cannot
//!   load them as an image, a frame or data.
//! - Their opener policy differs from [`OPENER`]. So the script loses access to a tab that it has opened as
//!   soon as the tab shows one of them.
//!
//! No header of a request distinguishes the pages reliably: `Origin` and `Sec-Fetch-Site` are equal for all
//! paths of one origin. A script can omit `Referer`, or change it by `history.pushState`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::area::Area;
use crate::contract;

/// `Cross-Origin-Opener-Policy` of the page. It must not be `same-origin`, which the pages under `/ui` have.
pub(super) const OPENER: &str = "same-origin-allow-popups";

/// The content security policies. A browser enforces both.
pub(super) fn contents() -> [&'static str; 2] {
    [CONTENTS, &CONNECTIONS]
}

/// The policy without paths. Inline styles are allowed, because the renderer sets them on elements.
const CONTENTS: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src data:; connect-src 'self'; worker-src 'none'; frame-src 'none'; object-src 'none'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The paths that the scripts may call. A source with a path needs a host, and the service does not
/// know the host of every caller. So this policy allows the paths on any host, and the other one only this origin.
static CONNECTIONS: LazyLock<String> = LazyLock::new(|| {
    let mut policy = "connect-src".to_owned();
    for path in paths() {
        policy.push_str(" *:*");
        policy.push_str(path);
    }
    policy
});

/// The paths of the documents and of their operations. One that ends with a slash means all
/// paths below it: the path of an operation up to its first variable segment.
fn paths() -> BTreeSet<&'static str> {
    let operations = Area::ALL
        .into_iter()
        .flat_map(|area| contract::table(area).operations)
        .map(|operation| match operation.path.find('{') {
            Some(variable) => {
                let end = operation.path[..variable].rfind('/');
                &operation.path[..end.map_or(0, |slash| slash + 1)]
            }
            None => operation.path,
        });
    ["/openapi", "/openapi/"]
        .into_iter()
        .chain(operations)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_can_call_every_operation_and_no_page() {
        let paths = paths();
        let allows = |path: &str| {
            let is_below = |one: &str| one.ends_with('/') && path.starts_with(one);
            paths.iter().any(|one| path == *one || is_below(one))
        };
        for operation in Area::ALL
            .into_iter()
            .flat_map(|area| contract::table(area).operations)
        {
            assert!(allows(operation.path), "{}", operation.path);
        }
        for page in [
            "/",
            "/ui",
            "/ui/v1/account",
            "/ui/v1/device",
            "/docs",
            "/metrics",
        ] {
            assert!(!allows(page), "{page}");
        }
    }

    #[test]
    fn a_path_cannot_end_its_policy() {
        for path in paths() {
            assert!(path.starts_with('/'), "{path}");
            assert!(!path.contains([';', ',', ' ', '?', '#', '*']), "{path}");
        }
    }
}
