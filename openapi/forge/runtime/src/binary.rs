//! Bytes inside a value: files of a multipart form, `format: binary`.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that JSON has no type for. In JSON they are base64 text.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Binary(pub Bytes);

impl Binary {
    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// The bytes, by value.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// Encodes bytes as base64 text.
    pub(crate) fn encode(bytes: &[u8]) -> String {
        STANDARD.encode(bytes)
    }
}

/// Omits the bytes: they are files, and long.
impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Binary({} bytes)", self.0.len())
    }
}

impl<T: Into<Bytes>> From<T> for Binary {
    fn from(bytes: T) -> Self {
        Binary(bytes.into())
    }
}

impl AsRef<[u8]> for Binary {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&Binary::encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Base64)
    }
}

/// Decodes the text where it is: files are long.
struct Base64;

impl Visitor<'_> for Base64 {
    type Value = Binary;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64 text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Binary, E> {
        STANDARD.decode(text).map(Binary::from).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_a_value() {
        let binary = Binary::from(&b"\x00\xffabc"[..]);
        let value = serde_json::to_value(&binary).unwrap();
        assert_eq!(serde_json::from_value::<Binary>(value).unwrap(), binary);
        assert!(serde_json::from_value::<Binary>("§".into()).is_err());
        assert!(serde_json::from_value::<Binary>(1.into()).is_err());
        let read: Binary = serde_json::from_str(r#""AP9h\u0059mM=""#).unwrap();
        assert_eq!(read, binary);
        assert_eq!(format!("{binary:?}"), "Binary(5 bytes)");
    }
}
