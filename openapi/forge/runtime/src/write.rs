//! Values into JSON, as responses are written.
//!
//! Most names and texts can be written as they are: whether they can is seen for eight
//! bytes at once. All that takes more (escapes, numbers) is left to `serde_json`, whose
//! output this is, byte by byte.

use std::fmt::Display;
use std::io::Write as _;

use bytes::Bytes;
use serde::Serialize;
use serde::ser::{self, Error as _};
use serde_json::{Error, Result};

/// How names of structs begin by which `serde_json` means text that is JSON already.
const AS_IT_IS: &str = "$serde_json::private::";

/// How long most values are at most: room for them is made once.
const DEFAULT_CAPACITY: usize = 1024;

/// Writes a value.
///
/// # Errors
///
/// Those of [`write()`].
pub(crate) fn to_bytes(value: &(impl Serialize + ?Sized)) -> Result<Bytes> {
    let mut out = Vec::with_capacity(DEFAULT_CAPACITY);
    write(&mut out, value)?;
    Ok(Bytes::from(out))
}

/// Appends a value.
///
/// # Errors
///
/// What the value's own `Serialize` says, and that a map has a key that is not text. Part
/// of the value may be written then.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<()> {
    value.serialize(Writer(out))
}

struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    #[inline]
    fn text(&mut self, text: &str) -> Result<()> {
        if !is_plain(text.as_bytes()) {
            return self.other(text);
        }
        self.0.push(b'"');
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'"');
        Ok(())
    }

    fn other(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        serde_json::to_writer(&mut *self.0, value)
    }

    /// The name of a variant that has a value.
    fn variant(&mut self, name: &str) -> Result<()> {
        self.0.push(b'{');
        self.text(name)?;
        self.0.push(b':');
        Ok(())
    }
}

/// Whether a text is written as it is.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    match *text {
        [] => true,
        // What is shorter than a word is looked at more than once instead.
        [a] => are_plain([a; 8]),
        [a, .., b] if text.len() < 4 => are_plain([a, b, text[1], a, b, a, b, a]),
        [a, b, c, d, ..] if text.len() < 8 => {
            let rest = text.last_chunk().unwrap_or(&[b' '; 4]);
            are_plain([a, b, c, d, rest[0], rest[1], rest[2], rest[3]])
        }
        _ => {
            let (words, _) = text.as_chunks();
            let last = text.last_chunk().unwrap_or(&[b' '; 8]);
            words.iter().chain([last]).all(|word| are_plain(*word))
        }
    }
}

/// The same of eight bytes: none is below a space, a quote or a backslash.
#[inline]
fn are_plain(bytes: [u8; 8]) -> bool {
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // A byte from which more is taken than it has, has its highest bit set then: a byte
    // that is less than a space, or that differs from a quote by less than one.
    let bytes = u64::from_ne_bytes(bytes);
    let control = bytes.wrapping_sub(each(b' '));
    let quote = (bytes ^ each(b'"')).wrapping_sub(each(1));
    let backslash = (bytes ^ each(b'\\')).wrapping_sub(each(1));
    // Bytes that had it before are of characters above ASCII.
    (control | quote | backslash) & !bytes & each(0x80) == 0
}

/// Leaves values to `serde_json`.
macro_rules! others {
    ($($method:ident: $type:ty,)*) => {$(
        fn $method(mut self, value: $type) -> Result<()> {
            self.other(&value)
        }
    )*};
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    others! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
    }

    fn serialize_str(mut self, text: &str) -> Result<()> {
        self.text(text)
    }

    fn serialize_bytes(mut self, bytes: &[u8]) -> Result<()> {
        self.other(bytes)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(mut self, _: &str, _: u32, variant: &'static str) -> Result<()> {
        self.text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.variant(variant)?;
        value.serialize(Writer(self.0))?;
        self.0.push(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>> {
        Ok(Items::begin(self.0, b"]"))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items<'a>> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items<'a>> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>> {
        self.variant(variant)?;
        Ok(Items::begin(self.0, b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>> {
        Ok(Members::begin(self.0, b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'a>> {
        Ok(match name.starts_with(AS_IT_IS) {
            true => Members::Text(self.0),
            false => Members::begin(self.0, b"}"),
        })
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'a>> {
        self.variant(variant)?;
        Ok(Members::begin(self.0, b"}}"))
    }

    fn collect_str<T: Display + ?Sized>(mut self, value: &T) -> Result<()> {
        let start = self.0.len();
        self.0.push(b'"');
        write!(self.0, "{value}").map_err(Error::custom)?;
        if is_plain(&self.0[start + 1..]) {
            self.0.push(b'"');
            return Ok(());
        }
        let text = String::from_utf8(self.0.split_off(start + 1)).map_err(Error::custom)?;
        self.0.truncate(start);
        self.text(&text)
    }
}

/// The items of an array.
struct Items<'a> {
    out: &'a mut Vec<u8>,
    is_first: bool,
    end: &'static [u8],
}

impl<'a> Items<'a> {
    fn begin(out: &'a mut Vec<u8>, end: &'static [u8]) -> Self {
        out.push(b'[');
        Items {
            out,
            is_first: true,
            end,
        }
    }

    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b',');
        }
        value.serialize(Writer(self.out))
    }

    fn finish(self) -> Result<()> {
        self.out.extend_from_slice(self.end);
        Ok(())
    }
}

/// All that is written as an array.
macro_rules! items {
    ($($trait:ident::$method:ident,)*) => {$(
        impl ser::$trait for Items<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

items! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

/// The members of an object.
enum Members<'a> {
    Object {
        out: &'a mut Vec<u8>,
        is_first: bool,
        end: &'static [u8],
    },
    /// Its one member is a text, which is JSON already.
    Text(&'a mut Vec<u8>),
}

impl<'a> Members<'a> {
    fn begin(out: &'a mut Vec<u8>, end: &'static [u8]) -> Self {
        out.push(b'{');
        Members::Object {
            out,
            is_first: true,
            end,
        }
    }

    fn member(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        match self {
            Members::Object { out, is_first, .. } => {
                if !std::mem::take(is_first) {
                    out.push(b',');
                }
                Writer(out).text(name)?;
                out.push(b':');
                value.serialize(Writer(out))
            }
            Members::Text(out) => {
                let text = serde_json::to_value(value)?;
                out.extend_from_slice(text.as_str().unwrap_or_default().as_bytes());
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<()> {
        if let Members::Object { out, end, .. } = self {
            out.extend_from_slice(end);
        }
        Ok(())
    }
}

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let Members::Object { out, is_first, .. } = self else {
            return Ok(());
        };
        if !std::mem::take(is_first) {
            out.push(b',');
        }
        let start = out.len();
        key.serialize(Writer(out))?;
        match out.get(start) {
            Some(b'"') => {}
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
                out.insert(start, b'"');
                out.push(b'"');
            }
            _ => return Err(Error::custom("a key must be a text")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let Members::Object { out, .. } = self else {
            return Ok(());
        };
        out.push(b':');
        value.serialize(Writer(out))
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}

/// All whose members have names that are known.
macro_rules! members {
    ($($trait:ident,)*) => {$(
        impl ser::$trait for Members<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.member(name, value)
            }

            fn end(self) -> Result<()> {
                self.finish()
            }
        }
    )*};
}

members! {
    SerializeStruct,
    SerializeStructVariant,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;

    fn text(value: &(impl Serialize + ?Sized)) -> Result<String> {
        let mut out = Vec::new();
        write(&mut out, value)?;
        Ok(String::from_utf8(out).expect("UTF-8"))
    }

    /// It is what `serde_json` writes.
    fn agrees(value: &(impl Serialize + ?Sized)) {
        let theirs = serde_json::to_string(value).expect("JSON");
        assert_eq!(text(value).expect("JSON"), theirs);
    }

    /// A text that has to be escaped where it displays.
    struct Shown(&'static str);

    impl Serialize for Shown {
        fn serialize<S: ser::Serializer>(
            &self,
            serializer: S,
        ) -> std::result::Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{}", self.0))
        }
    }

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct Pair(u8, Option<Box<Shape>>);

    #[derive(Serialize)]
    enum Shape {
        Unit,
        Newtype(Option<&'static str>),
        Tuple(i128, f64),
        #[serde(rename = "a \"b\"")]
        Struct {
            short: char,
            #[serde(rename = "longer\\name")]
            long: f32,
        },
    }

    #[derive(Serialize)]
    struct Flat {
        first: (),
        #[serde(skip_serializing_if = "Option::is_none")]
        none: Option<u8>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }

    #[test]
    fn every_kind_of_value_is_written_as_serde_json_writes_it() {
        agrees(&Unit);
        agrees(&Pair(7, Some(Box::new(Shape::Unit))));
        agrees(&Pair(7, None));
        agrees(&[Shape::Newtype(Some("x")), Shape::Newtype(None)]);
        agrees(&Shape::Tuple(i128::MIN, 1e300));
        agrees(&[f64::NAN, f64::INFINITY, -0.0, 0.1]);
        agrees(&Shape::Struct {
            short: '"',
            long: 0.1,
        });
        agrees(&(u128::MAX, i8::MIN, true, [0u8; 0], ""));
        agrees(&Shown("plain"));
        agrees(&["\u{1}", "a\nb", "\u{7f}", "ä\\", "seven\"7"].map(Shown));
    }

    #[test]
    fn members_of_flattened_maps_and_raw_texts_too() {
        let rest = json!({"second": [1, {}], "third \"3\"": null});
        let rest = serde_json::from_value(rest).expect("a map");
        agrees(&Flat {
            first: (),
            none: None,
            rest,
        });
        let raw = RawValue::from_string(r#"{"a" : [1.50]}"#.into()).expect("JSON");
        agrees(&[&raw, &raw]);
    }

    #[test]
    fn keys_are_texts_or_become_such() {
        agrees(&BTreeMap::from([(-1, "x"), (2, "y")]));
        agrees(&BTreeMap::from([(true, 1), (false, 2)]));
        agrees(&BTreeMap::from([('a', 1), ('"', 2)]));
        agrees(&BTreeMap::from([(Some("some"), 1)]));
        assert!(text(&BTreeMap::from([((1, 2), 3)])).is_err());
        assert!(text(&BTreeMap::from([(None::<u8>, 3)])).is_err());
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[ -~]{0,30}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,20}", inner, 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_is_written_as_serde_json_writes_it(value in values()) {
            agrees(&value);
        }

        #[test]
        fn a_text_is_plain_when_nothing_in_it_is_escaped(text in "[ -~\u{0}-\u{ff}]{0,40}") {
            let written = serde_json::to_string(&text).expect("JSON");
            prop_assert_eq!(is_plain(text.as_bytes()), written.len() == text.len() + 2);
        }
    }
}
