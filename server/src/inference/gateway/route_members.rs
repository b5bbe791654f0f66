//! Finds the members of a request body that decide its route, without parsing the rest.
//!
//! The scan skips a string by its closing quote, so that a long prompt costs next to nothing.
//! It leaves unusual texts (an escape in a name, a repeated member) to `serde_json`.

use std::ops::Range;

use memchr::memchr2;

/// The position of the model's name in the text of an object, with its quotes, and whether
/// the object requests a stream. `None` if the scan cannot decide it.
///
/// It may also return a result for a text that is not JSON.
pub(super) fn find_route_members(text: &str) -> Option<(Range<usize>, bool)> {
    let mut reader = Reader {
        text: text.as_bytes(),
        at: 0,
    };
    let (mut model, mut stream) = (None, None);
    reader.take(b'{')?;
    if reader.next()? == b'}' {
        return None;
    }
    loop {
        let name = reader.plain_text()?;
        reader.take(b':')?;
        match &reader.text[name] {
            b"\"model\"" if model.is_none() => {
                reader.next()?;
                model = Some(reader.plain_text()?);
            }
            b"\"stream\"" if stream.is_none() => stream = Some(reader.boolean()?),
            b"\"model\"" | b"\"stream\"" | b"\"stream_options\"" => return None,
            // An upstream that ignores case may read it as one of them.
            other if !other.is_ascii() => return None,
            other if other.eq_ignore_ascii_case(b"\"model\"") => return None,
            other if other.eq_ignore_ascii_case(b"\"stream\"") => return None,
            _ => reader.skip()?,
        }
        match reader.next()? {
            b',' => reader.at += 1,
            b'}' => break,
            _ => return None,
        }
        reader.next()?;
    }
    reader.at += 1;
    match reader.next() {
        None => Some((model?, stream.unwrap_or(false))),
        Some(_) => None,
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is not white space, which it does not consume.
    fn next(&mut self) -> Option<u8> {
        loop {
            match *self.text.get(self.at)? {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let found = self.next()? == byte;
        self.at += 1;
        found.then_some(())
    }

    /// The string that begins here, with its quotes, if it has no escapes.
    fn plain_text(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let inner = self
            .text
            .get(start + 1..)
            .filter(|_| self.text[start] == b'"')?;
        let end = memchr2(b'"', b'\\', inner).filter(|end| inner[*end] == b'"')?;
        self.at = start + end + 2;
        Some(start..self.at)
    }

    fn boolean(&mut self) -> Option<bool> {
        self.next()?;
        let rest = &self.text[self.at..];
        let words = [("true", true), ("false", false), ("null", false)];
        let (word, value) = words
            .iter()
            .find(|(word, _)| rest.starts_with(word.as_bytes()))?;
        self.at += word.len();
        Some(*value)
    }

    /// Skips a value.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0usize;
        self.next()?;
        loop {
            match *self.text.get(self.at)? {
                b'"' => self.skip_text()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                // A number or a word.
                _ => self.at += 1,
            }
            let ends = matches!(self.text.get(self.at), None | Some(b',' | b'}' | b']'));
            if depth == 0 && (ends || self.text[self.at].is_ascii_whitespace()) {
                return Some(());
            }
        }
    }

    fn skip_text(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.at += memchr2(b'"', b'\\', self.text.get(self.at..)?)?;
            match self.text[self.at] {
                b'"' => break,
                // What is escaped ends no text.
                _ => self.at += 2,
            }
        }
        self.at += 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    fn seen(text: &str) -> Option<(&str, bool)> {
        find_route_members(text).map(|(at, streams)| (&text[at], streams))
    }

    #[test]
    fn what_is_plain_to_see_is_seen() {
        for (text, expected) in [
            (r#"{"model":"a"}"#, ("\"a\"", false)),
            (
                " {\n\t\"model\" : \"a/b\" , \"n\":1.5e3 }\r\n",
                ("\"a/b\"", false),
            ),
            (r#"{"stream":true,"model":"é"}"#, ("\"é\"", true)),
            (r#"{"stream": null ,"model":""}"#, ("\"\"", false)),
            (
                r#"{"a":[{"model":"x\"}","stream":true},[],-1,null ],"b":{} ,"c":"\\","model":"a"}"#,
                ("\"a\"", false),
            ),
        ] {
            assert_eq!(seen(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_is_left() {
        for text in [
            "",
            "{",
            "{}",
            "[]",
            "1",
            r#"{"a":1}"#,
            r#"{"model":1}"#,
            r#"{"model":"a""#,
            r#"{"model":"a"}}"#,
            r#"{"model":"a"} 1"#,
            r#"{"model":"a","model":"b"}"#,
            r#"{"model":"\u0061"}"#,
            r#"{"\u006dodel":"b","model":"a"}"#,
            r#"{"model":"a","stream":1}"#,
            r#"{"model":"a","MODEL":"b"}"#,
            r#"{"model":"a","Stream":true}"#,
            r#"{"model":"a","ſtream":true}"#,
            r#"{"model":"a","stream_options":null}"#,
            r#"{"model":"a","stream":true,"stream":false}"#,
            r#"{"model":"a","b":"#,
            r#"{"model":"a","b":"\"#,
            r#"{"model":"a","b":[}"#,
            r#"{"model":"a","b""#,
            r#"{"model""#,
            r#"{"model":"a",}"#,
            r#"{"model" "a"}"#,
        ] {
            assert_eq!(seen(text), None, "{text}");
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[\"\\\\{}:, a]{0,9}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"]{0,6}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn all_else_is_passed_over(
            before in prop::collection::btree_map("[a-z ]{0,5}", values(), 0..3),
            after in prop::collection::btree_map("[a-z ]{0,4}", values(), 0..3),
            model in "[a-z/é-]{0,9}",
            streams in any::<bool>(),
            pretty in any::<bool>(),
        ) {
            let mut members: Map<String, Value> = before.into_iter().collect();
            members.insert("stream".into(), streams.into());
            members.insert("model".into(), model.clone().into());
            members.extend(after);
            let body = Value::Object(members);
            let text = match pretty {
                true => serde_json::to_string_pretty(&body).expect("JSON"),
                false => body.to_string(),
            };
            let quoted = format!("\"{model}\"");
            prop_assert_eq!(seen(&text), Some((quoted.as_str(), streams)));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\":,\\\\ a-ztmodel]{0,40}") {
            let _ = find_route_members(&text);
        }
    }
}
