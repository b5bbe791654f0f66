//! Checks the keywords of one schema together.
//!
//! A keyword can have the right type and still have no effect, or exclude every value.
//! Clear mistakes are errors. If the document is valid and its generated code is right,
//! the finding is a warning.

mod bounds;
mod circles;
mod common_type;
mod content;
mod discriminator;
mod discriminator_values;
mod examples;
mod excluded;
mod formats;
mod keywords_as_names;
mod members;
mod named_types;
mod properties;
mod stream;
mod types;
mod values;

pub(super) use circles::{Compositions, TOO_DEEP};
pub(crate) use discriminator::target as discriminator_target;
pub(crate) use discriminator_values::tags as discriminator_tags;
pub(super) use examples::check as examples;
pub(crate) use formats::integer_range;
pub(super) use members::Wholes;
pub(super) use named_types::TYPES;
pub(super) use stream::check as stream;

use super::key::Version;
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Document, Node};

/// Checks one schema. Its parts are checked separately.
pub(super) fn check<'d>(
    document: &'d Document,
    schema: &'d Node,
    pointer: &str,
    version: Version,
    wholes: &mut Wholes<'d>,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let mut found = types::check(schema, version);
    found.extend(keywords_as_names::check(schema, version));
    found.extend(formats::check(schema));
    found.extend(content::check(schema, version));
    found.extend(bounds::check(schema));
    found.extend(values::check(schema, &document.source));
    found.extend(members::check(document, schema, pointer, wholes, proposals));
    found.extend(excluded::check(document, schema));
    found.extend(common_type::check(document, schema));
    found.extend(discriminator::check(document, schema, proposals));
    found.extend(discriminator_values::check(document, schema, proposals));
    found
}
