//! The places in the document of the items of a client.
//!
//! Progenitor and typify name items after the document, without their places. So this
//! module looks the names up: types by the schema of that name, fields by their property,
//! methods and builders by the operation. An inline type within an operation is named
//! after that operation, and found by its properties.

use std::collections::{BTreeMap, HashMap, HashSet};

use syn::{Attribute, Fields, Item, ItemMod, Type, parse_quote};

use crate::document::{Document, Node, pointer};
use crate::emit::places;
use crate::ir::Api;
use crate::lower::Lines;
use crate::lower::names::status_name;

/// Adds its place in the document to each item that has one.
pub(super) fn mark(file: &mut syn::File, document: &Document, api: &Api) {
    Marker::new(document, api).items(&mut file.items);
}

struct Marker<'d> {
    document: &'d Document,
    lines: Lines,
    /// Pointers by the normalized names.
    schemas: BTreeMap<String, String>,
    operations: BTreeMap<String, String>,
    in_place: Vec<InPlace>,
}

/// An object's schema that is written within an operation.
struct InPlace {
    operation: String,
    /// The name of the status of its response, if it is within one.
    status: Option<String>,
    /// The names of its properties, sorted.
    properties: Vec<String>,
    at: String,
}

/// The name of the status of the response in a pointer.
fn status_of(at: &str) -> Option<String> {
    let (_, rest) = at.split_once("/responses/")?;
    let (status, _) = rest.split_once('/')?;
    Some(plain(&status_name(status.parse().ok()?)))
}

impl<'d> Marker<'d> {
    fn new(document: &'d Document, api: &Api) -> Self {
        let mut marker = Marker {
            document,
            lines: Lines::of(&document.source),
            schemas: BTreeMap::new(),
            operations: BTreeMap::new(),
            in_place: Vec::new(),
        };
        let components = document.at("/components/schemas").into_iter();
        for (name, _) in components.flat_map(Node::members) {
            let at = pointer::join("/components/schemas", name);
            marker.schema(plain(name), at);
        }
        marker.operations(api);
        marker
    }

    /// Records a schema and the schemas within it. Given names take precedence over
    /// derived ones.
    fn schema(&mut self, name: String, at: String) {
        let Some(node) = self.document.at(&at) else {
            return;
        };
        let own = node.get("properties").into_iter();
        for (property, _) in own.flat_map(Node::members) {
            let inner = pointer::join(&format!("{at}/properties"), property);
            self.schema(format!("{name}{}", plain(property)), inner);
        }
        if node.get("items").is_some() {
            self.schema(format!("{name}item"), format!("{at}/items"));
        }
        let is_component = at.matches('/').count() == 3;
        if is_component || !self.schemas.contains_key(&name) {
            self.schemas.insert(name, at);
        }
    }

    /// Records the operations with their own ids, and the inline object schemas within them.
    fn operations(&mut self, api: &Api) {
        let mut ids = BTreeMap::new();
        for operation in &api.operations {
            let at = &operation.origin.pointer;
            let place = pointer::join(at, "operationId");
            if self.document.at(&place).is_some() {
                ids.insert(at.as_str(), plain(&operation.id));
                self.operations.insert(plain(&operation.id), place);
            }
        }
        for schema in &api.schemas {
            let at = &schema.pointer;
            // As in `/paths/~1pets/get/responses/200`.
            let end = at.match_indices('/').nth(3);
            let operation = end.and_then(|(end, _)| ids.get(&at[..end]));
            let properties = &schema.object.properties;
            let Some(operation) = operation.filter(|_| !properties.is_empty()) else {
                continue;
            };
            let mut properties: Vec<_> = properties.iter().map(|one| plain(&one.name)).collect();
            properties.sort_unstable();
            self.in_place.push(InPlace {
                operation: operation.clone(),
                status: status_of(at),
                properties,
                at: at.clone(),
            });
        }
    }

    fn items(&self, items: &mut [Item]) {
        for item in items {
            match item {
                Item::Mod(ItemMod {
                    content: Some((_, items)),
                    ..
                }) => self.items(items),
                Item::Struct(item) => {
                    let name = item.ident.to_string();
                    let at = self
                        .object(&name, &item.fields)
                        .or_else(|| self.place(&name));
                    self.attribute(&mut item.attrs, at.as_deref());
                    if let (Some(at), Fields::Named(fields)) = (at, &mut item.fields) {
                        let properties = self.properties(&at);
                        for field in &mut fields.named {
                            let Some(name) = &field.ident else { continue };
                            let property = properties.get(&plain(&name.to_string()));
                            self.attribute(&mut field.attrs, property.map(String::as_str));
                        }
                    }
                }
                Item::Enum(item) => {
                    let at = self.place(&item.ident.to_string());
                    self.attribute(&mut item.attrs, at.as_deref());
                }
                Item::Type(item) => {
                    let at = self.place(&item.ident.to_string());
                    self.attribute(&mut item.attrs, at.as_deref());
                }
                Item::Impl(item) => {
                    let Type::Path(owner) = &*item.self_ty else {
                        continue;
                    };
                    if !owner.path.is_ident("Client") {
                        continue;
                    }
                    for item in &mut item.items {
                        if let syn::ImplItem::Fn(method) = item {
                            let at = self.operations.get(&plain(&method.sig.ident.to_string()));
                            self.attribute(&mut method.attrs, at.map(String::as_str));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The schema within an operation with the fields of a struct.
    fn object(&self, name: &str, fields: &Fields) -> Option<String> {
        let name = plain(name);
        if self.schemas.contains_key(&name) {
            return None;
        }
        let fields = fields.iter().filter_map(|field| field.ident.as_ref());
        let mut fields: Vec<_> = fields.map(|field| plain(&field.to_string())).collect();
        fields.sort_unstable();
        let of_operation = self.in_place.iter();
        let mut alike =
            of_operation.filter(|one| name.starts_with(&one.operation) && one.properties == fields);
        // The types of two responses can have the same fields. Their names have those of the statuses.
        let length_of_status = |one: &InPlace| {
            let rest = name.strip_prefix(&one.operation)?;
            let status = one.status.as_ref();
            status
                .filter(|status| rest.contains(*status))
                .map(String::len)
        };
        let first = alike.next()?;
        let longest = |best, one| match length_of_status(one) > length_of_status(best) {
            true => one,
            false => best,
        };
        Some(alike.fold(first, longest).at.clone())
    }

    /// The place whose name is this one, or its beginning.
    fn place(&self, name: &str) -> Option<String> {
        let name = plain(name);
        let exact = self.schemas.get(&name).or(self.operations.get(&name));
        let beginnings = (0..name.len()).rev().filter_map(|end| name.get(..end));
        let mut known =
            beginnings.filter_map(|begin| self.operations.get(begin).or(self.schemas.get(begin)));
        exact.or_else(|| known.next()).cloned()
    }

    /// The pointers of the properties of a schema, by their normalized names: its own, those of its reference's target,
    /// and those of the parts of its `allOf`. The first of a name counts.
    fn properties(&self, at: &str) -> HashMap<String, String> {
        let mut properties = HashMap::new();
        let mut passed = HashSet::new();
        let mut rest = vec![at.to_owned()];
        while let Some(at) = rest.pop() {
            let node = self.document.at(&at);
            let Some((at, node)) = node.and_then(|node| self.document.follow(node, &at)) else {
                continue;
            };
            // Several parts can have the same part.
            if !passed.insert(at.clone()) {
                continue;
            }
            let list = format!("{at}/properties");
            for (name, _) in node.get("properties").into_iter().flat_map(Node::members) {
                let place = pointer::join(&list, name);
                properties.entry(plain(name)).or_insert(place);
            }
            let parts = node.get("allOf").map(Node::elements).unwrap_or_default();
            // The first part is next.
            let parts = (0..parts.len()).rev();
            rest.extend(parts.map(|part| format!("{at}/allOf/{part}")));
        }
        properties
    }

    /// Adds a place at the end of an item's documentation.
    fn attribute(&self, attributes: &mut Vec<Attribute>, at: Option<&str>) {
        let Some(span) = at.and_then(|at| self.document.key_span(at)) else {
            return;
        };
        let text = format!(" {}", places::line(&self.lines.place(span.start)));
        let is_doc = |attribute: &Attribute| attribute.path().is_ident("doc");
        let end = attributes
            .iter()
            .rposition(is_doc)
            .map_or(0, |last| last + 1);
        attributes.insert(end, parse_quote!(#[doc = #text]));
        if end > 0 {
            attributes.insert(end, parse_quote!(#[doc = ""]));
        }
    }
}

/// The normalized form of a name, independent of its case: its letters and digits.
fn plain(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let kept = name.chars().filter(|char| char.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    const TEXT: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /a:
    post:
      operationId: read
      requestBody:
        content:
          application/json:
            example: {properties: {name: x}}
            schema: {type: object}
      responses:
        '200':
          description: Good.
          content:
            application/json:
              schema: {type: object, required: [name], properties: {name: {type: string}}}
";

    #[test]
    fn the_place_of_an_inline_type_is_its_schema_and_no_example() {
        let document = Document::load("test.yaml", TEXT).expect("YAML");
        let client = crate::emit::client::generate(&document).expect("a client");
        let code = client.tokens.to_string();
        assert!(code.contains("`test.yaml:17`"), "{code}");
        assert!(!code.contains("`test.yaml:10`"), "{code}");
    }

    /// The parts of a schema are read once for all fields of its struct.
    #[test]
    fn a_schema_of_many_parts_has_the_places_of_their_properties() {
        let part = |part: usize| {
            let properties = (0..100).map(|index| format!("p{part}x{index}: {{type: string}}"));
            let properties: Vec<String> = properties.collect();
            format!(
                "    P{part}: {{type: object, properties: {{{}}}}}\n",
                properties.join(", ")
            )
        };
        let parts: String = (0..500).map(part).collect();
        let references = (0..500).map(|part| format!("{{$ref: '#/components/schemas/P{part}'}}"));
        let references: Vec<String> = references.collect();
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  \
             schemas:\n{parts}    S: {{allOf: [{}]}}\n",
            references.join(", ")
        );
        let document = Document::load("test.yaml", &text).expect("YAML");
        let api = crate::lower::lower(&document, "test").expect("an IR").api;
        let properties = super::Marker::new(&document, &api).properties("/components/schemas/S");
        assert_eq!(properties.len(), 50_000);
        assert_eq!(
            properties.get("p499x99").map(String::as_str),
            Some("/components/schemas/P499/properties/p499x99")
        );
    }

    #[test]
    fn a_property_of_a_part_at_any_depth_has_its_place() {
        let part = |depth: usize| {
            let next = depth + 1;
            format!(
                "    P{depth}: {{allOf: [{{$ref: '#/components/schemas/P{next}'}}, {{type: object, \
                 properties: {{a: {{type: string}}, c: {{type: string}}}}}}]}}\n"
            )
        };
        let parts: String = (0..12).map(part).collect();
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{parts}    \
             P12: {{type: object, properties: {{a: {{type: string}}, b: {{type: string}}}}}}\n"
        );
        let document = Document::load("test.yaml", &text).expect("YAML");
        let api = crate::lower::lower(&document, "test").expect("an IR").api;
        let properties = super::Marker::new(&document, &api).properties("/components/schemas/P0");
        for (name, expected) in [
            ("a", "/components/schemas/P12/properties/a"),
            ("b", "/components/schemas/P12/properties/b"),
            ("c", "/components/schemas/P11/allOf/1/properties/c"),
        ] {
            assert_eq!(properties.get(name).map(String::as_str), Some(expected));
        }
    }
}
