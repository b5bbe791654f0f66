//! The media types that parts of a multipart body may have: `contentType` in `encoding`.

use std::collections::BTreeSet;

use super::bodies::normal;
use super::{Comparison, Shift};
use crate::check::document_index::{Direction, LocatedNode};

impl<'d> Comparison<'d> {
    /// Compares the media types of the parts that requests had before.
    pub(super) fn part_types(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        let schema = old.get("schema");
        let schema = schema.and_then(|schema| self.old.resolve(&schema));
        let properties = schema.and_then(|schema| schema.get("properties"));
        let properties = properties.map(|properties| properties.entries());
        for (name, _) in properties.unwrap_or_default() {
            let shift = match (listed(old, name), listed(new, name)) {
                (None, None) => continue,
                (None, Some(_)) => Shift::Narrower,
                (Some(_), None) => Shift::Wider,
                (Some(old), Some(new)) => match (old.is_subset(&new), new.is_subset(&old)) {
                    (true, true) => continue,
                    (true, false) => Shift::Wider,
                    (false, true) => Shift::Narrower,
                    (false, false) => Shift::Aside,
                },
            };
            let place = new.get("encoding");
            let message = format!("the part `{name}` can have other media types");
            self.shifted(
                shift,
                Direction::Request,
                place.as_ref().unwrap_or(new),
                message,
            );
        }
    }
}

/// The media types of a part, if the document lists any.
fn listed(body: &LocatedNode<'_>, name: &str) -> Option<BTreeSet<String>> {
    let part = body.get("encoding")?.get(name)?;
    Some(part.text("contentType")?.split(',').map(normal).collect())
}
