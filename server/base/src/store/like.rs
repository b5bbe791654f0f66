//! Search of texts in columns.

/// The operand of `LIKE … ESCAPE '!'` for texts that contain this one.
pub fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for character in text.chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::containing;

    #[test]
    fn wildcards_in_a_text_are_escaped() {
        assert_eq!(containing("50%_!"), "%50!%!_!!%");
    }
}
