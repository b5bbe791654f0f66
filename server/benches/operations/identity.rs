//! The operations of identity.

use accord_server::identity::demo::{CONFIDENTIAL, PUBLIC, SECRET};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{Operation, Values, number, text};
use crate::load::{Answer, Request};

pub fn all(token: &str) -> Vec<Operation> {
    let codes = Values::default();
    let found = codes.clone();
    let form = format!("client_id={PUBLIC}&scope=accounts.read");
    let device = Request::form("/oauth2/v1/device", form);
    let client = STANDARD.encode(format!("{CONFIDENTIAL}:{SECRET}"));
    let form = format!("token={token}");
    let introspect = Request::form("/oauth2/v1/introspect", form);
    let introspect = introspect.authorization(&format!("Basic {client}"));
    let is_active = |body: Value| assert_eq!(body["active"], true);
    let metadata = Request::get("/.well-known/oauth-authorization-server");
    vec![
        Operation::new(
            "createDeviceAuthorization",
            move || Some(device.clone()),
            move |body| found.push(text(&body["device_code"])),
        ),
        polls(&codes),
        Operation::new(
            "introspectToken",
            move || Some(introspect.clone()),
            is_active,
        ),
        Operation::new(
            "revokeToken, an unknown token",
            || {
                let form = format!("client_id={PUBLIC}&token=rt_{:043}", number());
                Some(Request::form("/oauth2/v1/revoke", form))
            },
            drop,
        ),
        Operation::repeated("getAuthorizationServerMetadata", metadata),
        Operation::repeated("getJwkSet", Request::get("/admin/v1/SigningCert/jwk")),
    ]
}

/// Polls each code once: a device that polls faster is told to slow down.
fn polls(codes: &Values) -> Operation {
    let mut codes = codes.once(0);
    Operation {
        name: "createToken, a poll",
        next: Box::new(move || {
            let form = format!(
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
                 &client_id={PUBLIC}&device_code={}",
                codes()?
            );
            Some(Request::form("/oauth2/v1/token", form))
        }),
        check: Box::new(|answer: Answer| {
            let text = String::from_utf8_lossy(&answer.body);
            assert!(text.contains("authorization_pending"), "{text}");
        }),
    }
}
