//! Strings: lengths in characters, patterns, formats.

use super::checker::Checker;
use super::format;
use crate::table::{StringFormat, StringRules};
use crate::violation::Keyword;

impl Checker<'_> {
    pub(super) fn string(&mut self, rules: &StringRules, text: &str) {
        let StringRules {
            min_length,
            max_length,
            pattern,
            format,
        } = rules;
        let mut is_too_long = false;
        if min_length.is_some() || max_length.is_some() {
            let (length, noun) = match format {
                // A binary string represents bytes, and its bounds count bytes.
                Some(StringFormat::Binary) => (format::bytes_in(text), "byte"),
                _ if are_bytes_enough(*min_length, *max_length, text) => {
                    (text.len() as u64, "character")
                }
                _ => (text.chars().count() as u64, "character"),
            };
            if length == 0 && *min_length == Some(1) {
                self.fail(Keyword::MinLength, || "must not be empty".to_owned());
            } else {
                let least = (*min_length, Keyword::MinLength);
                let most = (*max_length, Keyword::MaxLength);
                self.bounds(length, noun, least, most);
            }
            // Matching a pattern may take long on a long text, which `maxLength` excludes.
            is_too_long = max_length.is_some_and(|most| length > most);
        }
        if let Some(pattern) = *pattern
            && !self.is_done()
            && !is_too_long
            && !pattern.is_match(text)
        {
            self.fail(Keyword::Pattern, || {
                format!("must match the pattern {}", pattern.source())
            });
        }
        if let Some(format) = *format
            && !self.is_done()
            && !format::is_of(format, text)
        {
            self.fail(Keyword::Format, || {
                format!("must be {}", format::description(format))
            });
        }
    }
}

/// Whether the number of bytes alone shows that a text is within its bounds: a character
/// has one to four bytes.
fn are_bytes_enough(least: Option<u64>, most: Option<u64>, text: &str) -> bool {
    let bytes = text.len() as u64;
    least.is_none_or(|least| bytes.div_ceil(4) >= least) && most.is_none_or(|most| bytes <= most)
}
