//! Comments that name the place of each generated item in the document.
//!
//! The documentation of each generated item ends with its place in the document. The compiler does
//! not show documentation: it shows the lines of code that an error touches. So [`comments`] writes
//! the same place after the first line of each item, and after the last line of a method's
//! signature. An error that leads into generated code then names the document.

const BEFORE: &str = "Defined at `";
const AFTER: &str = "`.";

/// The line of documentation with the place of an item, `file:line`.
pub(super) fn line(place: &impl std::fmt::Display) -> String {
    format!("{BEFORE}{place}{AFTER}")
}

/// Writes the place of each item of a formatted source after its first line.
pub(crate) fn comments(source: &str) -> String {
    let mut text = String::with_capacity(source.len() + source.len() / 16);
    let mut state = State::Between;
    for line in source.lines() {
        text.push_str(line);
        let code = line.trim_start();
        state = match state {
            _ if code.starts_with("///") => match place(code) {
                Some(place) => State::Documented(place),
                None => state,
            },
            State::Documented(place) if code.starts_with("#[") => match opens(code) {
                0 => State::Documented(place),
                open => State::Attribute(place, open),
            },
            State::Attribute(place, open) => match open + opens(code) {
                ..=0 => State::Documented(place),
                open => State::Attribute(place, open),
            },
            State::Documented(place) => {
                mark(&mut text, place);
                let method = code.contains("fn ") && !ends_signature(code);
                match method {
                    true => State::Signature(place, line.len() - code.len()),
                    false => State::Between,
                }
            }
            State::Signature(place, indent) => {
                let is_end = line.len() - code.len() <= indent + 4 && ends_signature(code);
                if is_end {
                    mark(&mut text, place);
                }
                match is_end {
                    true => State::Between,
                    false => State::Signature(place, indent),
                }
            }
            State::Between => State::Between,
        };
        text.push('\n');
    }
    text
}

/// The part of an item that the next line belongs to.
#[derive(Clone, Copy)]
enum State<'t> {
    Between,
    /// After the documentation of an item with this place.
    Documented(&'t str),
    /// Within an attribute of the item, at this depth of brackets.
    Attribute(&'t str, i32),
    /// Within the signature of a method with this indentation.
    Signature(&'t str, usize),
}

fn place(documentation: &str) -> Option<&str> {
    let (_, rest) = documentation.split_once(BEFORE)?;
    rest.strip_suffix(AFTER)
}

fn mark(text: &mut String, place: &str) {
    text.push_str(" // ");
    text.push_str(place);
}

fn opens(code: &str) -> i32 {
    code.chars().fold(0, |open, char| match char {
        '[' | '(' => open + 1,
        ']' | ')' => open - 1,
        _ => open,
    })
}

fn ends_signature(code: &str) -> bool {
    code.ends_with(';') || code.ends_with('{') || code.ends_with('}')
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn the_first_line_of_an_item_and_the_last_of_a_signature_tell_the_place() {
        let source = "\
/// A pet.
///
/// Defined at `pets.yaml:7`.
#[derive(
    Debug,
)]
pub struct Pet {
    /// Defined at `pets.yaml:9`.
    #[serde(rename = \"name\")]
    pub name: String,
    pub other: String,
}
pub trait Pets {
    /// Defined at `pets.yaml:3`.
    fn get_pet(
        call: Call,
    ) -> impl Future<
        Output = Pet,
    > + Send;
}
";
        let expected = "\
/// A pet.
///
/// Defined at `pets.yaml:7`.
#[derive(
    Debug,
)]
pub struct Pet { // pets.yaml:7
    /// Defined at `pets.yaml:9`.
    #[serde(rename = \"name\")]
    pub name: String, // pets.yaml:9
    pub other: String,
}
pub trait Pets {
    /// Defined at `pets.yaml:3`.
    fn get_pet( // pets.yaml:3
        call: Call,
    ) -> impl Future<
        Output = Pet,
    > + Send; // pets.yaml:3
}
";
        assert_eq!(comments(source), expected);
    }
}
