//! `name=value&name=value`, the syntax of query strings and forms (WHATWG URL, section 5.1),
//! without decoding the values: a style may have to split them first. Invalid UTF-8 is an error
//! here, not a question mark.

use std::borrow::Cow;

use percent_encoding::percent_decode;

/// Text that is not UTF-8 once it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotUtf8;

/// The pairs, names and values still encoded; a pair without `=` has an empty
/// value.
pub(crate) fn pairs(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    text.split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let end = pair.iter().position(|byte| *byte == b'=');
            match end {
                Some(end) => (&pair[..end], &pair[end + 1..]),
                None => (pair, &[][..]),
            }
        })
}

/// Decodes percent escapes, and `+` as a space. Most text has neither.
pub(crate) fn decode(text: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    if !text.contains(&b'+') {
        return decode_percent(text);
    }
    let spaced: Vec<u8> = text
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    let decoded = decode_percent(&spaced)?;
    Ok(Cow::Owned(decoded.into_owned()))
}

/// Decodes percent escapes only.
pub(crate) fn decode_percent(text: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    match text.contains(&b'%') {
        true => percent_decode(text).decode_utf8().map_err(|_| NotUtf8),
        false => as_it_is(text),
    }
}

/// Decodes nothing.
pub(crate) fn as_it_is(text: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    let text = std::str::from_utf8(text).map_err(|_| NotUtf8)?;
    Ok(Cow::Borrowed(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_split_before_they_are_decoded() {
        let text = b"a=1%262&b&=c&&d=e=f&g%20h=+%2B";
        let decoded: Vec<_> = pairs(text)
            .map(|(name, value)| (decode(name).unwrap(), decode(value).unwrap()))
            .collect();
        let expected = [
            ("a", "1&2"),
            ("b", ""),
            ("", "c"),
            ("d", "e=f"),
            ("g h", " +"),
        ];
        let expected = expected.map(|(name, value)| (name.into(), value.into()));
        assert_eq!(decoded, expected);
        assert_eq!(decode(b"%ff"), Err(NotUtf8));
        assert_eq!(decode(b"\xff"), Err(NotUtf8));
        assert!(matches!(decode(b"\xc3\xa9"), Ok(Cow::Borrowed("\u{e9}"))));
    }
}
