//! The values of statements and rows.
//!
//! Both databases use the same three types: 64-bit integers, texts and bytes. Times are
//! integers (Unix milliseconds), and so are booleans (0 and 1). So a column has the same
//! values in both databases.

use super::StoreError;

/// One value of a statement's parameters or of a row.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// `BIGINT`
    Int(i64),
    /// `TEXT`
    Text(String),
    /// `BYTES`: `BLOB` or `BYTEA`.
    Bytes(Vec<u8>),
}

impl Value {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Int(_) => "an integer",
            Value::Text(_) => "a text",
            Value::Bytes(_) => "bytes",
        }
    }
}

/// Prints the kind only: values can be personal data or keyed hashes.
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}>", self.kind())
    }
}

macro_rules! conversions {
    ($($type:ty => |$value:ident| $converted:expr;)+) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $converted
            }
        }
    )+};
}

conversions! {
    i64 => |value| Value::Int(value);
    i32 => |value| Value::Int(value.into());
    u32 => |value| Value::Int(value.into());
    bool => |value| Value::Int(value.into());
    String => |value| Value::Text(value);
    &String => |value| Value::Text(value.clone());
    &str => |value| Value::Text(value.to_owned());
    uuid::Uuid => |value| Value::Text(value.to_string());
    chrono::DateTime<chrono::Utc> => |value| Value::Int(value.timestamp_millis());
    Vec<u8> => |value| Value::Bytes(value);
    &Vec<u8> => |value| Value::Bytes(value.clone());
    &[u8] => |value| Value::Bytes(value.to_vec());
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(value: [u8; N]) -> Self {
        Value::Bytes(value.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for Value {
    fn from(value: &[u8; N]) -> Self {
        Value::Bytes(value.to_vec())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// A Rust type for the values of a column.
pub trait FromValue: Sized {
    /// The expected type, for error texts.
    const EXPECTED: &'static str;
    /// Converts a value; `None` if it has another type.
    fn from_value(value: Value) -> Option<Self>;
}

impl FromValue for i64 {
    const EXPECTED: &'static str = "an integer";
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl FromValue for i32 {
    const EXPECTED: &'static str = "an integer of 32 bits";
    fn from_value(value: Value) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for bool {
    const EXPECTED: &'static str = "0 or 1";
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Int(0) => Some(false),
            Value::Int(1) => Some(true),
            _ => None,
        }
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "a text";
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(value) => Some(value),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    const EXPECTED: &'static str = "bytes";
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Bytes(value) => Some(value),
            _ => None,
        }
    }
}

impl<const N: usize> FromValue for [u8; N] {
    const EXPECTED: &'static str = "bytes of a fixed length";
    fn from_value(value: Value) -> Option<Self> {
        Vec::<u8>::from_value(value)?.try_into().ok()
    }
}

impl FromValue for uuid::Uuid {
    const EXPECTED: &'static str = "a UUID";
    fn from_value(value: Value) -> Option<Self> {
        String::from_value(value)?.parse().ok()
    }
}

impl FromValue for chrono::DateTime<chrono::Utc> {
    const EXPECTED: &'static str = "a time in Unix milliseconds";
    fn from_value(value: Value) -> Option<Self> {
        chrono::DateTime::from_timestamp_millis(i64::from_value(value)?)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// One row of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    values: Vec<Value>,
}

impl Row {
    pub(super) fn new(values: Vec<Value>) -> Self {
        Row { values }
    }

    /// The column at `index`, counted from 0 in the order of the `SELECT`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Column`] if the column does not exist or has another type.
    pub fn get<T: FromValue>(&self, index: usize) -> Result<T, StoreError> {
        let error = |found| StoreError::Column {
            index,
            expected: T::EXPECTED,
            found,
        };
        let value = self.values.get(index).ok_or(error("no such column"))?;
        let found = value.kind();
        T::from_value(value.clone()).ok_or(error(found))
    }
}

/// The parameters of a statement, each converted into a
/// [`Value`]: `params![id, name, now]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::Value::from($value)),*][..]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_read_as_the_type_that_was_written() {
        let row = Row::new(vec![
            Value::from(true),
            Value::from("text"),
            Value::from(None::<i64>),
            Value::from(chrono::DateTime::UNIX_EPOCH),
        ]);
        assert!(row.get::<bool>(0).unwrap());
        assert_eq!(row.get::<String>(1).unwrap(), "text");
        assert_eq!(row.get::<Option<i64>>(2).unwrap(), None);
        assert_eq!(
            row.get::<chrono::DateTime<chrono::Utc>>(3).unwrap(),
            chrono::DateTime::UNIX_EPOCH
        );
    }

    #[test]
    fn a_column_of_another_type_is_an_error_that_names_both() {
        let error = Row::new(vec![Value::from("x")]).get::<i64>(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 0: expected an integer, found a text"
        );
        let error = Row::new(Vec::new()).get::<i64>(3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 3: expected an integer, found no such column"
        );
    }

    #[test]
    fn values_do_not_print() {
        assert_eq!(format!("{:?}", Value::from("secret")), "<a text>");
    }
}
