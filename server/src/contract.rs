//! The generated tables and the published documents of the areas.

use dropforge_runtime::table::{Api, Operation};

use crate::area::Area;

/// The generated table of an area's document.
pub fn table(area: Area) -> &'static Api {
    match area {
        Area::Accounts => &accord_accounts_server::API,
        Area::Identity => &accord_identity_server::API,
        Area::Inference => &accord_inference_server::API,
        Area::Patterns => &accord_patterns_server::API,
    }
}

/// The published form of a document.
pub struct Document {
    /// As YAML.
    pub yaml: &'static str,
    /// As compact JSON.
    pub json: &'static str,
}

/// The document of an area.
pub fn document(area: Area) -> Document {
    use accord_accounts_server as accounts;
    use accord_identity_server as identity;
    use accord_inference_server as inference;
    use accord_patterns_server as patterns;
    let (yaml, json) = match area {
        Area::Accounts => (accounts::PUBLISHED_YAML, accounts::PUBLISHED_JSON),
        Area::Identity => (identity::PUBLISHED_YAML, identity::PUBLISHED_JSON),
        Area::Inference => (inference::PUBLISHED_YAML, inference::PUBLISHED_JSON),
        Area::Patterns => (patterns::PUBLISHED_YAML, patterns::PUBLISHED_JSON),
    };
    Document { yaml, json }
}

/// The area that an operation belongs to.
pub fn area(operation: &'static Operation) -> Option<Area> {
    let is_it = |one: &&'static Operation| std::ptr::eq(*one, operation);
    Area::ALL
        .into_iter()
        .find(|area| table(*area).operations.iter().any(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_called_as_its_document() {
        for area in Area::ALL {
            let mut all = accord::DOCUMENTS.iter();
            let named = all.find(|document| document.area == area.name());
            let named = named.expect("a document of the name");
            assert_eq!(named.json, document(area).json);
            assert_eq!(named.yaml, document(area).yaml);
        }
    }
}
