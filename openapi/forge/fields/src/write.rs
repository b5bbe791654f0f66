//! Writes generated structs as objects.

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// Begins to write a struct with this many fields.
pub fn write<S: Serializer>(to: S, name: &'static str, fields: usize) -> Struct<S> {
    Struct(to.serialize_struct(name, fields))
}

/// A struct that is being written. [`Struct::end`] returns the first error.
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

    /// Ends the object.
    ///
    /// # Errors
    ///
    /// The first error of a member.
    pub fn end(self) -> Result<S::Ok, S::Error> {
        self.0?.end()
    }
}

/// Begins to write a struct that also has additional members.
pub fn write_open<S: Serializer>(to: S) -> OpenStruct<S> {
    OpenStruct(to.serialize_map(None))
}

/// A struct with additional members that is being written. [`OpenStruct::end`] returns the first error.
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

    /// Writes the additional members, and ends the object.
    ///
    /// # Errors
    ///
    /// The first error of a member.
    pub fn end<'a, T: Serialize + 'a>(
        self,
        others: impl IntoIterator<Item = (&'a String, &'a T)>,
    ) -> Result<S::Ok, S::Error> {
        let whole = others
            .into_iter()
            .fold(self, |open, (name, value)| open.put(name, value));
        whole.0?.end()
    }
}
