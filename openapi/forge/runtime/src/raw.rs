//! JSON that keeps its bytes beside its typed view.
//!
//! A gateway forwards JSON byte for byte, and parses it only where it must. Unknown members, the
//! order of members and the spelling of numbers survive.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::check;

/// JSON text that represents a `T`.
pub struct RawJson<T> {
    bytes: Bytes,
    /// Why a value could not be written. Such a reply becomes a 500.
    fault: Option<Arc<str>>,
    view: PhantomData<fn() -> T>,
}

impl<T> RawJson<T> {
    /// Takes JSON text as it is, without a check.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Self {
        RawJson {
            bytes: bytes.into(),
            fault: None,
            view: PhantomData,
        }
    }

    /// Writes a value.
    pub fn new(value: T) -> Self
    where
        T: Serialize,
    {
        let (bytes, fault) = match serde_json::to_vec(&value) {
            Ok(bytes) => (bytes, None),
            Err(error) => (Vec::new(), Some(error.to_string().into())),
        };
        RawJson {
            fault,
            ..RawJson::from_bytes(bytes)
        }
    }

    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The text.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The text, by value.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Reads the typed view. An integer may be written with a fraction, as in `1.0`.
    pub fn parse(&self) -> Result<T, serde_json::Error>
    where
        T: DeserializeOwned,
    {
        T::deserialize(check::normalized(serde_json::from_slice(&self.bytes)?))
    }
}

impl<T> Clone for RawJson<T> {
    fn clone(&self) -> Self {
        RawJson {
            bytes: self.bytes.clone(),
            fault: self.fault.clone(),
            view: PhantomData,
        }
    }
}

impl<T> PartialEq for RawJson<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T: Serialize> From<T> for RawJson<T> {
    fn from(value: T) -> Self {
        RawJson::new(value)
    }
}

impl<T> fmt::Debug for RawJson<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({} bytes)", self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_as_they_were_and_the_view_is_read_on_demand() {
        let raw: RawJson<Vec<u8>> = RawJson::from_bytes(&b"[1,  2]"[..]);
        assert_eq!(raw.bytes().as_ref(), b"[1,  2]");
        assert_eq!(raw.parse().unwrap(), [1, 2]);
        let broken: RawJson<Vec<u8>> = RawJson::from_bytes(&b"[1"[..]);
        assert!(broken.parse().is_err());
    }

    #[test]
    fn the_view_of_an_integer_written_with_a_fraction_is_an_integer() {
        let raw: RawJson<Vec<u8>> = RawJson::from_bytes(&b"[1.0]"[..]);
        assert_eq!(raw.parse().unwrap(), [1]);
        assert_eq!(raw.bytes().as_ref(), b"[1.0]");
    }
}
