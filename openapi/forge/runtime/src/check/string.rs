//! Strings: lengths in characters, patterns, formats.

use super::checker::{Checker, count};
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
        let mut too_long = false;
        if min_length.is_some() || max_length.is_some() {
            let (length, noun) = match format {
                // A binary string represents bytes, and its bounds count bytes.
                Some(StringFormat::Binary) => (format::bytes_in(text), "byte"),
                _ if are_bytes_enough(*min_length, *max_length, text) => {
                    (text.len() as u64, "character")
                }
                _ => (text.chars().count() as u64, "character"),
            };
            if let Some(least) = *min_length
                && length < least
            {
                self.fail(Keyword::MinLength, || {
                    if length == 0 && least == 1 {
                        "must not be empty".to_owned()
                    } else {
                        format!(
                            "must have at least {}, and has {length}",
                            count(least, noun)
                        )
                    }
                });
            }
            if let Some(most) = *max_length
                && length > most
            {
                too_long = true;
                self.fail(Keyword::MaxLength, || {
                    format!("must have at most {}, and has {length}", count(most, noun))
                });
            }
        }
        // Matching a pattern may take long on a long text, which `maxLength` excludes.
        if let Some(pattern) = *pattern
            && !self.is_done()
            && !too_long
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
