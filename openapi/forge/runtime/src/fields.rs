//! Generated structs as JSON objects.
//!
//! serde's derive writes a visitor, an enum of names and two loops for each struct, which
//! the compiler has to check. Here is one visitor for all of them: a generated struct only
//! says which member belongs to which field ([`Fields`]), and lists what is written.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A struct that is read from the members of an object.
pub trait Fields: Sized {
    /// The names of its members, in the order of its fields.
    const NAMES: &'static [&'static str];

    /// Reads the members, in whatever order they come.
    ///
    /// # Errors
    ///
    /// What the type of a field refuses, a member that is missing, and one that is there twice.
    fn read<'de, A: MapAccess<'de>>(members: &mut Members<A>) -> Result<Self, A::Error>;
}

/// Reads a struct.
///
/// # Errors
///
/// Those of [`Fields::read`], and what is not an object.
pub fn read<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Fields,
{
    from.deserialize_map(Object(PhantomData))
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Fields> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(&mut Members {
            map,
            names: T::NAMES,
            after: 0,
        })
    }
}

/// The members of an object that is read.
pub struct Members<A> {
    map: A,
    names: &'static [&'static str],
    /// Behind the place of the name before.
    after: usize,
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// The place of the next name. Members with other names are skipped.
    ///
    /// # Errors
    ///
    /// What cannot be read.
    pub fn next_field(&mut self) -> Result<Option<usize>, A::Error> {
        loop {
            match self.map.next_key_seed(self.name(|_| ()))? {
                Some(Ok(place)) => return Ok(Some(self.found(place))),
                Some(Err(())) => {
                    self.map.next_value::<IgnoredAny>()?;
                }
                None => return Ok(None),
            }
        }
    }

    /// The place of the next name. Members with other names are read into a map.
    ///
    /// # Errors
    ///
    /// What cannot be read, and what the type of the map refuses.
    pub fn next_field_or<T: Deserialize<'de>>(
        &mut self,
        others: &mut BTreeMap<String, T>,
    ) -> Result<Option<usize>, A::Error> {
        loop {
            match self.map.next_key_seed(self.name(str::to_owned))? {
                Some(Ok(place)) => return Ok(Some(self.found(place))),
                Some(Err(name)) => {
                    others.insert(name, self.map.next_value()?);
                }
                None => return Ok(None),
            }
        }
    }

    /// Reads the member that was named last.
    ///
    /// # Errors
    ///
    /// What its type refuses, and a member that has been read before.
    pub fn value<T: Deserialize<'de>>(&mut self, into: &mut Option<T>) -> Result<(), A::Error> {
        if into.is_some() {
            let name = self.names.get(self.after.wrapping_sub(1));
            return Err(A::Error::duplicate_field(name.unwrap_or(&"")));
        }
        *into = Some(self.map.next_value()?);
        Ok(())
    }

    /// A member that must be there.
    ///
    /// # Errors
    ///
    /// When it is missing.
    pub fn required<T>(&self, name: &'static str, value: Option<T>) -> Result<T, A::Error> {
        value.ok_or_else(|| A::Error::missing_field(name))
    }

    fn name<O>(&self, other: fn(&str) -> O) -> Name<O> {
        Name {
            names: self.names,
            after: self.after,
            other,
        }
    }

    fn found(&mut self, place: usize) -> usize {
        self.after = place + 1;
        place
    }
}

/// Finds the place of a name. Names mostly come in the order of the document: the search
/// begins behind the one before.
struct Name<O> {
    names: &'static [&'static str],
    after: usize,
    other: fn(&str) -> O,
}

impl<'de, O> DeserializeSeed<'de> for Name<O> {
    type Value = Result<usize, O>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl<O> Visitor<'_> for Name<O> {
    type Value = Result<usize, O>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let (before, behind) = self.names.split_at(self.after.min(self.names.len()));
        let is_it = |known: &&str| *known == name;
        Ok(match behind.iter().position(is_it) {
            Some(place) => Ok(before.len() + place),
            None => before.iter().position(is_it).ok_or((self.other)(name)),
        })
    }
}

/// Begins to write a struct with so many fields.
pub fn write<S: Serializer>(to: S, name: &'static str, fields: usize) -> Struct<S> {
    Struct(to.serialize_struct(name, fields))
}

/// A struct that is written. An error waits for the end.
pub struct Struct<S: Serializer>(Result<S::SerializeStruct, S::Error>);

impl<S: Serializer> Struct<S> {
    /// Writes a member.
    #[must_use]
    pub fn put<T: Serialize + ?Sized>(mut self, name: &'static str, value: &T) -> Self {
        if let Ok(object) = &mut self.0
            && let Err(error) = object.serialize_field(name, value)
        {
            self.0 = Err(error);
        }
        self
    }

    /// Writes a member if there is a value.
    #[must_use]
    pub fn put_some<T: Serialize>(self, name: &'static str, value: &Option<T>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// The first error of a member.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0?.end()
    }
}

/// Begins to write a struct that also has members without fields.
pub fn write_open<S: Serializer>(to: S) -> OpenStruct<S> {
    OpenStruct(to.serialize_map(None))
}

/// The same of a struct that also has members without fields.
pub struct OpenStruct<S: Serializer>(Result<S::SerializeMap, S::Error>);

impl<S: Serializer> OpenStruct<S> {
    /// Writes a member.
    #[must_use]
    pub fn put<T: Serialize + ?Sized>(mut self, name: &str, value: &T) -> Self {
        if let Ok(object) = &mut self.0
            && let Err(error) = object.serialize_entry(name, value)
        {
            self.0 = Err(error);
        }
        self
    }

    /// Writes a member if there is a value.
    #[must_use]
    pub fn put_some<T: Serialize>(self, name: &str, value: &Option<T>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    /// Writes the members without fields, and ends it.
    ///
    /// # Errors
    ///
    /// The first error of a member.
    pub fn end<T: Serialize>(self, others: &BTreeMap<String, T>) -> Result<S::Ok, S::Error> {
        let whole = others
            .iter()
            .fold(self, |open, (name, value)| open.put(name, value));
        whole.0?.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, PartialEq)]
    struct Pet {
        id: u8,
        name: Option<String>,
        owner: Option<Option<String>>,
    }

    impl Fields for Pet {
        const NAMES: &'static [&'static str] = &["id", "name", "owner"];

        fn read<'de, A: MapAccess<'de>>(members: &mut Members<A>) -> Result<Self, A::Error> {
            let (mut id, mut name, mut owner) = (None, None, None);
            while let Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut id),
                    1 => members.value(&mut name),
                    _ => members.value(&mut owner),
                }?;
            }
            Ok(Pet {
                id: members.required("id", id)?,
                name: name.flatten(),
                owner,
            })
        }
    }

    impl<'de> Deserialize<'de> for Pet {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            read(from)
        }
    }

    impl Serialize for Pet {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            write(to, "Pet", 3)
                .put("id", &self.id)
                .put_some("name", &self.name)
                .put_some("owner", &self.owner)
                .end()
        }
    }

    #[test]
    fn members_are_read_in_any_order_and_unknown_ones_are_skipped() {
        let read = |text: &str| serde_json::from_str::<Pet>(text);
        let pet = |name: Option<&str>, owner: Option<Option<&str>>| Pet {
            id: 1,
            name: name.map(str::to_owned),
            owner: owner.map(|owner| owner.map(str::to_owned)),
        };
        for (text, expected) in [
            (r#"{"id": 1}"#, pet(None, None)),
            (
                r#"{"owner": null, "x": [{}], "id": 1}"#,
                pet(None, Some(None)),
            ),
            (r#"{"name": null, "id": 1}"#, pet(None, None)),
            (
                r#"{"owner": "b", "name": "a", "id": 1}"#,
                pet(Some("a"), Some(Some("b"))),
            ),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for (text, message) in [
            ("{}", "missing field `id`"),
            (r#"{"id": 1, "id": 2}"#, "duplicate field `id`"),
            ("[1]", "invalid type: sequence, expected an object"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn what_is_absent_is_not_written() {
        for value in [
            json!({"id": 1}),
            json!({"id": 1, "name": "a", "owner": null}),
            json!({"id": 1, "owner": "b"}),
        ] {
            let pet: Pet = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&pet).unwrap(), value);
        }
    }

    #[test]
    fn the_first_error_of_a_member_is_told_at_the_end() {
        let unkeyed = BTreeMap::from([((1, 2), 3)]);
        let written = write(serde_json::value::Serializer, "Pet", 2)
            .put("a", &unkeyed)
            .put("b", &1)
            .end();
        assert!(written.is_err());
    }

    #[test]
    fn members_without_fields_are_kept() {
        struct Open(Option<u8>, BTreeMap<String, Value>);
        impl Fields for Open {
            const NAMES: &'static [&'static str] = &["a"];

            fn read<'de, A: MapAccess<'de>>(members: &mut Members<A>) -> Result<Self, A::Error> {
                let (mut a, mut others) = (None, BTreeMap::new());
                while members.next_field_or(&mut others)?.is_some() {
                    members.value(&mut a)?;
                }
                Ok(Open(a, others))
            }
        }
        let value = json!({"b": null, "a": 1, "c": [2.5]});
        let open: Open = read(&value).unwrap();
        assert_eq!(open.1.len(), 2);
        let written = write_open(serde_json::value::Serializer)
            .put_some("a", &open.0)
            .end(&open.1);
        assert_eq!(written.unwrap(), value);
    }
}
