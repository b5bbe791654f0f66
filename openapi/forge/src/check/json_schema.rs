//! Translates a schema of OpenAPI 3.0 into JSON Schema (draft 2020-12).
//!
//! OpenAPI 3.0 took an early draft and changed it: `nullable`, exclusive bounds that are flags,
//! formats that bound numbers, `required` that depends on the direction. An independent validator
//! needs the schema in the words of JSON Schema. `pattern` means ECMA 262 in both.
//!
//! The result contains the referenced schemas of the document under `$defs`.

use std::collections::{BTreeSet, HashMap, HashSet};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::document_index::Direction;
use crate::document::{Diagnostic, Document, Node, References, pointer};
use crate::lower;
use crate::structure::integer_range;

/// Keywords that mean the same in both.
const SAME: [&str; 13] = [
    "enum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "title",
    "uniqueItems",
];

/// The maximum number of definitions. A schema has one for each set of properties that the schemas
/// around it restrict to the other direction, and compositions can have 2^n of these sets.
const MAX_DEFINITIONS: usize = 20_000;

/// The schema at `pointer` as JSON Schema, for bodies of this direction.
///
/// # Errors
///
/// An unresolved reference in it, or in a schema that it refers to. Also a schema with too many
/// definitions.
pub fn of<'d>(
    document: &'d Document,
    schema: &'d Node,
    pointer: &str,
    direction: Direction,
) -> Result<Value, Diagnostic> {
    Conversion::new(document, direction, None).with_definitions(schema, pointer)
}

/// As [`of`], for values of one shape only: without the schemas that no part of them reaches.
pub(super) fn of_shape<'d>(
    document: &'d Document,
    schema: &'d Node,
    pointer: &str,
    direction: Direction,
    shape: &'d Shape,
) -> Result<Value, Diagnostic> {
    Conversion::new(document, direction, Some(shape)).with_definitions(schema, pointer)
}

/// The parts that a value has. A schema can refer to a whole document, and its values reach little
/// of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// The names of all members, at any depth.
    names: BTreeSet<String>,
    has_lists: bool,
    has_objects: bool,
}

impl Shape {
    pub(super) fn of(value: &Value) -> Shape {
        let mut shape = Shape::default();
        shape.add(value);
        shape
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Array(elements) => {
                self.has_lists = true;
                elements.iter().for_each(|element| self.add(element));
            }
            Value::Object(members) => {
                self.has_objects = true;
                for (name, member) in members {
                    self.names.insert(name.clone());
                    self.add(member);
                }
            }
            _ => {}
        }
    }
}

/// A validator that checks formats.
///
/// # Errors
///
/// Why the schema is invalid.
pub fn validator(schema: &Value) -> Result<Validator, String> {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .with_format("byte", is_base64)
        .build(schema)
        .map_err(|error| error.to_string())
}

/// Base64 with its padding (RFC 4648 section 4), the meaning of `byte`.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - digits.len() <= 2
        && digits
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
}

struct Conversion<'d> {
    references: References<'d>,
    direction: Direction,
    /// The shape of the values, if it is known.
    shape: Option<&'d Shape>,
    /// The name in `$defs` of a referenced schema, by pointer and exemptions.
    names: HashMap<(String, Exempt), String>,
    /// Referenced schemas that are not converted yet: name, pointer, node and exemptions.
    waiting: Vec<(String, String, &'d Node, Exempt)>,
}

/// The names of properties that the enclosing schemas restrict to the other direction. They need
/// not be present, even if a part of those schemas requires them.
type Exempt = BTreeSet<String>;

impl<'d> Conversion<'d> {
    fn new(document: &'d Document, direction: Direction, shape: Option<&'d Shape>) -> Self {
        Conversion {
            references: References::new(document),
            direction,
            shape,
            names: HashMap::new(),
            waiting: Vec::new(),
        }
    }

    /// A schema with the schemas that it refers to.
    fn with_definitions(mut self, schema: &'d Node, pointer: &str) -> Result<Value, Diagnostic> {
        let mut root = self.schema(schema, pointer, &Exempt::new())?;
        let mut definitions = Map::new();
        while let Some((name, pointer, node, exempt)) = self.waiting.pop() {
            let definition = self.schema(node, &pointer, &exempt)?;
            definitions.insert(name, definition);
        }
        if let Value::Object(root) = &mut root {
            root.insert(
                "$schema".into(),
                "https://json-schema.org/draft/2020-12/schema".into(),
            );
            root.insert("$defs".into(), definitions.into());
        }
        Ok(root)
    }

    /// Whether a value may have a part that a keyword describes.
    fn is_reached(&self, keyword: &str) -> bool {
        self.shape.is_none_or(|shape| match keyword {
            "items" => shape.has_lists,
            "additionalProperties" => shape.has_objects,
            _ => true,
        })
    }

    fn schema(&mut self, node: &'d Node, at: &str, exempt: &Exempt) -> Result<Value, Diagnostic> {
        let Some(object) = node.as_object() else {
            // `additionalProperties: false` and the like. The generator rejects any other value that
            // is not a schema.
            return Ok(node.as_bool().map_or(json!({}), Value::Bool));
        };
        if object.contains_key("$ref") {
            return self.reference(node, at, exempt);
        }
        let mut exempt = exempt.clone();
        self.add_exempt(node, at, &mut HashSet::new(), &mut exempt);
        let mut schema = Map::new();
        for keyword in SAME {
            if let Some(value) = object.get(keyword) {
                schema.insert(keyword.into(), value.to_json());
            }
        }
        for keyword in ["items", "not", "additionalProperties"] {
            if let Some(value) = object.get(keyword)
                && self.is_reached(keyword)
            {
                let value = self.schema(value, &pointer::join(at, keyword), &Exempt::new())?;
                schema.insert(keyword.into(), value);
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            if let Some(values) = object.get(keyword).and_then(Node::as_array) {
                let values = self.list(values, &pointer::join(at, keyword), &exempt)?;
                schema.insert(keyword.into(), values);
            }
        }
        self.properties(node, at, &exempt, &mut schema)?;
        exclusive_bounds(node, &mut schema);
        if let Some(format) = node.text("format") {
            apply_format(format, &mut schema);
        }
        if let Some(pattern) = node.text("pattern") {
            apply_counts(pattern, &mut schema);
        }
        if let Some(name) = node.text("type") {
            schema.insert("type".into(), name.into());
        }
        let nullable = node.flag("nullable");
        // An enumeration must list `null` (OpenAPI 3.0.3, `nullable`).
        let listed = node.get("enum").and_then(Node::as_array);
        let lists_null = listed.is_none_or(|values| values.iter().any(Node::is_null));
        Ok(if nullable && lists_null {
            or_null(schema)
        } else {
            schema.into()
        })
    }

    /// Adds the properties of a schema and of its `allOf` that only the other direction has.
    fn add_exempt(
        &self,
        node: &'d Node,
        at: &str,
        seen: &mut HashSet<String>,
        exempt: &mut Exempt,
    ) {
        let Ok((at, node)) = self.references.follow(node, at) else {
            return;
        };
        if !seen.insert(at.clone()) {
            return;
        }
        let other_way = match self.direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
        };
        for (name, entry) in node.members_of("properties") {
            let at = pointer::join(&pointer::join(&at, "properties"), name);
            let property = self.references.follow(&entry.value, &at);
            if property.is_ok_and(|(_, property)| property.flag(other_way)) {
                exempt.insert(name.to_owned());
            }
        }
        for (index, part) in node.elements_of("allOf").iter().enumerate() {
            let at = pointer::join(&pointer::join(&at, "allOf"), &index.to_string());
            self.add_exempt(part, &at, seen, exempt);
        }
    }

    fn list(&mut self, nodes: &'d [Node], at: &str, exempt: &Exempt) -> Result<Value, Diagnostic> {
        nodes
            .iter()
            .enumerate()
            .map(|(index, node)| self.schema(node, &pointer::join(at, &index.to_string()), exempt))
            .collect()
    }

    /// In OpenAPI 3.0, members beside `$ref` do not count.
    fn reference(
        &mut self,
        node: &'d Node,
        at: &str,
        exempt: &Exempt,
    ) -> Result<Value, Diagnostic> {
        let found = self.references.follow(node, at);
        let (pointer, target) = found.map_err(|unresolved| unresolved.finding)?;
        let key = (pointer.clone(), exempt.clone());
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None if self.names.len() == MAX_DEFINITIONS => {
                let message = format!(
                    "the properties of one direction divide the schemas around this one into more than \
                     {MAX_DEFINITIONS} parts"
                );
                let finding = Diagnostic::error("example-invalid", node.span, message);
                return Err(finding.help("declare them in fewer schemas of `anyOf` and `oneOf`"));
            }
            None => {
                // The last part is for people; the number prevents collisions.
                let last = pointer::segments(&pointer).next_back();
                let word: String = last
                    .unwrap_or_default()
                    .chars()
                    .filter(char::is_ascii_alphanumeric)
                    .collect();
                let name = format!("{word}-{}", self.names.len());
                self.names.insert(key, name.clone());
                self.waiting
                    .push((name.clone(), pointer, target, exempt.clone()));
                name
            }
        };
        Ok(json!({"$ref": format!("#/$defs/{name}")}))
    }

    /// Whether servers reject a property in this direction. They accept a `readOnly` one in requests.
    fn is_never_sent(&self, property: &'d Node, at: &str) -> bool {
        let property = self.references.follow(property, at);
        self.direction == Direction::Response
            && property.is_ok_and(|(_, property)| property.flag("writeOnly"))
    }

    /// Converts `properties` and `required`. A property of the other direction is not required.
    fn properties(
        &mut self,
        node: &'d Node,
        at: &str,
        exempt: &Exempt,
        schema: &mut Map<String, Value>,
    ) -> Result<(), Diagnostic> {
        let properties = node.get("properties").and_then(Node::as_object);
        let at = pointer::join(at, "properties");
        let mut converted = Map::new();
        for (name, entry) in properties.into_iter().flat_map(|p| p.iter()) {
            let is_reached = self.shape.is_none_or(|shape| shape.names.contains(name));
            let at = pointer::join(&at, name);
            let property = match is_reached {
                true if self.is_never_sent(&entry.value, &at) => Value::Bool(false),
                true => self.schema(&entry.value, &at, &Exempt::new())?,
                false => Value::Bool(true),
            };
            converted.insert(name.to_owned(), property);
        }
        if properties.is_some() {
            schema.insert("properties".into(), converted.into());
        }
        let required: Vec<Value> = node
            .elements_of("required")
            .iter()
            .filter_map(Node::as_str)
            .filter(|name| !exempt.contains(*name))
            .map(Value::from)
            .collect();
        if !required.is_empty() {
            schema.insert("required".into(), required.into());
        }
        Ok(())
    }
}

/// `exclusiveMinimum: true` excludes the value of `minimum`.
fn exclusive_bounds(node: &Node, schema: &mut Map<String, Value>) {
    for (flag, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if node.flag(flag)
            && let Some(value) = schema.remove(bound)
        {
            schema.insert(flag.into(), value);
        }
    }
}

/// The formats of numbers become bounds. The validator checks those of strings.
fn apply_format(format: &str, schema: &mut Map<String, Value>) {
    let Some((least, most)) = integer_range(format) else {
        schema.insert("format".into(), format.into());
        return;
    };
    also(json!({"minimum": least, "maximum": most}), schema);
}

/// A large count becomes a length: the validator takes seconds to repeat a part as often.
fn apply_counts(pattern: &str, schema: &mut Map<String, Value>) {
    let Some(counted) = lower::counted(pattern) else {
        return;
    };
    schema.insert("pattern".into(), counted.expression.into());
    also(json!({"minLength": counted.least}), schema);
    if let Some(most) = counted.most {
        also(json!({"maxLength": most}), schema);
    }
}

/// Adds a schema for which values must also be valid.
fn also(bounds: Value, schema: &mut Map<String, Value>) {
    match schema.entry("allOf").or_insert_with(|| json!([])) {
        Value::Array(all) => all.push(bounds),
        other => *other = json!([bounds]),
    }
}

/// Allows `null` beside the values of the schema.
fn or_null(mut schema: Map<String, Value>) -> Value {
    let is_composed = ["allOf", "anyOf", "oneOf", "not"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword));
    if !is_composed && let Some(name) = schema.remove("type") {
        schema.insert("type".into(), json!([name, "null"]));
        return schema.into();
    }
    json!({"anyOf": [schema, {"type": "null"}]})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema `S` of a document with these schemas.
    fn converted(schemas: &str, direction: Direction) -> Value {
        let text = format!("components: {{schemas: {schemas}}}");
        let document = Document::load("x.yaml", &text).expect("a document");
        let at = "/components/schemas/S";
        let node = document.at(at).expect("the schema");
        let mut schema = of(&document, node, at, direction).expect("a schema");
        let object = schema.as_object_mut().expect("an object");
        object.shift_remove("$schema");
        if object["$defs"] == json!({}) {
            object.shift_remove("$defs");
        }
        schema
    }

    fn response(schemas: &str) -> Value {
        converted(schemas, Direction::Response)
    }

    #[test]
    fn a_nullable_schema_also_allows_null() {
        assert_eq!(
            response("{S: {type: string, nullable: true}}"),
            json!({"type": ["string", "null"]})
        );
        assert_eq!(
            response("{S: {nullable: true, allOf: [{type: object}]}}"),
            json!({"anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]})
        );
    }

    #[test]
    fn exclusive_bounds_become_bounds_of_their_own() {
        assert_eq!(
            response(
                "{S: {minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false}}"
            ),
            json!({"exclusiveMinimum": 1, "maximum": 2})
        );
    }

    #[test]
    fn integer_formats_become_bounds() {
        assert_eq!(
            response("{S: {type: integer, format: int32}}"),
            json!({"type": "integer", "allOf": [{"minimum": i32::MIN, "maximum": i32::MAX}]})
        );
    }

    #[test]
    fn a_large_count_of_a_pattern_becomes_a_length() {
        assert_eq!(
            response("{S: {type: string, pattern: '^.{1,65535}$'}}"),
            json!({
                "pattern": "^.*$",
                "type": "string",
                "allOf": [{"minLength": 1}, {"maxLength": 65535}],
            })
        );
        assert_eq!(
            response("{S: {pattern: '^.{1,100}$'}}"),
            json!({"pattern": "^.{1,100}$"})
        );
    }

    #[test]
    fn a_property_of_the_other_direction_is_not_required() {
        let schemas = "{S: {required: [a, b, c], properties: \
                       {a: {readOnly: true}, b: {writeOnly: true}, c: {}}}}";
        assert_eq!(
            converted(schemas, Direction::Request)["required"],
            json!(["b", "c"])
        );
        assert_eq!(response(schemas)["required"], json!(["a", "c"]));
        assert_eq!(response(schemas)["properties"]["b"], json!(false));
    }

    #[test]
    fn a_part_does_not_require_a_property_that_another_part_restricts_to_the_other_direction() {
        let parts =
            "{allOf: [{properties: {a: {readOnly: true}}}, {$ref: '#/components/schemas/T'}]}";
        let schemas = format!("{{S: {parts}, T: {{required: [a, b]}}}}");
        let request = converted(&schemas, Direction::Request);
        assert_eq!(request["$defs"]["T-0"], json!({"required": ["b"]}));
        let response = converted(&schemas, Direction::Response);
        assert_eq!(response["$defs"]["T-0"], json!({"required": ["a", "b"]}));
    }

    /// Each of 16 schemas has two alternatives with another read-only property: 2^16 sets of them.
    #[test]
    fn a_schema_has_a_limited_number_of_definitions() {
        let schemas: Vec<String> = (0..16)
            .map(|number| {
                let next = format!("{{$ref: '#/components/schemas/S{}'}}", number + 1);
                let part = |name: &str| {
                    format!("{{allOf: [{{properties: {{{name}{number}: {{readOnly: true}}}}}}, {next}]}}")
                };
                format!("S{number}: {{anyOf: [{}, {}]}}", part("a"), part("b"))
            })
            .collect();
        let text = format!(
            "components: {{schemas: {{{}, S16: {{required: [a0]}}}}}}",
            schemas.join(", ")
        );
        let document = Document::load("x.yaml", &text).expect("a document");
        let at = "/components/schemas/S0";
        let node = document.at(at).expect("the schema");
        let found = of(&document, node, at, Direction::Request).expect_err("too many");
        assert!(
            found.message.ends_with("more than 20000 parts"),
            "{}",
            found.message
        );
        assert!(of(&document, node, at, Direction::Response).is_ok());
    }

    #[test]
    fn an_enumeration_allows_null_only_if_it_lists_it() {
        assert_eq!(
            response("{S: {type: string, nullable: true, enum: [a]}}"),
            json!({"enum": ["a"], "type": "string"})
        );
        assert_eq!(
            response("{S: {type: string, nullable: true, enum: [a, null]}}"),
            json!({"enum": ["a", null], "type": ["string", "null"]})
        );
        assert_eq!(
            response("{S: {type: object, nullable: true, allOf: [{type: object}]}}"),
            json!({"anyOf": [{"allOf": [{"type": "object"}], "type": "object"}, {"type": "null"}]})
        );
    }

    #[test]
    fn schemas_that_a_value_does_not_reach_are_omitted() {
        let text = "components: {schemas: {S: {properties: {s: {$ref: '#/components/schemas/T'}, a: {type: string}}, \
                    items: {$ref: '#/components/schemas/T'}, additionalProperties: false, \
                    allOf: [{$ref: '#/components/schemas/U'}]}, T: {type: string}, U: {type: object}}}";
        let document = Document::load("x.yaml", text).expect("a document");
        let at = "/components/schemas/S";
        let node = document.at(at).expect("the schema");
        let shape = Shape::of(&json!({"a": 1}));
        let schema = of_shape(&document, node, at, Direction::Response, &shape).expect("a schema");
        assert_eq!(
            schema["properties"],
            json!({"s": true, "a": {"type": "string"}})
        );
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema.get("items"), None);
        assert_eq!(schema["$defs"], json!({"U-0": {"type": "object"}}));
    }

    #[test]
    fn each_referenced_schema_is_defined_once_even_in_circles() {
        let schema = response(
            "{S: {properties: {s: {$ref: '#/components/schemas/S', description: gone}, \
             t: {$ref: '#/components/schemas/T'}}}, T: {type: string}}",
        );
        assert_eq!(schema["properties"]["s"], json!({"$ref": "#/$defs/S-0"}));
        assert_eq!(
            schema["$defs"],
            json!({
                "T-1": {"type": "string"},
                "S-0": {"properties": {"s": {"$ref": "#/$defs/S-0"}, "t": {"$ref": "#/$defs/T-1"}}},
            })
        );
    }
}
