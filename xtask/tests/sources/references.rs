//! The paths in the tokens of an item.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{ItemUse, UseTree};

/// Macros whose tokens are code for other crates: the paths in them are not uses.
const QUOTES: [&str; 4] = ["format_ident", "parse_quote", "quote", "quote_spanned"];

/// A path of an import, and its local name. The path of a glob ends with `*`.
pub type Import = (Vec<String>, String);

/// The paths in these tokens, and in macro calls among them.
pub fn paths(tokens: TokenStream) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Ident(ident) if *ident == "use" => {
                let length = tokens[at..].iter().position(|token| is(token, ';'));
                let end = length.map_or(tokens.len(), |length| at + length + 1);
                let import: TokenStream = tokens[at..end].iter().cloned().collect();
                if let Ok(import) = syn::parse2::<ItemUse>(import) {
                    found.extend(imports(&import).into_iter().map(|(path, _)| path));
                    at = end;
                    continue;
                }
            }
            TokenTree::Ident(_) if !continues(&tokens[..at]) => {
                let (path, end) = path(&tokens, at);
                let is_quote = matches!(path.last(), Some(name) if QUOTES.contains(&name.as_str()))
                    && tokens.get(end).is_some_and(|token| is(token, '!'))
                    && matches!(tokens.get(end + 1), Some(TokenTree::Group(_)));
                found.push(path);
                at = if is_quote { end + 2 } else { end };
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether a name after these tokens continues a path or an expression: `.name`,
/// `::name`.
fn continues(before: &[TokenTree]) -> bool {
    match before {
        [.., one, two] if is(one, ':') && is(two, ':') => true,
        // Two dots are a range.
        [.., one, two] if is(one, '.') && is(two, '.') => false,
        [.., one] => is(one, '.'),
        [] => false,
    }
}

/// The path that begins here, and where it ends.
fn path(tokens: &[TokenTree], start: usize) -> (Vec<String>, usize) {
    let mut path = vec![tokens[start].to_string()];
    let mut at = start + 1;
    while let [one, two, TokenTree::Ident(name), ..] = &tokens[at..]
        && is(one, ':')
        && is(two, ':')
    {
        path.push(name.to_string());
        at += 3;
    }
    (path, at)
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// The imports of a `use`.
pub fn imports(import: &ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    if import.leading_colon.is_none() {
        flatten(&import.tree, &mut Vec::new(), &mut found);
    }
    found
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Import>) {
    let mut add = |name: &str, alias: &str| {
        let mut path = before.clone();
        // `a::{self}` is `a`.
        let alias = match (name, before.last()) {
            ("self", Some(last)) if alias == "self" => last.clone(),
            ("self", Some(_)) => alias.to_owned(),
            _ => {
                path.push(name.to_owned());
                alias.to_owned()
            }
        };
        found.push((path, alias));
    };
    match tree {
        UseTree::Name(name) => add(&name.ident.to_string(), &name.ident.to_string()),
        UseTree::Rename(rename) => add(&rename.ident.to_string(), &rename.rename.to_string()),
        UseTree::Glob(_) => add("*", "*"),
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, found);
            }
        }
    }
}

/// Whether an attribute says that an item is for tests only.
pub fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    if path
        .segments
        .last()
        .is_some_and(|last| last.ident == "test")
    {
        return true;
    }
    let names = match &attribute.meta {
        syn::Meta::List(list) if path.is_ident("cfg") => list.tokens.clone(),
        _ => return false,
    };
    let mut tokens = names.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), None) => name == "test",
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) => {
            let has_test = |token| matches!(token, TokenTree::Ident(name) if name == "test");
            name == "all"
                && group.delimiter() == Delimiter::Parenthesis
                && group.stream().into_iter().any(has_test)
        }
        _ => false,
    }
}

#[test]
fn paths_are_found_in_calls_types_macros_and_imports() {
    let code = r#"
        fn f(a: x::Y<z::W>) {
            use crate::{one, two::{self, Three}};
            a.b::<c::D>();
            format!("{}", super::e(1..f::G));
            quote! { super::generated(#a) };
            ::foreign::h();
        }
    "#;
    let found = paths(code.parse().expect("tokens"));
    let mut long: Vec<_> = found.iter().map(|path| path.join("::")).collect();
    long.retain(|path| path.contains("::"));
    let expected = [
        "x::Y",
        "z::W",
        "crate::one",
        "crate::two",
        "crate::two::Three",
    ];
    assert_eq!(long[..5], expected);
    assert_eq!(long[5..], ["c::D", "super::e", "f::G"]);
}
