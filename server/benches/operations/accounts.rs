//! The operations of accounts.

use http::Method;
use serde_json::{Value, json};

use super::{Operation, Values, number};
use crate::load::Request;

pub fn all(bearer: &str) -> Vec<Operation> {
    let users = Values::default();
    let (created, mut unlinked) = (users.clone(), users.once(0));
    let [create, link] = [bearer.to_owned(), bearer.to_owned()];
    let get = |path: &str| Request::get(path).authorization(bearer);
    vec![
        Operation::new(
            "createUser",
            move || {
                let number = number();
                let email = format!("new-{number}@north.example");
                created.push(email.clone());
                let body = json!({
                    "hubUser": {
                        "emailAddress": email, "firstName": "Mira", "lastName": "Lund",
                        "language": "en", "hubOrganizationId": 3104, "setPassword": true,
                    },
                    "collabUsers": [profile(72, 5202, "QUAY-7")],
                });
                let request = Request::new(Method::POST, "/api/user").json(&body);
                let request = request.authorization(&create);
                Some(request.idempotency_key(format!("user-{number}")))
            },
            drop,
        ),
        Operation::new(
            "linkCollabProfile",
            move || {
                let email = unlinked()?;
                let mut profile = profile(71, 5201, "LOCK-1");
                profile["language"] = json!("en");
                profile["communicationEmail"] = json!(email);
                let body = json!({"hubUser": {"emailAddress": email}, "collabUsers": profile});
                let request = Request::new(Method::PATCH, "/api/user").json(&body);
                let request = request.authorization(&link);
                Some(request.idempotency_key(format!("profile-{}", number())))
            },
            drop,
        ),
        Operation::repeated("listOrganizations", get("/api/user/organizations")),
        Operation::repeated("listApplicationInstances", get("/api/user/appinstance")),
    ]
}

fn profile(instance: u32, organization: u32, project: &str) -> Value {
    json!({
        "appInstanceId": instance, "collabOrganizationId": organization, "projectIds": [project],
    })
}
