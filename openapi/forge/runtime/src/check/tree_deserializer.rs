//! Types read from a tree, as they would be from its text.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};

use super::tree::{Node, RESERVED, Tree};
use super::validating::ensure;

/// The methods of a deserializer by which types only say what they expect: JSON says
/// itself what it is. Written within an implementation for `'t`.
macro_rules! read_as_it_is {
    ($($more:ident)*) => {
        fn deserialize_enum<V: ::serde::de::Visitor<'t>>(
            self,
            _: &'static str,
            _: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.deserialize_any($crate::check::tree_deserializer::Variant(visitor))
        }

        ::serde::forward_to_deserialize_any! {
            <V: Visitor<'t>>
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            unit unit_struct seq tuple tuple_struct map struct identifier $($more)*
        }
    };
}
pub(super) use read_as_it_is;

/// A tree that a type is read from, with the errors of what it was read from itself.
pub(super) struct TreeDeserializer<'t, E> {
    tree: Tree<'t>,
    error: PhantomData<E>,
}

impl<'t, E> TreeDeserializer<'t, E> {
    pub(super) fn new(tree: Tree<'t>) -> Self {
        TreeDeserializer {
            tree,
            error: PhantomData,
        }
    }
}

impl<'t, E: Error> IntoDeserializer<'t, E> for Tree<'t> {
    type Deserializer = TreeDeserializer<'t, E>;

    fn into_deserializer(self) -> TreeDeserializer<'t, E> {
        TreeDeserializer::new(self)
    }
}

impl<'t, E: Error> Deserializer<'t> for TreeDeserializer<'t, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, E> {
        match self.tree.0 {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(value),
            Node::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (None, Some(value)) => visitor.visit_i64(value),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Node::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Node::String(Cow::Owned(text)) => visitor.visit_string(text),
            Node::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Node::Object(members) => {
                let mut members = MapDeserializer::new(members.into_members());
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, E> {
        match self.tree.0 {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        ensure(!name.starts_with(RESERVED))?;
        visitor.visit_newtype_struct(self)
    }

    read_as_it_is! { ignored_any }
}

/// A variant that is named and holds nothing; those that hold something are left to
/// `serde_json` itself.
pub(super) struct Variant<V>(pub(super) V);

impl<'t, V: Visitor<'t>> Visitor<'t> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        let name: StrDeserializer<'_, E> = name.into_deserializer();
        self.0.visit_enum(name)
    }
}
