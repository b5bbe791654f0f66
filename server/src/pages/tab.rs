//! Pages are for tabs: a script, a frame or an image of another page gets none.
//!
//! The reference page at `/docs` has the same origin and runs a script that this project has not
//! written. Browsers say for which purpose they load an address, in a header that scripts cannot set (Fetch
//! Metadata). They say it to trustworthy addresses only: HTTPS, and loopback.

use http::HeaderMap;

/// Whether the browser shows the response in a tab, as far as it says.
pub(super) fn is_for_a_tab(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-dest")
        .is_none_or(|destination| destination == "document")
}
