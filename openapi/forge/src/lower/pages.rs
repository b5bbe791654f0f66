//! Lists that are returned page by page: a response header has the value of a query parameter for the next page
//! (`x-dropforge-next-page`).

use super::cursor::Cursor;
use super::lowering::Lowering;
use crate::document::{Diagnostic, Span, pointer, similar};
use crate::ir::{
    Header, Location, Operation, Pages, Parameter, Payload, Response, ResponseType, Shape, Type,
};

pub(super) const KEY: &str = "x-dropforge-next-page";
const FIRST_PAGE_ONLY: &str = "x-dropforge-first-page-only";

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    parameters: &[Parameter],
    responses: &[Response],
) -> Option<Pages> {
    let found = header_and_parameter(lowering, operation, parameters, responses);
    let pages = match found.transpose() {
        Ok(pages) => pages,
        // The parameters of the first page only depend on the pages.
        Err(finding) => {
            lowering.report(finding);
            return None;
        }
    };
    let is_wrong = |one: &&Parameter| {
        let is_page =
            |pages: &Pages| one.location == Location::Query && one.name == pages.parameter;
        one.first_page_only && pages.as_ref().is_none_or(is_page)
    };
    if let Some(wrong) = parameters.iter().find(is_wrong) {
        let (reason, help) = match &pages {
            None => (
                "the operation has no pages".to_owned(),
                "remove `x-dropforge-first-page-only`, or add `x-dropforge-next-page` to a response header",
            ),
            Some(Pages { header, .. }) => (
                format!("`{header}` has its values"),
                "remove `x-dropforge-first-page-only`",
            ),
        };
        lowering.refuse(
            "first-page-only",
            lowering.key_span(operation),
            format!(
                "the parameter `{}` is for the first page only, and {reason}",
                wrong.name
            ),
            help,
        );
    }
    pages
}

/// Whether a parameter has no place in the request of a later page.
pub(super) fn is_first_page_only(
    lowering: &mut Lowering<'_>,
    parameter: &Cursor<'_>,
    location: Location,
    required: bool,
) -> bool {
    let is_set = parameter.flag(FIRST_PAGE_ONLY);
    if is_set && (required || location != Location::Query) {
        lowering.refuse(
            "first-page-only",
            parameter.span_of(FIRST_PAGE_ONLY),
            "only an optional query parameter can be for the first page only",
            "remove the key, or write `in: query` and `required: false`",
        );
        return false;
    }
    is_set
}

/// The header and the query parameter of the next page, or the error about the parameter; `None` for an
/// operation without pages.
fn header_and_parameter<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    parameters: &[Parameter],
    responses: &[Response],
) -> Option<Result<Pages, Diagnostic>> {
    let (response, header) = page(lowering, responses)?;
    let response = response.origin.pointer.clone();
    let (header, parameter) = (header.name.clone(), header.next_page.clone()?);
    let in_query = || {
        parameters
            .iter()
            .filter(|one| one.location == Location::Query)
    };
    if in_query().any(|one| one.name == parameter && one.ty == Type::String) {
        return Some(Ok(Pages { header, parameter }));
    }
    let key = lowering.key_span(operation);
    let place = place(lowering, &response, &header).unwrap_or(key);
    let is_known = in_query().any(|one| one.name == parameter);
    let problem = match is_known {
        true => "which is not a plain string",
        false => "and the operation has no such query parameter",
    };
    let message = format!("the header `{header}` has values of `{parameter}`, {problem}");
    let texts = in_query().filter(|one| one.ty == Type::String);
    let near = similar::nearest_name(texts.map(|one| one.name.as_str()), &parameter);
    let error = |span| Diagnostic::error("next-page", span, message);
    let whole = operation.span();
    let is_own = whole.start <= place.start && place.end <= whole.end;
    let finding = match is_own {
        true => error(place).related(key, "for this operation"),
        // Other operations may have the parameter of a shared response.
        false => error(key).related(place, "the name of the parameter"),
    };
    Some(Err(match near {
        Some(near) if is_own => finding.did_you_mean(near),
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if is_known => finding.help(
            "name a query parameter with `type: string` alone, or remove `x-dropforge-next-page`",
        ),
        None => finding.help(
            "add the query parameter, with `type: string`, or remove `x-dropforge-next-page`",
        ),
    }))
}

/// The response that has pages, and its header with the value for the next one.
fn page<'l>(
    lowering: &'l Lowering<'_>,
    responses: &[Response],
) -> Option<(&'l ResponseType, &'l Header)> {
    let types = responses.iter().filter(|response| !response.error);
    let mut types = types.map(|response| &lowering.responses[response.type_index]);
    types.find_map(|response| {
        let mut headers = response.headers.iter();
        let header = headers.find(|header| header.next_page.is_some())?;
        Some((response, header))
    })
}

/// The position of the name of the parameter at a header of a response.
fn place(lowering: &mut Lowering<'_>, response: &str, header: &str) -> Option<Span> {
    let document = lowering.document;
    let node = document.at(response)?.get("headers")?.get(header)?;
    let list = pointer::join(response, "headers");
    let pointer = pointer::join(&list, header);
    let header = lowering.resolve(&Cursor { node, pointer })?;
    Some(header.span_of(KEY))
}

/// Refuses pages whose items are not clear. Runs when every type has its shape.
pub(super) fn check(lowering: &mut Lowering<'_>, operations: &[Operation]) {
    for operation in operations.iter().filter(|one| one.pages.is_some()) {
        let Err(reason) = check_list(lowering, operation) else {
            continue;
        };
        let document = lowering.document;
        let place = document.at(&operation.origin.pointer);
        lowering.refuse(
            "next-page-items",
            place.unwrap_or(&document.root).span,
            format!("the items of a page of `{}` are not clear: {reason}", operation.id),
            "return an array, or an object in which one required property is an array, or remove `x-dropforge-next-page`",
        );
    }
}

/// Checks that one list in the response with the header holds the items. The error says why none
/// does.
fn check_list(lowering: &Lowering<'_>, operation: &Operation) -> Result<(), String> {
    let page = page(lowering, &operation.responses);
    let Some(Payload::Typed(ty) | Payload::Raw(ty)) = page.map(|(page, _)| &page.payload) else {
        return Err("the response is not JSON of one type".to_owned());
    };
    let shape = match lowering.behind_aliases(ty) {
        Some(Type::Array(_)) => return Ok(()),
        Some(Type::Named(id) | Type::Boxed(id)) => Some(lowering.shape_of(*id)),
        _ => None,
    };
    let Some(Shape::Struct { fields, .. }) = shape else {
        return Err("the response is neither an array nor an object".to_owned());
    };
    // A later document may have further optional arrays.
    let required = fields.iter().filter(|field| field.required);
    let lists = required.filter(|field| match &field.ty {
        Type::Nullable(inner) => is_array(lowering, inner),
        ty => is_array(lowering, ty),
    });
    match lists.collect::<Vec<_>>()[..] {
        [] => Err("the response has no required array".to_owned()),
        [list] if matches!(list.ty, Type::Nullable(_)) => {
            Err(format!("`{}` may be null", list.name))
        }
        [_] => Ok(()),
        [one, other, ..] => Err(format!("`{}` and `{}` are arrays", one.name, other.name)),
    }
}

fn is_array(lowering: &Lowering<'_>, ty: &Type) -> bool {
    matches!(lowering.behind_aliases(ty), Some(Type::Array(_)))
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::lower::lower;

    #[test]
    fn a_page_that_is_composed_of_itself_is_refused() {
        let text = "\
openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    get:
      parameters: [{name: page, in: query, schema: {type: string}}]
      responses:
        '200':
          description: D.
          headers: {Next: {schema: {type: string}, x-dropforge-next-page: page}}
          content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}
components:
  schemas:
    A: {allOf: [{$ref: '#/components/schemas/A'}]}
";
        let document = Document::load("t.yaml", text).expect("a document");
        let found = lower(&document, "t").expect_err("a circle");
        assert!(found.iter().any(|one| one.code == "composition-circle"));
    }
}
