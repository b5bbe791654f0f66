//! What everybody is asked, and what everybody has to answer.

use std::rc::Rc;

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use crate::closed_loop::Request;

pub const TOKEN: &str = "d8a1c7e6b2f94f0f8a35";
pub const CREATE: &str = "/api/user";
pub const LIST: &str = "/api/user/organizations";

/// The header that names a request, in every answer: the document asks for it, and
/// dropshot sends it by itself.
pub const REQUEST_ID: &str = "x-request-id";

/// Organizations in an answer.
pub const MANY: i32 = 20;

fn authorization() -> Option<String> {
    Some(format!("Bearer {TOKEN}"))
}

/// The body of a creation, as the document's example has it.
pub fn body() -> Value {
    json!({
        "hubUser": {
            "emailAddress": "mira.lund@north.example",
            "firstName": "Mira",
            "middleName": "Elin",
            "lastName": "Lund",
            "language": "en-GB",
            "hubOrganizationId": 3104,
            "setPassword": true,
            "emailForCommunication": "mira@lund.example"
        },
        "collabUsers": [{
            "appInstanceId": 71,
            "collabOrganizationId": 5201,
            "projectIds": ["HARBOUR-2"],
            "userName": "mlund"
        }]
    })
}

/// A creation, and its answer.
pub fn create() -> (Rc<Request>, Bytes) {
    let request = Request {
        authorization: authorization(),
        ..Request::new(Method::POST, CREATE).json(&body())
    };
    let answer = json!({
        "hubUser": {
            "firstName": "Mira",
            "middleName": "Elin",
            "lastName": "Lund",
            "emailAddress": "mira.lund@north.example",
            "displayName": "Mira Lund",
            "organizationId": 3104,
            "emailForCommunication": "mira@lund.example"
        },
        "collabUser": [{
            "accountLinked": true,
            "appInstanceId": 71,
            "collabOrganizationId": 5201,
            "userName": "mlund",
            "location": "Bergen",
            "region": "eu-north",
            "projectIds": ["HARBOUR-2"],
            "hasLinkedAccounts": true,
            "communicationEmail": "mira@lund.example"
        }]
    });
    (Rc::new(request), answer.to_string().into())
}

/// A list, and its answer.
pub fn list() -> (Rc<Request>, Bytes) {
    let request = Request {
        authorization: authorization(),
        ..Request::get(format!("{LIST}?limit={MANY}"))
    };
    let organizations = (0..MANY).map(|number| {
        json!({
            "id": 3000 + i64::from(number),
            "name": name(number),
            "tradingName": name(number),
        })
    });
    let answer: Value = organizations.collect();
    (Rc::new(request), answer.to_string().into())
}

/// The name of an organization.
pub fn name(number: i32) -> String {
    format!("Organization {number}")
}

/// Whether a request carries the token.
pub fn is_authorized(headers: &http::HeaderMap) -> bool {
    let value = headers.get(http::header::AUTHORIZATION);
    let text = value.and_then(|value| value.to_str().ok());
    text.and_then(|text| text.strip_prefix("Bearer ")) == Some(TOKEN)
}
