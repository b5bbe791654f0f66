//! Descriptions as doc comments, and names as identifiers.

use crate::emit::{comment, places};
use crate::ir::{Api, Place};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// An identifier. Lowering has made it valid.
pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Paragraphs of a doc comment.
pub(super) fn doc(paragraphs: &[Option<&str>]) -> TokenStream {
    let text = paragraphs
        .iter()
        .flatten()
        .map(|paragraph| comment::description(paragraph.trim()))
        .filter(|paragraph| !paragraph.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n");
    let lines = text.lines().map(|line| format!(" {line}"));
    quote! { #(#[doc = #lines])* }
}

/// The place of an item, as the last line of its doc comment.
pub(super) fn place(place: &Place) -> String {
    places::line(place)
}

/// The same for the document as a whole.
pub(super) fn top(api: &Api) -> String {
    places::line(&format_args!("{}:1", api.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_description_is_not_run_as_rust() {
        let written = doc(&[Some("```\na"), Some("b")]).to_string();
        let expected = quote! {
            #[doc = " ```text"] #[doc = " a"] #[doc = " ```"] #[doc = " "] #[doc = " b"]
        };
        assert_eq!(written, expected.to_string());
    }

    #[test]
    fn a_carriage_return_ends_a_line_of_a_comment() {
        let written = doc(&[Some("a\rb\r\nc")]).to_string();
        let expected = quote! { #[doc = " a"] #[doc = " b"] #[doc = " c"] };
        assert_eq!(written, expected.to_string());
    }
}
