//! The operations of patterns.

use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::demo::{INSTANCE, PROJECT};
use http::Method;
use serde_json::json;

use super::{Operation, Values, number};
use crate::load::Request;

pub fn all(bearer: &str) -> Vec<Operation> {
    let codes = Values::default();
    let made = codes.clone();
    let request = {
        let bearer = bearer.to_owned();
        move |method: Method, path: &str| {
            let path = format!(
                "/ic/api/integration/v1/projects/{PROJECT}/ai/patterns{path}\
                 ?integrationInstance={INSTANCE}"
            );
            Request::new(method, path).authorization(&bearer)
        }
    };
    let [create, get, delete] = [(); 3].map(|()| request.clone());
    let (mut read, mut deleted) = (codes.cycle(0), codes.once(0));
    vec![
        Operation::new(
            "createPatternFromAccelerator",
            move || {
                let code = format!("GROWTH_{}", number());
                made.push(code.clone());
                Some(create(Method::POST, "/accelerators/archive").json(&json!({
                    "patternCode": code, "patternVersion": "01.00.0000",
                    "projectCode": PROJECT, "id": REACT,
                })))
            },
            drop,
        ),
        Operation::new(
            "getPattern",
            move || Some(get(Method::GET, &id(&read()?.0))),
            drop,
        ),
        Operation::repeated("listPatterns", request(Method::GET, "")),
        Operation::new(
            "deletePattern",
            move || Some(delete(Method::DELETE, &id(&deleted()?))),
            drop,
        ),
    ]
}

/// The last part of the path of a pattern.
fn id(code: &str) -> String {
    format!("/{code}%7C01.00.0000")
}
