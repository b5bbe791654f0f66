//! Parameters of path, query, headers and cookies, as one JSON object.

use http::{HeaderMap, Uri};
use serde_json::{Map, Value};

use crate::coerce::coerce;
use crate::path::{self, Text};
use crate::table::{Operation, Parameter, ParameterIn};
use crate::violation::{Keyword, Violation, pointer_to};

/// The member of the parameters' object that holds a parameter: its name, or
/// `query.name` where parameters of several places share the name.
pub fn parameter_key(operation: &Operation, parameter: &Parameter) -> String {
    let shared = operation
        .parameters
        .iter()
        .filter(|other| other.name == parameter.name)
        .count();
    if shared > 1 {
        let place = crate::violation::Location::from(parameter.location);
        format!("{place}.{}", parameter.name)
    } else {
        parameter.name.to_owned()
    }
}

/// Reads and checks all parameters.
pub(crate) fn read(
    operation: &'static Operation,
    uri: &Uri,
    _headers: &HeaderMap,
    violations: &mut Vec<Violation>,
) -> Map<String, Value> {
    let mut object = Map::new();
    let variables = path::variables(operation.segments, uri.path()).unwrap_or_default();
    for parameter in operation.parameters {
        let text = match parameter.location {
            ParameterIn::Path => variables
                .iter()
                .find(|(name, _)| *name == parameter.name)
                .map(|(_, text)| match text {
                    Text::Encoded(text) => path::decode(text).into_owned(),
                    Text::Decoded(text) => text.clone(),
                }),
            ParameterIn::Query => uri.query().and_then(|query| {
                url::form_urlencoded::parse(query.as_bytes())
                    .find(|(name, _)| name == parameter.name)
                    .map(|(_, value)| value.into_owned())
            }),
            ParameterIn::Header | ParameterIn::Cookie => None,
        };
        match text {
            Some(text) => {
                let key = parameter_key(operation, parameter);
                object.insert(key, coerce(parameter.schema, &text));
            }
            None if parameter.required => violations.push(Violation::new(
                parameter.location.into(),
                pointer_to(parameter.name),
                Keyword::Required,
                "is required",
            )),
            None => {}
        }
    }
    object
}
