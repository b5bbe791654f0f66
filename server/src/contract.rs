//! The generated tables and the published documents of the areas.

use dropforge_runtime::table::{Api, Operation};

use crate::area::Area;

/// The generated table of an area's document.
pub fn table(area: Area) -> &'static Api {
    match area {
        Area::Accounts => &accord::accounts::server::API,
        Area::Identity => &accord::identity::server::API,
        Area::Inference => &accord::inference::server::API,
        Area::Patterns => &accord::patterns::server::API,
    }
}

/// The document of an area.
pub fn document(area: Area) -> &'static accord::Document {
    match area {
        Area::Accounts => &accord::accounts::DOCUMENT,
        Area::Identity => &accord::identity::DOCUMENT,
        Area::Inference => &accord::inference::DOCUMENT,
        Area::Patterns => &accord::patterns::DOCUMENT,
    }
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
            assert_eq!(area.name(), document(area).area);
        }
    }
}
