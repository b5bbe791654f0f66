//! The messages of progenitor's builders. They print the tokens of types, which this module writes as people do.

use proc_macro2::TokenStream;

/// The message for a value of the wrong type, from progenitor's.
pub fn failure(text: &str) -> Option<String> {
    let text = text.strip_prefix("conversion to `")?;
    let (ty, rest) = text.split_once("` for ")?;
    let name = rest.strip_suffix(" failed")?;
    let ty = type_name(ty)?;
    Some(match name {
        "body" => format!("the body cannot be converted to `{ty}`"),
        name => format!("the value of `{name}` cannot be converted to `{ty}`"),
    })
}

/// The message for a missing value, from progenitor's.
pub fn missing(text: &str) -> Option<String> {
    let name = text.strip_suffix(" was not initialized")?;
    Some(match name {
        "body" => "the body is missing".to_owned(),
        name => format!("the value of `{name}` is missing"),
    })
}

/// A type without its paths, such as `Vec<String>`.
fn type_name(text: &str) -> Option<String> {
    // Every token of the text has spaces around it.
    let tokens: TokenStream = text.parse().ok()?;
    let tokens = tokens.to_string();
    let mut words: Vec<&str> = Vec::new();
    for word in tokens.split(' ') {
        match word {
            "::" => {
                words.pop_if(|word| word.starts_with(char::is_alphabetic));
            }
            word => words.push(word),
        }
    }
    Some(words.concat().replace(',', ", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_parameter_and_its_type() {
        let message =
            |ty: &str, name: &str| failure(&format!("conversion to `{ty}` for {name} failed"));
        let expected = "the value of `page` cannot be converted to `String`";
        let text = ":: std :: string :: String";
        assert_eq!(message(text, "page").as_deref(), Some(expected));
        let expected = "the body cannot be converted to `Map<String, Counter>`";
        let text = ":: std :: Map < :: std :: string :: String , types :: Counter >";
        assert_eq!(message(text, "body").as_deref(), Some(expected));
        assert_eq!(failure("another text"), None);
    }

    #[test]
    fn a_message_names_the_missing_value() {
        let message = missing("name was not initialized");
        assert_eq!(message.as_deref(), Some("the value of `name` is missing"));
    }
}
