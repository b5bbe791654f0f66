//! Numbers in a form that is a text in YAML and JSON.

use crate::document::characters;

/// The help for a text that its author means as a number.
pub(super) fn help(text: &str) -> Option<String> {
    if let Some(number) = of_another_base(text) {
        return Some(format!("write the number in decimal digits: `{number}`"));
    }
    let plain = characters::plain(text);
    if let Some((whole, decimals)) = plain.split_once(',')
        && decimals.len() != 3
        && is_number(&format!("{whole}.{decimals}"))
    {
        return Some(format!(
            "write a period before the decimals: `{whole}.{decimals}`"
        ));
    }
    let is_separator = |c: &char| matches!(c, '_' | ',' | '\'' | ' ');
    let digits: String = plain.chars().filter(|c| !is_separator(c)).collect();
    if digits == text || !is_number(&digits) {
        return None;
    }
    let help = match plain.starts_with('-') && !text.starts_with('-') {
        true => "write the number with a hyphen as its sign",
        false => "write the number without separators",
    };
    Some(format!("{help}: `{digits}`"))
}

/// Whether a text is a number in JSON. Rust reads `inf` and `nan`, too.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    unsigned.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// The number of a text such as `0b11`.
fn of_another_base(text: &str) -> Option<u64> {
    let lowercase = text.to_ascii_lowercase();
    let bases = [("0b", 2), ("0o", 8), ("0x", 16)];
    bases.into_iter().find_map(|(prefix, base)| {
        let digits = lowercase.strip_prefix(prefix)?;
        u64::from_str_radix(digits, base).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::help;

    #[test]
    fn a_number_in_another_form_is_shown_as_a_number() {
        for (text, expected) in [
            ("1_000", "write the number without separators: `1000`"),
            ("1,000", "write the number without separators: `1000`"),
            (
                "-1 000 000",
                "write the number without separators: `-1000000`",
            ),
            (
                "\u{2212}5",
                "write the number with a hyphen as its sign: `-5`",
            ),
            ("2,5", "write a period before the decimals: `2.5`"),
            ("0O10", "write the number in decimal digits: `8`"),
            ("0b11", "write the number in decimal digits: `3`"),
        ] {
            assert_eq!(help(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["5", "-5", "1e3", "ten", "10 MB", "", "nan", "2026-01-01"] {
            assert_eq!(help(text), None, "{text}");
        }
    }
}
