//! Rewrites the paths of a generated client, so that it uses crates through `dropforge_client`, which re-exports them.
//! A user of the client depends on that crate alone, and need not keep versions in step.

use super::items::with_content;
use proc_macro2::{Delimiter, Group, Literal, Spacing, TokenStream, TokenTree};
use quote::quote;

/// The crates that generated code uses; `dropforge_client` re-exports each.
const CRATES: [&str; 11] = [
    "base64",
    "bytes",
    "chrono",
    "futures",
    "http",
    "progenitor_client",
    "regress",
    "reqwest",
    "serde",
    "serde_json",
    "uuid",
];

/// Rewrites every path that begins with one of [`CRATES`], also in the texts of serde's attributes, and sets the path of
/// serde for its derives.
pub fn through_library(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut result: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && matches!(result.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
                let content = match is_attribute && begins_with(group, "serde") {
                    true => with_texts(group.stream()),
                    false => through_library(group.stream()),
                };
                result.push(with_content(group, content));
                if is_attribute && begins_with(group, "derive") && derives_serde(group.stream()) {
                    result.extend(quote! { #[serde(crate = "::dropforge_client::serde")] });
                }
            }
            TokenTree::Ident(ident)
                if is_double_colon(&tokens[index + 1..])
                    && CRATES.iter().any(|name| ident == name) =>
            {
                match prefix(&tokens[..index]) {
                    Prefix::None => result.extend(quote! { ::dropforge_client:: }),
                    Prefix::Global => result.extend(quote! { dropforge_client:: }),
                    Prefix::Module => {}
                }
                result.push(token.clone());
            }
            _ => result.push(token.clone()),
        }
    }
    result.into_iter().collect()
}

/// The tokens before the name of a crate.
enum Prefix {
    None,
    /// `::` at the beginning of a path.
    Global,
    /// The name is a later segment of a path.
    Module,
}

fn prefix(before: &[TokenTree]) -> Prefix {
    let Some((rest, colons)) = before.split_last_chunk::<2>() else {
        return Prefix::None;
    };
    if !is_double_colon(colons) {
        return Prefix::None;
    }
    match rest.last() {
        Some(TokenTree::Ident(ident)) if is_segment(&ident.to_string()) => Prefix::Module,
        _ => Prefix::Global,
    }
}

/// Whether a word can be a segment of a path; other keywords end before one.
fn is_segment(word: &str) -> bool {
    matches!(word, "self" | "super" | "crate" | "Self")
        || syn::parse_str::<syn::Ident>(word).is_ok()
}

fn is_double_colon(tokens: &[TokenTree]) -> bool {
    matches!(
        tokens,
        [TokenTree::Punct(first), TokenTree::Punct(second), ..]
            if first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':'
    )
}

fn begins_with(attribute: &Group, name: &str) -> bool {
    matches!(attribute.stream().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == name)
}

fn derives_serde(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Serialize" || ident == "Deserialize",
        TokenTree::Group(group) => derives_serde(group.stream()),
        _ => false,
    })
}

/// Paths in the texts of an attribute, as in `skip_serializing_if = "::serde_json::Map::is_empty"`.
fn with_texts(tokens: TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match &token {
        TokenTree::Group(group) => with_content(group, with_texts(group.stream())),
        TokenTree::Literal(literal) => match path_in(&literal.to_string()) {
            Some(path) => TokenTree::Literal(Literal::string(&path)),
            None => token,
        },
        _ => token,
    });
    tokens.collect()
}

fn path_in(literal: &str) -> Option<String> {
    let path = literal.strip_prefix("\"::")?.strip_suffix('"')?;
    let (name, rest) = path.split_once("::")?;
    CRATES
        .contains(&name)
        .then(|| format!("::dropforge_client::{name}::{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: TokenStream, expected: TokenStream) {
        assert_eq!(through_library(code).to_string(), expected.to_string());
    }

    #[test]
    fn paths_lead_through_the_library() {
        check(
            quote! { fn f(reqwest: reqwest::Client) -> ::serde_json::Value { x::<::uuid::Uuid>() } },
            quote! { fn f(reqwest: ::dropforge_client::reqwest::Client) -> ::dropforge_client::serde_json::Value { x::<::dropforge_client::uuid::Uuid>() } },
        );
        check(
            quote! { impl ::serde::Serialize for T {} },
            quote! { impl ::dropforge_client::serde::Serialize for T {} },
        );
    }

    #[test]
    fn other_paths_and_fields_of_those_names_stay() {
        let code = quote! { use types::bytes::A; use self::http::B; struct C { bytes: ::std::vec::Vec<u8> } use ::dropforge_client::reqwest::Body; };
        check(code.clone(), code);
    }

    #[test]
    fn the_path_of_serde_is_set() {
        check(
            quote! { #[derive(::serde::Serialize, Clone)] #[serde(skip_serializing_if = "::serde_json::Map::is_empty", rename = "serde")] struct A; #[derive(Clone)] struct B; },
            quote! { #[derive(::dropforge_client::serde::Serialize, Clone)] #[serde(crate = "::dropforge_client::serde")] #[serde(skip_serializing_if = "::dropforge_client::serde_json::Map::is_empty", rename = "serde")] struct A; #[derive(Clone)] struct B; },
        );
    }
}
