//! Schemas: everything a document says about values. Checks use only these, so they do not depend
//! on the Rust types.

use super::Place;
use indexmap::IndexSet;
use serde_json::Value;

/// Index of a schema in [`super::Api::schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub usize);

/// One schema with its references resolved.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// JSON Pointer of the schema, with references followed.
    pub pointer: String,
    /// The place of the schema, for people.
    pub place: Place,
    /// Name in `components/schemas`, if it has one.
    pub component: Option<String>,
    /// `title`.
    pub title: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// The JSON types allowed.
    pub types: Types,
    /// `nullable`.
    pub nullable: bool,
    /// `format`, as written.
    pub format: Option<String>,
    /// Rules for numbers.
    pub number: NumberRules,
    /// Rules for strings.
    pub string: StringRules,
    /// Rules for arrays.
    pub array: ArrayRules,
    /// Rules for objects.
    pub object: ObjectRules,
    /// `enum`.
    pub enumeration: Option<Vec<Value>>,
    /// `default`.
    pub default: Option<Value>,
    /// `allOf`.
    pub all_of: Vec<SchemaId>,
    /// `anyOf`.
    pub any_of: Vec<SchemaId>,
    /// `oneOf`.
    pub one_of: Vec<SchemaId>,
    /// `not`.
    pub not: Option<SchemaId>,
    /// `discriminator`.
    pub discriminator: Option<Discriminator>,
    /// `readOnly`.
    pub read_only: bool,
    /// `writeOnly`.
    pub write_only: bool,
    /// `x-dropforge-or-integer`: servers also accept an integer. The first member of `one_of` is
    /// the string of the document, which clients send.
    pub or_integer: bool,
    /// `x-dropforge-secret`, or the format `password`: `Debug` hides the value.
    pub secret: bool,
}

impl Schema {
    /// Whether the schema has `allOf`, `anyOf` or `oneOf`.
    pub fn is_composed(&self) -> bool {
        let parts = [&self.all_of, &self.any_of, &self.one_of];
        parts.iter().any(|parts| !parts.is_empty())
    }

    /// The text that names this schema as a member of a union, for servers and clients: its component, its title, the
    /// only value or the format of a string, or its JSON type. It does not depend on the other members, so that a further
    /// member renames none. Another value of an enumeration, a `format` and a `title` do.
    pub fn name_as_member(&self) -> &str {
        let given = self.component.as_deref().or(self.title.as_deref());
        let given = given.or_else(|| self.only_text());
        given
            .or_else(|| self.format_of_text())
            .unwrap_or(self.types.name())
    }

    /// The values of an enumeration of strings, each once, without `null`. `None` if another value is
    /// listed.
    pub fn texts(&self) -> Option<Vec<&str>> {
        let values = self.enumeration.iter().flatten();
        let values = values.filter(|value| !value.is_null());
        let texts: Option<IndexSet<&str>> = values.map(Value::as_str).collect();
        let texts = texts.filter(|texts| !texts.is_empty());
        texts.map(|texts| texts.into_iter().collect())
    }

    /// The value of an enumeration of one string, if it is a word. The first of several values would
    /// name the others wrongly.
    fn only_text(&self) -> Option<&str> {
        let values = self.enumeration.iter().flatten();
        let mut values = values.filter(|value| !value.is_null());
        let text = values.next()?.as_str()?;
        (values.next().is_none() && is_word(text)).then_some(text)
    }

    /// The format of a string.
    fn format_of_text(&self) -> Option<&str> {
        let format = self.format.as_deref()?;
        (self.types == Types::String && is_word(format)).then_some(format)
    }
}

/// Whether a text begins with a letter, as a name does.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The JSON type of a schema; OpenAPI 3.0 allows one at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Types {
    /// The schema names no type.
    #[default]
    Any,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

impl Types {
    /// The type as a name.
    fn name(self) -> &'static str {
        match self {
            Self::Any => "Value",
            Self::Boolean => "Boolean",
            Self::Integer => "Integer",
            Self::Number => "Number",
            Self::String => "String",
            Self::Array => "Array",
            Self::Object => "Object",
        }
    }
}

/// A number of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// Any other number.
    Float(f64),
}

/// Rules for numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NumberRules {
    /// `minimum`, and whether it is excluded.
    pub minimum: Option<(Number, bool)>,
    /// `maximum`, and whether it is excluded.
    pub maximum: Option<(Number, bool)>,
    /// `multipleOf`.
    pub multiple_of: Option<Number>,
    /// The format that servers check, as a name: `Int32`.
    pub format: Option<String>,
}

/// Rules for strings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StringRules {
    /// `minLength`.
    pub min_length: Option<u64>,
    /// `maxLength`.
    pub max_length: Option<u64>,
    /// `pattern`.
    pub pattern: Option<Pattern>,
    /// The format that servers check, as a name: `DateTime`.
    pub format: Option<String>,
}

/// A regular expression that the server can match.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// The expression of the document: ECMA 262.
    pub source: String,
    /// The same in the dialect of the crates `regex` and `fancy-regex`.
    pub expression: String,
    /// The least and the greatest number of characters, if `expression` does not limit them.
    pub length: Option<(u64, Option<u64>)>,
}

/// Rules for arrays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ArrayRules {
    /// `items`.
    pub items: Option<SchemaId>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `maxItems`.
    pub max_items: Option<u64>,
    /// `uniqueItems`.
    pub unique: bool,
}

/// Rules for objects.
#[derive(Debug, Clone, Default)]
pub struct ObjectRules {
    /// `properties`, in the document's order.
    pub properties: Vec<Property>,
    /// `required`.
    pub required: Vec<String>,
    /// `additionalProperties`.
    pub additional: Additional,
    /// `minProperties`.
    pub min_properties: Option<u64>,
    /// `maxProperties`.
    pub max_properties: Option<u64>,
}

/// One property.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its schema, with references followed.
    pub schema: SchemaId,
    /// The place of its name.
    pub place: Place,
}

/// `additionalProperties`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Additional {
    /// Absent: the schema allows other members, and the type drops them.
    #[default]
    Unspecified,
    /// `true`: the schema allows other members, and the type has them.
    Allowed,
    /// `false`.
    Denied,
    /// A schema for each other member.
    Schema(SchemaId),
}

impl Additional {
    /// The schema of each other member, if there is one.
    pub fn schema(self) -> Option<SchemaId> {
        match self {
            Self::Schema(id) => Some(id),
            Self::Unspecified | Self::Allowed | Self::Denied => None,
        }
    }
}

/// `discriminator`.
#[derive(Debug, Clone)]
pub struct Discriminator {
    /// `propertyName`.
    pub property: String,
    /// Values and the schemas that they select, implicit values included.
    pub mapping: Vec<(String, SchemaId)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text() -> Schema {
        Schema {
            types: Types::String,
            ..Schema::default()
        }
    }

    fn listed(values: &[Value]) -> Schema {
        Schema {
            enumeration: Some(values.to_vec()),
            ..text()
        }
    }

    #[test]
    fn a_member_of_a_union_is_named_after_what_distinguishes_it() {
        let of_format = |format: &str| Schema {
            format: Some(format.to_owned()),
            ..text()
        };
        let titled = Schema {
            title: Some("Day".to_owned()),
            ..of_format("date")
        };
        let integer = Schema {
            types: Types::Integer,
            ..of_format("int64")
        };
        for (schema, name) in [
            (text(), "String"),
            (titled, "Day"),
            (of_format("date"), "date"),
            (integer, "Integer"),
            (listed(&[json!("auto"), Value::Null]), "auto"),
            (listed(&[json!("auto"), json!("none")]), "String"),
            (listed(&[json!("*")]), "String"),
        ] {
            assert_eq!(schema.name_as_member(), name);
        }
    }

    #[test]
    fn each_text_of_an_enumeration_counts_once() {
        let schema = listed(&[json!("b"), Value::Null, json!("a"), json!("b")]);
        assert_eq!(schema.texts(), Some(vec!["b", "a"]));
        for other in [
            text(),
            listed(&[Value::Null]),
            listed(&[json!("a"), json!(1)]),
        ] {
            assert_eq!(other.texts(), None);
        }
    }
}
