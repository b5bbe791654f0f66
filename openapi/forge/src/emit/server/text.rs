//! Descriptions as doc comments, and names as identifiers.

use crate::emit::places;
use crate::ir::{Api, Origin};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// An identifier. Lowering has made sure that it is one.
pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Paragraphs of a doc comment.
pub(super) fn doc(paragraphs: &[Option<&str>]) -> TokenStream {
    let text = paragraphs
        .iter()
        .flatten()
        .map(|paragraph| paragraph.trim())
        .filter(|paragraph| !paragraph.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n");
    let lines = text.lines().map(|line| format!(" {line}"));
    quote! { #(#[doc = #lines])* }
}

/// Where something stands, as the last line of its doc comment.
pub(super) fn place(origin: &Origin) -> String {
    places::line(&origin.file, origin.line)
}

/// The same of what has nothing but a line.
pub(super) fn place_at(api: &Api, line: usize) -> String {
    places::line(&api.file, line)
}
