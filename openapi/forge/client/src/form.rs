//! Bodies of `application/x-www-form-urlencoded` whose fields are more than single values.
//!
//! progenitor writes forms of single values only. If a form has lists or objects, progenitor writes the body as JSON,
//! and this module converts it into the form.

use crate::{escape::encode, style};
use reqwest::{Body, Request, header::CONTENT_LENGTH};
use serde_json::Value;

/// Replaces a JSON body by the form with the same members (OpenAPI 3.0.3, "Encoding Object"): a field for each element
/// of a list, JSON for an object or for a list within a list, and no field for null.
pub(crate) fn encode_body(request: &mut Request) -> Result<(), String> {
    let Some(body) = request.body() else {
        return Ok(());
    };
    let json = body.as_bytes().ok_or("the body is not JSON")?;
    let value =
        serde_json::from_slice(json).map_err(|error| format!("the body is not JSON: {error}"))?;
    let Value::Object(members) = value else {
        return Err("a form must be an object".to_owned());
    };
    let mut pairs = Vec::new();
    for (name, value) in members {
        let value = match value {
            Value::Null => continue,
            Value::Array(items) => items.into_iter().map(field).collect(),
            value => field(value),
        };
        let fields = style::pairs(&name, &value, style::Style::Form, true, &encode)
            .map_err(|reason| format!("field `{name}`: {reason}"))?;
        pairs.extend(
            fields
                .into_iter()
                .map(|(name, value)| format!("{name}={value}")),
        );
    }
    request.headers_mut().remove(CONTENT_LENGTH);
    *request.body_mut() = Some(Body::from(pairs.join("&")));
    Ok(())
}

/// The value of one field. An object or a list is JSON text.
fn field(value: Value) -> Value {
    match value {
        Value::Object(_) | Value::Array(_) => Value::String(value.to_string()),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Method;
    use serde_json::json;

    #[test]
    fn lists_are_repeated_and_objects_are_json() {
        let mut request = Request::new(
            Method::POST,
            "http://a.example/".parse().expect("an address"),
        );
        let body = json!({
            "a": "x y", "list": [1, 2], "more": {"b": 1}, "none": null, "rows": [{"c": 1}, [2]],
        });
        *request.body_mut() = Some(Body::from(body.to_string()));
        encode_body(&mut request).expect("a form");
        let body = request.body().and_then(Body::as_bytes).expect("bytes");
        assert_eq!(
            std::str::from_utf8(body),
            Ok("a=x%20y&list=1&list=2&more=%7B%22b%22%3A1%7D&rows=%7B%22c%22%3A1%7D&rows=%5B2%5D")
        );
    }
}
