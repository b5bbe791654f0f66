//! Parameters of path, query, headers and cookies, as members of one object.
//!
//! The runtime finds each parameter in the place that the document names, splits it by its style,
//! converts it by its schema, and checks it. It ignores parameters that the document does not
//! declare, except within an object that accepts any member.

mod style;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use http::{HeaderMap, Uri};
use serde_json::{Map, Value};

use crate::check::{self, Direction};
use crate::coerce::{self, coerce, coerce_if_known};
use crate::credentials::cookies;
use crate::decision::Decision;
use crate::json;
use crate::path::{self, Text};
use crate::table::{Operation, Parameter, ParameterIn, Schema, Scheme, Style};
use crate::urlencoded;
use crate::violation::{Keyword, Location, Violation, pointer_to};

use style::{Malformed, Written};

/// The member of the parameters' object that holds a parameter: its name, or
/// `query.name` where parameters of several places share the name. A name that begins with a place,
/// such as `query.id`, has the key `query.query.id`, so that no other parameter has its key.
///
/// The generator names the members of parameters in the same way.
pub fn parameter_key(operation: &Operation, parameter: &Parameter) -> Cow<'static, str> {
    let mut others = operation.parameters.iter();
    let shared =
        others.any(|other| other.name == parameter.name && other.location != parameter.location);
    if shared || begins_with_place(parameter.name) {
        let place = Location::from(parameter.location);
        format!("{place}.{}", parameter.name).into()
    } else {
        parameter.name.into()
    }
}

/// Whether a name could be the key of a parameter that shares its own name.
fn begins_with_place(name: &str) -> bool {
    let mut places = ["path.", "query.", "header.", "cookie."].into_iter();
    places.any(|place| name.starts_with(place))
}

/// Parameters by their [`parameter_key`], each once.
pub(crate) type Parameters = Vec<(Cow<'static, str>, Value)>;

/// Reads and checks all parameters. Calls `decided` with each one that is absent or has a value.
pub(crate) fn read(
    operation: &'static Operation,
    uri: &Uri,
    headers: &HeaderMap,
    decided: &dyn Fn(Decision<'_>),
    violations: &mut Vec<Violation>,
) -> Parameters {
    let mut object = Vec::new();
    if operation.parameters.is_empty() {
        return object;
    }
    let request = Sources::new(operation, uri, headers);
    for parameter in operation.parameters {
        let violation = |keyword, message: &str| {
            let pointer = pointer_to(parameter.name);
            Violation::new(parameter.location.into(), pointer, keyword, message)
        };
        let decided = |value, valid| {
            decided(Decision::Parameter {
                parameter,
                value,
                valid,
            });
        };
        match request.find(parameter) {
            Ok(Some(written)) => match value(parameter, written) {
                Ok(value) => {
                    let broken = broken(parameter, &value);
                    decided(Some(&value), broken.is_empty());
                    if broken.is_empty() {
                        let key = parameter_key(operation, parameter);
                        object.push((key, check::normalized(value)));
                    }
                    violations.extend(broken);
                }
                Err((keyword, message)) => violations.push(violation(keyword, &message)),
            },
            Ok(None) if parameter.required => {
                decided(None, false);
                violations.push(violation(Keyword::Required, "is required"));
            }
            Ok(None) => decided(None, true),
            Err(Malformed::Repeated) => {
                violations.push(violation(Keyword::Duplicate, "is repeated"));
            }
            Err(Malformed::NotUtf8) => {
                violations.push(violation(Keyword::Style, "is not UTF-8"));
            }
            Err(Malformed::Form(form)) => {
                let message = format!("is not written in the form {form}");
                violations.push(violation(Keyword::Style, &message));
            }
        }
    }
    object
}

/// The violations of a parameter's value.
fn broken(parameter: &Parameter, value: &Value) -> Vec<Violation> {
    let location = parameter.location.into();
    let mut broken = check::check(parameter.schema, value, Direction::Request, location);
    for violation in &mut broken {
        violation.pointer.insert_str(0, &pointer_to(parameter.name));
    }
    broken
}

/// The value of a parameter's text.
fn value(parameter: &Parameter, written: Written<'_>) -> Result<Value, (Keyword, String)> {
    let schema = parameter.schema;
    Ok(match written {
        Written::Scalar(text) if parameter.json => {
            let value = json::parse(text.as_bytes());
            value.map_err(|error| (Keyword::Type, format!("must be JSON: {error}")))?
        }
        Written::Scalar(text) if parameter.explode && style::may_be_list(parameter) => {
            coerce::wrap_single(schema, coerce(schema, &*text), |_| {
                coerce_if_known(coerce::items(schema), &text)
            })
        }
        Written::Scalar(text) => coerce(schema, text),
        Written::List(items) => items
            .iter()
            .map(|item| coerce_if_known(coerce::items(schema), item))
            .collect(),
        Written::Members(members) => object(schema, &members).map_err(|Repeated(name)| {
            (
                Keyword::Duplicate,
                format!("has the member {name:?} more than once"),
            )
        })?,
    })
}

/// The name of a repeated member.
struct Repeated(String);

/// An object of members, by the declarations of the alternative that fits. Alternatives may declare
/// the same member with different types.
fn object(schema: &'static Schema, members: &[(String, String)]) -> Result<Value, Repeated> {
    if schema.alternatives().len() > 1 {
        for alternative in schema.readings() {
            if let Ok(value) = object_by(alternative, schema, members)
                && check::is_valid(schema, &value, Direction::Request)
            {
                return Ok(value);
            }
        }
    }
    object_by(None, schema, members)
}

/// An object of members, by the declarations of the alternative before those of the schema. A member
/// whose schema is an array may repeat.
fn object_by(
    alternative: Option<&'static Schema>,
    schema: &'static Schema,
    members: &[(String, String)],
) -> Result<Value, Repeated> {
    let mut object = Map::new();
    for (name, text) in members {
        let mut schemas = alternative.into_iter().chain([schema]);
        let property = schemas.find_map(|schema| coerce::property(schema, name));
        if property.is_some_and(coerce::is_array) {
            let item = coerce_if_known(property.and_then(coerce::items), text);
            match object
                .entry(name.clone())
                .or_insert_with(|| Value::Array(Vec::new()))
            {
                Value::Array(items) => items.push(item),
                other => *other = item,
            }
        } else if object.contains_key(name) {
            return Err(Repeated(name.clone()));
        } else {
            object.insert(name.clone(), coerce_if_known(property, text));
        }
    }
    Ok(Value::Object(object))
}

/// The places of the parameters of one request.
struct Sources<'r> {
    operation: &'static Operation,
    variables: path::Variables<'r>,
    query: Pairs<'r>,
    cookies: Pairs<'r>,
    headers: &'r HeaderMap,
}

/// Names, decoded, with values as they were sent.
type Pairs<'r> = Vec<(Cow<'r, str>, &'r [u8])>;

impl<'r> Sources<'r> {
    fn new(operation: &'static Operation, uri: &'r Uri, headers: &'r HeaderMap) -> Self {
        let uses = |location| {
            let mut parameters = operation.parameters.iter();
            parameters.any(|parameter| parameter.location == location)
        };
        let query = match uri.query() {
            Some(query) if uses(ParameterIn::Query) => urlencoded::pairs(query.as_bytes())
                // No parameter of a document has a name that is not UTF-8.
                .filter_map(|(name, value)| Some((urlencoded::decode(name).ok()?, value)))
                .collect(),
            _ => Vec::new(),
        };
        let cookies = if uses(ParameterIn::Cookie) {
            cookies(headers)
                .map(|(name, value)| (name.into(), value.as_bytes()))
                .collect()
        } else {
            Vec::new()
        };
        Sources {
            operation,
            variables: match uses(ParameterIn::Path) {
                true => path::variables(operation.segments, uri.path()).unwrap_or_default(),
                false => Vec::new(),
            },
            query,
            cookies,
            headers,
        }
    }

    /// A parameter as it is written; none if it is not there.
    fn find(&self, parameter: &Parameter) -> Result<Option<Written<'_>>, Malformed> {
        match parameter.location {
            ParameterIn::Path => {
                let mut variables = self.variables.iter();
                let found = variables.find(|(name, _)| *name == parameter.name);
                found
                    .map(|(_, text)| match text {
                        Text::Encoded(text) => {
                            style::path(parameter, text.as_bytes(), urlencoded::decode_percent)
                        }
                        Text::Decoded(text) => {
                            style::path(parameter, text.as_bytes(), urlencoded::as_it_is)
                        }
                    })
                    .transpose()
            }
            ParameterIn::Query => self.pairs(parameter, &self.query, urlencoded::decode),
            ParameterIn::Cookie => self.pairs(parameter, &self.cookies, urlencoded::decode_percent),
            ParameterIn::Header => {
                let lines: Vec<&[u8]> = self
                    .headers
                    .get_all(parameter.name)
                    .iter()
                    .map(http::HeaderValue::as_bytes)
                    .collect();
                if lines.is_empty() {
                    return Ok(None);
                }
                style::header(parameter, &lines).map(Some)
            }
        }
    }

    /// A parameter in a list of names and values.
    fn pairs<'p>(
        &self,
        parameter: &Parameter,
        pairs: &[(Cow<'_, str>, &'p [u8])],
        decode: style::Decode,
    ) -> Result<Option<Written<'p>>, Malformed> {
        if is_spread(parameter) {
            return self.spread(parameter, pairs, decode);
        }
        if is_deep(parameter) {
            return members(pairs, decode, |name| deep_member(parameter, name));
        }
        let mut occurrences = pairs
            .iter()
            .filter(|(name, _)| name == parameter.name)
            .map(|(_, value)| *value);
        match (occurrences.next(), occurrences.next()) {
            (None, _) => return Ok(None),
            (Some(only), None) => style::form(parameter, &[only], decode),
            (Some(first), Some(second)) => {
                let all: Vec<&[u8]> = [first, second].into_iter().chain(occurrences).collect();
                style::form(parameter, &all, decode)
            }
        }
        .map(Some)
    }

    /// An object that is spread over the query or the cookies. Its members are its properties. If it is
    /// open, all pairs are members that belong to no other parameter and to no credential.
    fn spread(
        &self,
        object: &Parameter,
        pairs: &[(Cow<'_, str>, &[u8])],
        decode: style::Decode,
    ) -> Result<Option<Written<'static>>, Malformed> {
        let own = coerce::property_names(object.schema);
        let is_open = coerce::is_open(object.schema);
        let parameters = self.operation.parameters.iter();
        let others: Vec<&Parameter> = parameters
            .filter(|other| other.location == object.location && other.name != object.name)
            .collect();
        let claimed = match is_open {
            true => self.claimed(object, &others),
            false => HashSet::new(),
        };
        let is_deep_member = |name: &str| {
            others
                .iter()
                .any(|other| is_deep(other) && deep_member(other, name).is_some())
        };
        members(pairs, decode, |name| {
            let is_free = || !claimed.contains(name) && !is_deep_member(name);
            (own.contains(&name) || is_open && is_free()).then_some(name)
        })
    }

    /// The names that other parameters and the API keys of the operation have at the place of an object.
    fn claimed(&self, object: &Parameter, others: &[&Parameter]) -> HashSet<&'static str> {
        let mut claimed = HashSet::new();
        for other in others {
            match is_spread(other) {
                true => claimed.extend(coerce::property_names(other.schema)),
                false => _ = claimed.insert(other.name),
            }
        }
        let requirements = self.operation.security.iter();
        for used in requirements.flat_map(|requirement| requirement.all) {
            if let Scheme::ApiKey { location, name } = used.scheme
                && location == object.location
            {
                claimed.insert(name);
            }
        }
        claimed
    }
}

/// Whether each member of a parameter is a pair of its own name.
fn is_spread(parameter: &Parameter) -> bool {
    let has_style = parameter.style == Style::Form && parameter.explode;
    has_style && !parameter.json && coerce::is_object(parameter.schema)
}

/// Whether each member of a parameter is a pair such as `name[member]`.
fn is_deep(parameter: &Parameter) -> bool {
    let has_style = parameter.style == Style::DeepObject;
    has_style && !parameter.json && coerce::is_object(parameter.schema)
}

/// The member of a parameter in the style `deepObject` that the name of a pair denotes.
fn deep_member<'n>(parameter: &Parameter, name: &'n str) -> Option<&'n str> {
    let member = name.strip_prefix(parameter.name)?;
    member.strip_prefix('[')?.strip_suffix(']')
}

/// The pairs whose names are members.
fn members<'n>(
    pairs: &'n [(Cow<'_, str>, &[u8])],
    decode: style::Decode,
    member: impl Fn(&'n str) -> Option<&'n str>,
) -> Result<Option<Written<'static>>, Malformed> {
    let mut found = Vec::new();
    for (name, value) in pairs {
        if let Some(member) = member(name) {
            let value = decode(value).map_err(|_| Malformed::NotUtf8)?;
            found.push((member.to_owned(), value.into_owned()));
        }
    }
    Ok((!found.is_empty()).then_some(Written::Members(found)))
}
