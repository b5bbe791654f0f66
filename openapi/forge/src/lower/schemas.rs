//! Schemas: every keyword of OpenAPI 3.0.3's Schema Object, with references
//! resolved.
//!
//! A schema gets its id at the first reference to it, and waits in a queue until its keywords are
//! read. So neither recursion nor a long chain of references deepens the stack.

use super::cursor::Cursor;
use super::formats;
use super::lowering::Lowering;
use super::patterns::{self, Problem};
use crate::document::{Diagnostic, is_own_name, similar};
use crate::ir::{
    Additional, ArrayRules, Discriminator, Number, NumberRules, ObjectRules, Pattern, Property,
    Schema, SchemaId, StringRules, Types,
};
use crate::structure;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The extension that hides a text from `Debug`.
const SECRET: &str = "x-dropforge-secret";

/// The extension by which a server reads an integer in place of a string of digits.
const OR_INTEGER: &str = "x-dropforge-or-integer";

/// The values of `type`.
const TYPES: [(&str, Types); 6] = [
    ("boolean", Types::Boolean),
    ("integer", Types::Integer),
    ("number", Types::Number),
    ("string", Types::String),
    ("array", Types::Array),
    ("object", Types::Object),
];

impl<'d> Lowering<'d> {
    /// Lowers the schema at the cursor, or that it refers to, with every schema that it leads to.
    pub(super) fn schema(&mut self, cursor: &Cursor<'d>) -> Option<SchemaId> {
        let id = self.part(cursor);
        while let Some((id, cursor)) = self.schemas.waiting.pop_front() {
            self.keywords(id, &cursor);
        }
        id
    }

    /// The id of a schema within another one. Its keywords are read later.
    fn part(&mut self, cursor: &Cursor<'d>) -> Option<SchemaId> {
        let cursor = self.resolve(cursor)?;
        if let Some(id) = self.schemas.by_pointer.get(&cursor.pointer) {
            return Some(*id);
        }
        // Another type than an object has been rejected.
        cursor.node.as_object()?;
        let schema = Schema {
            pointer: cursor.pointer.clone(),
            place: self.place(&cursor),
            component: cursor
                .pointer
                .strip_prefix("/components/schemas/")
                .filter(|name| !name.contains('/'))
                .map(|name| name.replace("~1", "/").replace("~0", "~")),
            ..Schema::default()
        };
        let id = self.schemas.add(schema);
        self.schemas.by_pointer.insert(cursor.pointer.clone(), id);
        self.schemas.waiting.push_back((id, cursor));
        Some(id)
    }

    fn keywords(&mut self, id: SchemaId, cursor: &Cursor<'d>) {
        let types = self.types_keyword(cursor);
        let format = cursor.text("format");
        let checked = formats::checked(types, format.as_deref());
        let schema = Schema {
            title: cursor.text("title"),
            description: cursor.text("description"),
            types,
            nullable: cursor.flag("nullable"),
            format,
            number: NumberRules {
                format: checked.clone().filter(|_| types != Types::String),
                ..self.number_rules(cursor)
            },
            string: StringRules {
                format: checked.filter(|_| types == Types::String),
                ..self.string_rules(cursor)
            },
            array: self.array_rules(cursor),
            object: self.object_rules(cursor),
            enumeration: self.enumeration(cursor),
            default: cursor.get("default").map(|default| default.node.to_json()),
            all_of: self.schema_list(cursor, "allOf"),
            any_of: self.schema_list(cursor, "anyOf"),
            one_of: self.schema_list(cursor, "oneOf"),
            not: cursor.get("not").and_then(|not| self.part(&not)),
            discriminator: self.discriminator(cursor),
            read_only: cursor.flag("readOnly"),
            write_only: cursor.flag("writeOnly"),
            secret: self.secret(cursor),
            ..self.schemas.all[id.0].clone()
        };
        formats::record(self, cursor, schema.types);
        self.schemas.all[id.0] = match self.or_integer(cursor, &schema) {
            true => self.string_or_integer(schema),
            false => schema,
        };
    }

    /// Whether a server also reads an integer where the document has a string.
    fn or_integer(&mut self, cursor: &Cursor<'d>, schema: &Schema) -> bool {
        let Some(flag) = cursor.get(OR_INTEGER) else {
            return false;
        };
        let is_plain = schema.types == Types::String
            && schema.format.is_none()
            && schema.enumeration.is_none();
        if !is_plain {
            self.refuse(
                "or-integer-not-a-string",
                flag.span(),
                format!("`{OR_INTEGER}` belongs to a plain string"),
                "write `x-dropforge-or-integer: true` beside `type: string`",
            );
        }
        is_plain && cursor.flag(OR_INTEGER)
    }

    /// The schema of a server: the string of the document, or an int64 in its place. Callers see a
    /// document with the string alone.
    fn string_or_integer(&mut self, schema: Schema) -> Schema {
        let part = |types| Schema {
            pointer: schema.pointer.clone(),
            place: schema.place.clone(),
            types,
            ..Schema::default()
        };
        let text = Schema {
            string: schema.string.clone(),
            secret: schema.secret,
            ..part(Types::String)
        };
        let integer = Schema {
            format: Some("int64".to_owned()),
            number: NumberRules {
                format: formats::checked(Types::Integer, Some("int64")),
                ..NumberRules::default()
            },
            ..part(Types::Integer)
        };
        let one_of = [text, integer].map(|alternative| self.schemas.add(alternative));
        Schema {
            types: Types::Any,
            string: StringRules::default(),
            secret: false,
            or_integer: true,
            one_of: one_of.to_vec(),
            ..schema
        }
    }

    /// A schema of any text, instead of another one.
    pub(super) fn any_text(&mut self, instead: SchemaId) -> SchemaId {
        let Schema { pointer, place, .. } = self.schemas.get(instead).clone();
        self.schemas.add(Schema {
            pointer,
            place,
            types: Types::String,
            ..Schema::default()
        })
    }

    /// Whether `Debug` hides a value. Only texts are secret, so that no other type loses its
    /// meaning.
    fn secret(&mut self, cursor: &Cursor<'d>) -> bool {
        let is_text = cursor.text("type").as_deref() == Some("string");
        if let Some(flag) = cursor.get(SECRET)
            && !is_text
        {
            self.refuse(
                "secret-not-a-string",
                flag.span(),
                format!("`{SECRET}` belongs to a schema of the type `string`"),
                "write `x-dropforge-secret: true` beside `type: string`",
            );
        }
        is_text && (cursor.flag(SECRET) || cursor.text("format").as_deref() == Some("password"))
    }

    fn types_keyword(&mut self, cursor: &Cursor<'d>) -> Types {
        let Some(name) = cursor.text("type") else {
            return Types::Any;
        };
        if let Some((_, types)) = TYPES.into_iter().find(|(known, _)| *known == name) {
            return types;
        }
        let help = match name.as_str() {
            "null" => "write `nullable: true` beside the type",
            "file" => "write `type: string` with `format: binary`",
            _ => "use boolean, integer, number, string, array or object",
        };
        self.refuse_near(
            "schema-type",
            cursor.span_of("type"),
            format!("there is no type `{name}`"),
            similar::nearest(TYPES.map(|(known, _)| known), &name, 2),
            help,
        );
        Types::Any
    }

    fn number_rules(&mut self, cursor: &Cursor<'d>) -> NumberRules {
        let minimum = self.number(cursor, "minimum");
        let maximum = self.number(cursor, "maximum");
        let multiple_of = self.number(cursor, "multipleOf");
        let is_positive = match multiple_of {
            Some(Number::Integer(number)) => number > 0,
            Some(Number::Float(number)) => number > 0.0,
            None => true,
        };
        if let (false, Some(node)) = (is_positive, cursor.get("multipleOf")) {
            self.refuse(
                "multiple-of",
                node.span(),
                "`multipleOf` is not positive",
                "write a number above 0, or remove the keyword",
            );
        }
        NumberRules {
            minimum: minimum.map(|bound| (bound, cursor.flag("exclusiveMinimum"))),
            maximum: maximum.map(|bound| (bound, cursor.flag("exclusiveMaximum"))),
            multiple_of,
            format: None,
        }
    }

    fn number(&mut self, cursor: &Cursor<'d>, key: &str) -> Option<Number> {
        let node = cursor.get(key)?;
        let Value::Number(number) = node.node.to_json() else {
            return None;
        };
        match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) => Some(Number::Integer(integer.into())),
            (None, Some(integer)) => Some(Number::Integer(integer.into())),
            // The tree has an integer of more than 64 bits as a fraction, and the text is exact.
            (None, None) => match self
                .text_of(&node)
                .and_then(|text| text.parse::<i128>().ok())
            {
                Some(integer) => Some(Number::Integer(integer)),
                None => number.as_f64().map(Number::Float),
            },
        }
    }

    /// Whether a number is written as an integer.
    fn is_integer(&self, cursor: &Cursor<'d>) -> bool {
        self.text_of(cursor).is_some_and(|text| {
            let digits = text.trim_start_matches(['-', '+']);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    fn text_of(&self, cursor: &Cursor<'d>) -> Option<&str> {
        self.document.source.text_of(cursor.span())
    }

    fn string_rules(&mut self, cursor: &Cursor<'d>) -> StringRules {
        StringRules {
            min_length: count(cursor, "minLength"),
            max_length: count(cursor, "maxLength"),
            pattern: self.pattern(cursor),
            format: None,
        }
    }

    fn pattern(&mut self, cursor: &Cursor<'d>) -> Option<Pattern> {
        let source = cursor.text("pattern")?;
        let span = cursor.span_of("pattern");
        if let Some(finding) = patterns::check_dialect(&source, span) {
            self.report(finding);
            return None;
        }
        match self.expressions.pattern(&source) {
            Ok(pattern) => {
                if let Some(finding) = patterns::check_meaning(&source, span) {
                    self.report(finding);
                    return None;
                }
                let doubled = patterns::doubled_backslash(&source, span);
                let wide = patterns::wide_range(&source, span);
                let warnings = doubled.into_iter().chain(wide);
                warnings.for_each(|warning| self.report(warning));
                Some(pattern)
            }
            Err(Problem::Invalid(error)) => {
                let help = self.document.source.help_for_cut(span);
                self.refuse(
                    "pattern",
                    span,
                    format!("this pattern is not a regular expression of ECMA 262: {error}"),
                    help.as_deref()
                        .unwrap_or("OpenAPI's patterns are those of JavaScript"),
                );
                None
            }
            Err(Problem::Unsupported(reason)) => {
                self.refuse(
                    "pattern",
                    span,
                    format!("no engine of the server matches this pattern: {reason}"),
                    "write it in a simpler form; `maxLength` limits lengths at less cost",
                );
                None
            }
        }
    }

    fn array_rules(&mut self, cursor: &Cursor<'d>) -> ArrayRules {
        ArrayRules {
            items: cursor.get("items").and_then(|items| self.part(&items)),
            min_items: count(cursor, "minItems"),
            max_items: count(cursor, "maxItems"),
            unique: cursor.flag("uniqueItems"),
        }
    }

    fn object_rules(&mut self, cursor: &Cursor<'d>) -> ObjectRules {
        let mut properties = Vec::new();
        for (name, property) in cursor.members_of("properties") {
            if let Some(schema) = self.part(&property) {
                properties.push(Property {
                    name: name.to_string(),
                    schema,
                    place: self.place(&property),
                });
            }
        }
        let required = cursor.elements_of("required").into_iter();
        let required = required.filter_map(|name| name.node.as_str().map(str::to_string));
        let additional = match cursor.get("additionalProperties") {
            None => Additional::Unspecified,
            Some(node) => match node.node.as_bool() {
                Some(true) => Additional::Allowed,
                Some(false) => Additional::Denied,
                None => self
                    .part(&node)
                    .map_or(Additional::Allowed, Additional::Schema),
            },
        };
        ObjectRules {
            properties,
            required: required.collect(),
            additional,
            min_properties: count(cursor, "minProperties"),
            max_properties: count(cursor, "maxProperties"),
        }
    }

    fn enumeration(&mut self, cursor: &Cursor<'d>) -> Option<Vec<Value>> {
        let node = cursor.get("enum")?;
        if node.node.as_array().is_none_or(|values| values.is_empty()) {
            self.report(Diagnostic::error(
                "enum",
                node.span(),
                "`enum` is not a list with at least one value",
            ));
            return None;
        }
        let values = node.elements();
        for value in &values {
            let number = value.node.to_json();
            if number.is_f64() && self.is_integer(value) {
                self.refuse(
                    "integer-too-large",
                    value.span(),
                    "a value of `enum` has more than 64 bits",
                    "write it as a string, or remove it",
                );
            }
        }
        Some(values.iter().map(|value| value.node.to_json()).collect())
    }

    fn schema_list(&mut self, cursor: &Cursor<'d>, key: &str) -> Vec<SchemaId> {
        let Some(node) = cursor.get(key) else {
            return Vec::new();
        };
        let elements = node.elements();
        if elements.is_empty() {
            self.report(Diagnostic::error(
                "empty-combination",
                node.span(),
                format!("`{key}` is not a list with at least one schema"),
            ));
        }
        elements
            .iter()
            .filter_map(|element| self.part(element))
            .collect()
    }

    /// Explicit mappings first, then the names of the referenced components (OpenAPI 3.0.3, "Discriminator Object"), or the
    /// values of the property that lack this name.
    fn discriminator(&mut self, cursor: &Cursor<'d>) -> Option<Discriminator> {
        let node = cursor.get("discriminator")?;
        let property = node.text("propertyName")?;
        if cursor.get("oneOf").is_none() && cursor.get("anyOf").is_none() {
            self.warn(
                "discriminator-without-alternatives",
                node.span(),
                "the schemas that have this one in their `allOf` are not distinguished by the discriminator",
                "list them under `oneOf` in a schema of its own, with the discriminator beside it",
            );
        }
        let (mut mapping, mut names) = (Vec::new(), HashMap::new());
        for (value, target) in node.members_of("mapping") {
            let name = target.node.as_str().unwrap_or_default();
            let pointer = structure::discriminator_target(name);
            match self.document.at(&pointer) {
                Some(schema) => {
                    if let Some(id) = self.part(&Cursor {
                        node: schema,
                        pointer,
                    }) {
                        match is_own_name(self.key_span(&target), target.span()) {
                            true => _ = names.insert(id, value.to_string()),
                            false => mapping.push((value.to_string(), id)),
                        }
                    }
                }
                None => self.refuse(
                    "discriminator",
                    target.span(),
                    format!("there is no schema `{name}`"),
                    "name a component, or write `#/components/schemas/…`",
                ),
            }
        }
        self.map_alternatives(cursor, &property, &names, &mut mapping)?;
        Some(Discriminator { property, mapping })
    }

    /// Adds the alternatives that `mapping` lacks. `names` has the names of those that are called otherwise in their
    /// files. None if the property does not distinguish them: a discriminator does not change which values are valid.
    fn map_alternatives(
        &mut self,
        cursor: &Cursor<'d>,
        property: &str,
        names: &HashMap<SchemaId, String>,
        mapping: &mut Vec<(String, SchemaId)>,
    ) -> Option<()> {
        let mut mapped: HashSet<SchemaId> = mapping.iter().map(|(_, id)| *id).collect();
        let mut known: HashMap<String, SchemaId> = mapping.iter().cloned().collect();
        let keys = ["oneOf", "anyOf"].into_iter();
        for element in keys.flat_map(|key| cursor.elements_of(key)) {
            let Some(id) = self.part(&element) else {
                continue;
            };
            let schema = self.schemas.get(id);
            let Some(name) = names.get(&id).or(schema.component.as_ref()).cloned() else {
                continue;
            };
            if !mapped.insert(id) {
                continue;
            }
            let node = self.document.at(&schema.pointer);
            let tags = node.and_then(|node| {
                structure::discriminator_tags(self.document, node, property, &name)
            });
            for tag in tags.unwrap_or_else(|| vec![name]) {
                match known.insert(tag.clone(), id) {
                    Some(other) if other != id => return None,
                    Some(_) => {}
                    None => mapping.push((tag, id)),
                }
            }
        }
        Some(())
    }
}

fn count(cursor: &Cursor<'_>, key: &str) -> Option<u64> {
    cursor.node.get(key)?.as_u64()
}
