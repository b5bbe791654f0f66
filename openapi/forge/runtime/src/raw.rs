//! JSON that keeps its bytes beside its typed view.
//!
//! A gateway forwards what it was given, byte for byte, and looks into it only
//! where it must: unknown members, the order of members and the spelling of
//! numbers survive.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checked::Checked;

/// JSON text that stands for a `T`.
pub struct RawJson<T> {
    bytes: Bytes,
    /// What was checked, where the text came in a request.
    checked: Option<Checked>,
    /// Why a value could not be written; such a reply becomes a 500.
    fault: Option<Arc<str>>,
    view: PhantomData<fn() -> T>,
}

impl<T> RawJson<T> {
    /// Takes JSON text as it is; nothing is checked.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Self {
        RawJson {
            bytes: bytes.into(),
            checked: None,
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

    pub(crate) fn checked(bytes: Bytes, checked: Checked) -> Self {
        RawJson {
            checked: Some(checked),
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

    /// Reads the typed view.
    pub fn parse(&self) -> Result<T, serde_json::Error>
    where
        T: DeserializeOwned,
    {
        let Some(checked) = &self.checked else {
            return serde_json::from_slice(&self.bytes);
        };
        match checked.read(&self.bytes) {
            Some(view) => Ok(view),
            None => T::deserialize(&*checked.value(&self.bytes)?),
        }
    }
}

impl<T> Clone for RawJson<T> {
    fn clone(&self) -> Self {
        RawJson {
            bytes: self.bytes.clone(),
            checked: self.checked.clone(),
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
    use serde::de::IgnoredAny;

    use super::*;
    use crate::table::Schema;

    #[test]
    fn bytes_stay_as_they_were_and_the_view_is_read_on_demand() {
        let raw: RawJson<Vec<u8>> = RawJson::from_bytes(&b"[1,  2]"[..]);
        assert_eq!(raw.bytes().as_ref(), b"[1,  2]");
        assert_eq!(raw.parse().unwrap(), [1, 2]);
        let broken: RawJson<Vec<u8>> = RawJson::from_bytes(&b"[1"[..]);
        assert!(broken.parse().is_err());
    }

    #[test]
    fn a_view_of_a_checked_request_reads_the_checked_value() {
        let (checked, _) = Checked::in_text::<IgnoredAny>(&Schema::ANY, b"[1.0]").unwrap();
        let raw: RawJson<Vec<u8>> = RawJson::checked(Bytes::from_static(b"[1.0]"), checked);
        assert_eq!(raw.parse().unwrap(), [1]);
        assert_eq!(raw.bytes().as_ref(), b"[1.0]");
    }
}
