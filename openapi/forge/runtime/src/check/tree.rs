//! JSON as it stands in its text: names and strings are borrowed, members stand
//! in a row.
//!
//! A value that is composed of others is looked at several times while a request is
//! checked; one that owns each string and finds members by hash costs more than the
//! looks. A tree is made to be looked at and thrown away.
//!
//! There is no tree of a text that `serde_json` reads differently (a name that an object has
//! twice), or of objects so large that a linear search for members would take long. The
//! caller then reads a [`serde_json::Value`].

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::json::{Json, Kind, Members};
use super::number::without_fraction;

/// The most members that an object of a tree has.
const MAX_MEMBERS: usize = 32;

/// Room for the members of most objects.
const DEFAULT_CAPACITY: usize = 8;

/// What the names begin with by which `serde_json` marks values of its own.
pub(super) const RESERVED: &str = "$serde_json::";

/// A JSON value, borrowed from its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree<'t>(pub(super) Node<'t>);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node<'t> {
    Null,
    Bool(bool),
    Number(Number),
    String(Cow<'t, str>),
    Array(Vec<Tree<'t>>),
    Object(TreeMembers<'t>),
}

/// The members of an object of a [`Tree`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TreeMembers<'t>(Vec<(Cow<'t, str>, Tree<'t>)>);

impl<'t> TreeMembers<'t> {
    /// The members, in the order of the text.
    pub(super) fn into_members(self) -> impl Iterator<Item = (Cow<'t, str>, Tree<'t>)> {
        self.0.into_iter()
    }
}

impl Tree<'_> {
    /// `null`
    pub(super) const NULL: Tree<'static> = Tree(Node::Null);
    /// `[]`
    pub(super) const EMPTY_ARRAY: Tree<'static> = Tree(Node::Array(Vec::new()));
    /// `{}`
    pub(super) const EMPTY_OBJECT: Tree<'static> = Tree(Node::Object(TreeMembers(Vec::new())));
}

impl<'t> Json for Tree<'t> {
    type Members = TreeMembers<'t>;

    #[inline]
    fn kind(&self) -> Kind<'_, Self> {
        match &self.0 {
            Node::Null => Kind::Null,
            Node::Bool(value) => Kind::Bool(*value),
            Node::Number(number) => Kind::Number(number),
            Node::String(text) => Kind::String(text),
            Node::Array(items) => Kind::Array(items),
            Node::Object(members) => Kind::Object(members),
        }
    }
}

impl<'t> Members<Tree<'t>> for TreeMembers<'t> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, name: &str) -> Option<&Tree<'t>> {
        let mut members = self.0.iter();
        let found = members.find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }

    fn iter<'v>(&'v self) -> impl Iterator<Item = (&'v str, &'v Tree<'t>)>
    where
        Tree<'t>: 'v,
    {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

/// Builds a tree of what `serde_json` reads.
#[derive(Clone, Copy)]
pub(super) struct Seed<'s> {
    /// Set when an integer is written with a fraction.
    pub(super) fractions: &'s Cell<bool>,
}

impl<'t> DeserializeSeed<'t> for Seed<'_> {
    type Value = Tree<'t>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Tree<'t>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for Seed<'_> {
    type Value = Tree<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::Number(value.into())))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::Number(value.into())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree<'t>, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("no number"))?;
        if without_fraction(&number).is_some() {
            self.fractions.set(true);
        }
        Ok(Tree(Node::Number(number)))
    }

    fn visit_borrowed_str<E>(self, text: &'t str) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::String(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree<'t>, E> {
        Ok(Tree(Node::String(Cow::Owned(text.to_owned()))))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut json: A) -> Result<Tree<'t>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = json.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Tree(Node::Array(items)))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut json: A) -> Result<Tree<'t>, A::Error> {
        let mut members: Vec<(Cow<'t, str>, Tree<'t>)> = Vec::with_capacity(DEFAULT_CAPACITY);
        while let Some(name) = json.next_key_seed(Name)? {
            let known = members.iter().any(|(known, _)| *known == name);
            if known || members.len() == MAX_MEMBERS || name.starts_with(RESERVED) {
                return Err(A::Error::custom("no tree"));
            }
            let value = json.next_value_seed(self)?;
            members.push((name, value));
        }
        Ok(Tree(Node::Object(TreeMembers(members))))
    }
}

/// The name of a member.
struct Name;

impl<'t> DeserializeSeed<'t> for Name {
    type Value = Cow<'t, str>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Cow<'t, str>, D::Error> {
        json.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for Name {
    type Value = Cow<'t, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'t str) -> Result<Cow<'t, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'t, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// What a text is read as, if a tree will do.
    fn read(text: &str) -> Option<Tree<'_>> {
        let fractions = Cell::new(false);
        let mut json = serde_json::Deserializer::from_str(text);
        let seed = Seed {
            fractions: &fractions,
        };
        let tree = seed.deserialize(&mut json).ok()?;
        json.end().is_ok().then_some(tree)
    }

    /// A tree as the value that it stands for.
    fn value(tree: &Tree<'_>) -> Value {
        match tree.kind() {
            Kind::Null => Value::Null,
            Kind::Bool(value) => value.into(),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::String(text) => text.into(),
            Kind::Array(items) => items.iter().map(value).collect(),
            Kind::Object(members) => {
                let members = members.iter();
                let owned = members.map(|(name, tree)| (name.to_owned(), value(tree)));
                Value::Object(owned.collect())
            }
        }
    }

    #[test]
    fn a_tree_holds_what_serde_json_reads() {
        for text in [
            "null",
            " [true, false, null] ",
            r#"{"a": {"b": [1, -2, 18446744073709551615, 0.5, 1e300, 1.0, -0]}, "": ""}"#,
            r#"["é", "\n\u00e9\ud83e\udd80", {"a\tb": 1}]"#,
            r#"["é", "\n\u00e9\ud83e\udd80", {"a\\b": 1}]"#,
        ] {
            let expected: Option<Value> = serde_json::from_str(text).ok();
            let held = read(text).map(|tree| value(&tree));
            assert_eq!(held, expected, "{text}");
        }
    }

    #[test]
    fn text_that_a_tree_would_not_do_for_has_none() {
        let members: Vec<String> = (0..=MAX_MEMBERS).map(|n| format!("\"{n}\":0")).collect();
        let large = format!("{{{}}}", members.join(","));
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in [
            "",
            "{",
            "1 2",
            "\"\\ud800\"",
            "1e999",
            r#"{"a": 1, "a": 2}"#,
            r#"[{"a": 1, "\u0061": 2}]"#,
            r#"{"$serde_json::private::RawValue": "1"}"#,
            &large,
            &deep,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let fewer = format!("{{{}}}", members[1..].join(","));
        assert!(read(&fewer).is_some());
    }
}
