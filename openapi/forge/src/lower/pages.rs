//! Lists that are returned page by page: a response header has the value of a query parameter for the next page
//! (`x-dropforge-next-page`).

use super::cursor::Cursor;
use super::lowering::Lowering;
use crate::ir::{Header, Location, Pages, Parameter, Response, Type};

pub(super) const KEY: &str = "x-dropforge-next-page";

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    parameters: &[Parameter],
    responses: &[Response],
) -> Option<Pages> {
    let successes = responses.iter().filter(|response| !response.error);
    let headers = successes.flat_map(|response| &lowering.responses[response.type_index].headers);
    let (header, parameter) = headers
        .filter_map(
            |Header {
                 name, next_page, ..
             }| Some((name.clone(), next_page.clone()?)),
        )
        .next()?;
    let is_text = |one: &Parameter| {
        one.location == Location::Query && one.name == parameter && one.ty == Type::String
    };
    if !parameters.iter().any(is_text) {
        lowering.refuse(
            "next-page",
            lowering.key_span(operation),
            format!(
                "the header `{header}` has values of `{parameter}`, and the operation has no such query parameter"
            ),
            "add the query parameter, with `type: string`, or remove `x-dropforge-next-page`",
        );
        return None;
    }
    Some(Pages { header, parameter })
}
