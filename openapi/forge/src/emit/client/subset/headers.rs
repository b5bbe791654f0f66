//! The headers of an operation's successes.

use super::operation::{HeaderType, Operation, ResponseHeader};
use crate::ir::{self, Api, Type};

/// The headers of all successes. A header is required if every success requires it, and has the type that all of them
/// agree on; otherwise it is text.
pub fn of_successes(api: &Api, operation: &mut Operation, responses: &[ir::Response]) {
    let successes = responses
        .iter()
        .filter(|response| response.status.hundred() == Some(2));
    let successes: Vec<_> = successes
        .map(|response| &api.responses[response.type_index])
        .collect();
    let headers = &mut operation.headers;
    for header in successes.iter().flat_map(|success| &success.headers) {
        let name = header.name.to_ascii_lowercase();
        let ty = header_type(&header.ty);
        match headers.iter_mut().find(|known| known.name == name) {
            Some(known) if known.ty != ty => known.ty = HeaderType::Text,
            Some(_) => {}
            None => headers.push(ResponseHeader {
                name,
                field: unused(headers, &header.field),
                description: header.description.clone(),
                required: false,
                ty,
            }),
        }
    }
    for header in headers {
        header.required = successes.iter().all(|success| {
            let mut own = success.headers.iter();
            own.any(|own| own.required && own.name.eq_ignore_ascii_case(&header.name))
        });
    }
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
