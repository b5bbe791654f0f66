//! The RFCs, clause by clause: a test for each demand that they make on an
//! authorization server with the grants of this one.
//!
//! Every test's documentation begins with the RFC, the section and the strength
//! of the demand, and says in a sentence what is demanded. `cargo xtask
//! regenerate` makes the table `server/CLAUSES.md` of these sentences, and refuses
//! a test without one. Demands that are not tested here are in `others.txt`, with
//! the reason.
//!
//! Tests of a file share a running service, on each database, since most of them
//! send a request or two. Those that move its clock or use up its patience have
//! one of their own.

mod rfc6749;
mod rfc6749_secrets;
mod rfc7009;
mod rfc7521;
mod rfc7522;
mod rfc7523;
mod rfc7662;
mod rfc8414;
mod rfc8628;

use super::client::{Answer, answer};
use crate::harness::Server;
use crate::harness::shared::on_shared_service as clauses;

const DEVICE: &str = "/oauth2/v1/device";
const TOKEN: &str = "/oauth2/v1/token";
const INTROSPECT: &str = "/oauth2/v1/introspect";
const REVOKE: &str = "/oauth2/v1/revoke";

/// Sends a body as a form, whatever it is.
async fn post_raw(server: &Server, path: &str, body: &str) -> Answer {
    let request = server.http().post(server.url(path)).body(body.to_owned());
    answer(request.header("content-type", "application/x-www-form-urlencoded")).await
}
