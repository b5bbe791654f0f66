//! The operations of the documents, as the page lists them without scripts.

use serde_json::Value;

use super::super::documents;
use crate::area::Area;
use crate::contract;

/// A document on the page.
pub(super) struct Listing {
    /// The area's name.
    pub(super) area: &'static str,
    /// Its title.
    pub(super) title: String,
    /// The first paragraph of its description.
    pub(super) summary: String,
    /// The bearer scheme that all operations of the document take, if it has no other scheme.
    pub(super) scheme: String,
    /// Its operations, in its order.
    pub(super) operations: Vec<Entry>,
}

/// An operation on the page.
pub(super) struct Entry {
    /// `operationId`.
    pub(super) id: &'static str,
    /// The first tag, as Scalar's addresses have it.
    pub(super) tag: String,
    /// The method.
    pub(super) method: &'static str,
    /// The path with the base path of the document.
    pub(super) path: &'static str,
    /// What it does.
    pub(super) summary: String,
}

/// All documents.
pub(super) fn listings() -> Result<Vec<Listing>, String> {
    Area::ALL.into_iter().map(listing).collect()
}

fn listing(area: Area) -> Result<Listing, String> {
    let document = documents::parse(area).map_err(|error| error.external_message)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let description = text(&document["info"]["description"]);
    let operations = contract::table(area).operations.iter().map(|operation| {
        let pointer = operation.pointer.trim_start_matches('#');
        let described = document.pointer(pointer).unwrap_or(&Value::Null);
        Entry {
            id: operation.id,
            tag: slug(&text(&described["tags"][0])),
            method: operation.method.as_str(),
            path: operation.path,
            summary: text(&described["summary"]),
        }
    });
    Ok(Listing {
        area: area.name(),
        title: text(&document["info"]["title"]),
        summary: description
            .split("\n\n")
            .next()
            .unwrap_or_default()
            .to_owned(),
        scheme: only_bearer_scheme(&document),
        operations: operations.collect(),
    })
}

fn only_bearer_scheme(document: &Value) -> String {
    let schemes = document["components"]["securitySchemes"].as_object();
    let mut schemes = schemes.into_iter().flatten();
    match (schemes.next(), schemes.next()) {
        (Some((name, scheme)), None) if scheme["scheme"] == "bearer" => name.clone(),
        _ => String::new(),
    }
}

/// A tag as a part of an address; `page.js` makes the same of it.
fn slug(tag: &str) -> String {
    tag.to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_listed_with_its_tag_and_summary() {
        let listings = listings().unwrap();
        assert_eq!(listings.len(), Area::ALL.len());
        for listing in &listings {
            assert!(!listing.title.is_empty() && !listing.summary.is_empty());
            for entry in &listing.operations {
                assert!(!entry.tag.is_empty(), "{} has no tag", entry.id);
                assert!(!entry.summary.is_empty(), "{} has no summary", entry.id);
            }
        }
        let schemes: Vec<_> = listings.iter().map(|one| one.scheme.as_str()).collect();
        assert_eq!(schemes, ["accessToken", "", "", "accessToken"]);
    }
}
