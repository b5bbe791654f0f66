//! The objects of the generator's extensions.

use super::shared::EXAMPLE;
use crate::structure::key::ValueType::{Map, Text};
use crate::structure::key::{Object, object, read};

pub(super) use crate::document::RESPONSE_HEADERS;

pub(super) static STREAM: Object = Object {
    keys: &[
        read("terminator", Text),
        read("event", Text),
        read("examples", Map(&EXAMPLE)),
    ],
    ..object("`x-dropforge-stream`", "Stream Object (extension)")
};
