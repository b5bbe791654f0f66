//! Truncates the texts of callers and other servers for the log.

use std::fmt::{self, Display, Write};

/// The maximum of characters of such a text.
const MAX_CHARACTERS: usize = 200;

/// Displays the beginning of a text, so that a text from outside does not fill the log.
#[derive(Debug, Clone, Copy)]
pub struct Short<T>(pub T);

impl<T: Display> Display for Short<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cut = Cut {
            out: &mut *f,
            left: MAX_CHARACTERS,
        };
        match write!(cut, "{}", self.0) {
            // The end of the text, or an error of the formatter.
            outcome if cut.left > 0 => outcome,
            Ok(()) => Ok(()),
            Err(_) => f.write_char('…'),
        }
    }
}

struct Cut<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    /// Characters that still fit.
    left: usize,
}

impl Write for Cut<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.char_indices().nth(self.left).map(|(at, _)| at);
        let fits = &text[..end.unwrap_or(text.len())];
        self.out.write_str(fits)?;
        self.left -= fits.chars().count();
        match end {
            Some(_) => Err(fmt::Error),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_a_short_one_is_whole() {
        let short = |text: &str| Short(text).to_string();
        assert_eq!(short(""), "");
        assert_eq!(short("two\nlines"), "two\nlines");
        let most = "é".repeat(MAX_CHARACTERS);
        assert_eq!(short(&most), most);
        assert_eq!(short(&(most.clone() + "x")), most.clone() + "…");
        let pieces = format!("{}", Short(format_args!("{most}{}", "")));
        assert_eq!(pieces, most);
        let pieces = format!("{}", Short(format_args!("{most}{}", "more")));
        assert_eq!(pieces, most + "…");
    }
}
