//! The objects of OpenAPI 3.0.3 and 3.1, their keys, and the extensions of the generator.
//!
//! This is the only list of keys: the check of the structure, the mutants of
//! `cargo xtask mutate --typos` and the page of constructs are made from it.

mod document;
mod extensions;
mod operation;
mod schema;
mod security;
mod shared;

use super::key::{Object, ValueType};

pub(super) use document::{COMPONENTS, CONTACT, DOCUMENT};
pub(super) use operation::{
    HEADER, LINK, MEDIA_TYPE, OPERATION, PARAMETER, PATH_ITEM, REQUEST_BODY, RESPONSE, RESPONSES,
};
pub(super) use schema::SCHEMA;
pub(super) use shared::{SERVER, SERVER_VARIABLE};

/// The Reference Object. The code that follows `$ref` checks its text.
pub(super) const REFERENCE: &str = "$ref";

/// Every object that a document can hold, outer objects first.
pub fn objects() -> Vec<&'static Object> {
    let mut all: Vec<&'static Object> = vec![&DOCUMENT];
    let mut next = 0;
    while let Some(object) = all.get(next).copied() {
        next += 1;
        let keys = object.keys.iter().map(|key| key.value_type);
        for inner in keys.chain(object.patterned).filter_map(ValueType::object) {
            if !all.iter().any(|known| known.is(inner)) {
                all.push(inner);
            }
        }
    }
    all
}
