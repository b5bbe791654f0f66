//! The headers of an operation's successes, and those of its errors.

use super::operation::{HeaderType, ResponseHeader};
use crate::ir::{self, Api, ResponseType, Type};

/// The headers of all successes. A header is required if every success requires it. `default` is a success if no other
/// response is one.
pub fn of_successes(api: &Api, responses: &[ir::Response]) -> Vec<ResponseHeader> {
    let mut classes = responses.iter().map(|response| response.status.class());
    let wanted = classes.any(|class| class == Some(2)).then_some(2);
    let successes = with_status(api, responses, |class| class == wanted);
    let mut headers = union(&successes);
    for header in &mut headers {
        header.required = successes.iter().all(|success| {
            let mut own = success.headers.iter();
            own.any(|own| own.required && own.name.eq_ignore_ascii_case(&header.name))
        });
    }
    headers
}

/// The headers of all errors. None is required: a later document may list an error without it.
pub fn of_errors(api: &Api, responses: &[ir::Response]) -> Vec<ResponseHeader> {
    let errors = with_status(api, responses, |class| matches!(class, Some(4 | 5) | None));
    union(&errors)
}

/// The responses whose status has a wanted first digit; `default` has none.
fn with_status<'a>(
    api: &'a Api,
    responses: &[ir::Response],
    is_wanted: impl Fn(Option<u16>) -> bool,
) -> Vec<&'a ResponseType> {
    responses
        .iter()
        .filter(|response| is_wanted(response.status.class()))
        .map(|response| &api.responses[response.type_index])
        .collect()
}

/// The headers of several responses. A header has the type that all of them agree on; otherwise it is text.
fn union(responses: &[&ResponseType]) -> Vec<ResponseHeader> {
    let mut headers: Vec<ResponseHeader> = Vec::new();
    for header in responses.iter().flat_map(|response| &response.headers) {
        let name = header.name.to_ascii_lowercase();
        let ty = header_type(&header.ty);
        match headers.iter_mut().find(|known| known.name == name) {
            Some(known) if known.ty != ty => known.ty = HeaderType::Text,
            Some(_) => {}
            None => headers.push(ResponseHeader {
                name,
                field: unused(&headers, &header.field),
                description: header.description.clone(),
                required: false,
                ty,
            }),
        }
    }
    headers
}

/// A name for a field. Two headers of two responses may have the same.
fn unused(headers: &[ResponseHeader], field: &str) -> String {
    let mut field = field.to_owned();
    while headers.iter().any(|known| known.field == field) {
        field.push('_');
    }
    field
}

/// Enumerations and formats are text: a later version of the service may have other values.
fn header_type(ty: &Type) -> HeaderType {
    match ty {
        Type::Bool => HeaderType::Bool,
        Type::I32 | Type::I64 => HeaderType::Integer,
        Type::U64 => HeaderType::Unsigned,
        Type::F64 => HeaderType::Number,
        Type::Array(element) => match header_type(element) {
            HeaderType::List(_) => HeaderType::Text,
            element => HeaderType::List(Box::new(element)),
        },
        _ => HeaderType::Text,
    }
}
