//! The parts of an operation that dropshot has words for.

use http::StatusCode;
use serde_json::Value;

use super::document::Document;
use crate::table::{Codec, MediaType, Operation, Parameter, Response, Status};
use crate::violation::Location;

/// The media type that stands for the request body: JSON where there is JSON.
pub(crate) fn described_body(operation: &Operation) -> Option<&'static MediaType> {
    let media = operation.body?.media;
    json_media(media).or_else(|| media.first())
}

pub(super) fn json_media(media: &'static [MediaType]) -> Option<&'static MediaType> {
    media.iter().find(|media| media.codec == Codec::Json)
}

/// The first success, with a status that stands for it.
pub(super) fn success(operation: &Operation) -> Option<(StatusCode, &'static Response)> {
    let candidates = operation.responses.iter().filter_map(|response| {
        let code = match response.status {
            Status::Code(code) => code,
            Status::Range(digit) => u16::from(digit) * 100,
            Status::Default => return None,
        };
        let status = StatusCode::from_u16(code).ok()?;
        (code < 400).then_some((status, response))
    });
    candidates.min_by_key(|(status, _)| (!status.is_success(), *status))
}

/// A parameter as the document writes it: at the operation, or at its path.
pub(super) fn parameter<'d>(
    document: &'d Document,
    operation: &Operation,
    parameter: &Parameter,
) -> Option<&'d Value> {
    let (path_item, _) = operation.pointer.rsplit_once('/')?;
    let place = Location::from(parameter.location).as_str();
    [operation.pointer, path_item]
        .into_iter()
        .flat_map(|pointer| document.at(pointer)["parameters"].as_array())
        .flatten()
        .map(|written| document.resolve(written))
        .find(|written| written["name"] == parameter.name && written["in"] == place)
}
