//! The public API of source code, as lines that can be compared.
//!
//! The code is read as it is written: macros are not expanded, and derived traits count as implemented ones. An item of a
//! private module counts as public, since the crate may re-export it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::Context;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Fields, Generics, ImplItem, Item, ItemEnum, ItemImpl, ItemTrait, TraitItem, UseTree,
    Visibility,
};

/// The public items of a crate. The key is the path of an item, and the value its signature. Paths of fields, variants and
/// methods begin with that of their type.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Api(BTreeMap<String, Signature>);

/// The module of the generated clients. The repository has a crate for each in place of its modules.
const AREAS: &str = "areas";
/// Folders without an API: programs, and the generated servers of the fake service.
const NOT_OF_CALLERS: [&str; 2] = ["bin", "servers"];

/// A change that can break a caller.
#[derive(Debug)]
pub(super) struct Break {
    /// The path of the item.
    pub(super) path: String,
    problem: String,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.problem)
    }
}

/// What callers rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Signature {
    text: String,
    /// Whether a further member below this path can break a caller.
    is_exhaustive: bool,
}

impl Api {
    /// Reads the sources of a crate. `name` begins all paths.
    pub(super) fn of_crate(name: &str, sources: &Path) -> anyhow::Result<Self> {
        let mut api = Self::default();
        api.read_folder(name, sources)?;
        Ok(api)
    }

    /// Reads generated code.
    pub(super) fn of_code(name: &str, code: &syn::File) -> Self {
        let mut api = Self::default();
        api.read(name, &code.items);
        api
    }

    /// Adds the API of another crate.
    pub(super) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    fn read_folder(&mut self, path: &str, folder: &Path) -> anyhow::Result<()> {
        for entry in folder
            .read_dir()
            .with_context(|| folder.display().to_string())?
        {
            let entry = entry?.path();
            let stem = entry.file_stem().unwrap_or_default().to_string_lossy();
            // The modules of generated code are public; those of other code are private, and their items re-exported.
            let is_area = folder.ends_with(AREAS);
            let inner = match is_area {
                true => format!("{path}::{stem}"),
                false => path.to_owned(),
            };
            if entry.is_dir() && !NOT_OF_CALLERS.contains(&&*stem) {
                self.read_folder(&inner, &entry)?;
            } else if stem != AREAS && entry.extension().is_some_and(|extension| extension == "rs")
            {
                let text = fs::read_to_string(&entry)?;
                let file = syn::parse_file(&text).with_context(|| entry.display().to_string())?;
                self.read(&inner, &file.items);
            }
        }
        Ok(())
    }

    fn read(&mut self, path: &str, items: &[Item]) {
        for item in items {
            self.read_item(path, item);
        }
    }

    fn read_item(&mut self, path: &str, item: &Item) {
        match item {
            Item::Mod(one) if !is_test(&one.attrs) && !is_hidden(&one.attrs) => {
                if let Some((_, items)) = &one.content {
                    self.read(&format!("{path}::{}", one.ident), items);
                }
            }
            Item::Struct(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                let path = format!("{path}::{}", one.ident);
                let all_public = one.fields.iter().all(|field| is_public(&field.vis));
                let is_open = is_open(&one.attrs) || !all_public || one.fields.is_empty();
                let text = format!("struct{}", generics(&one.generics));
                self.put(&path, text, !is_open);
                self.derived(&path, &one.attrs);
                self.fields(&path, &one.fields, true);
            }
            Item::Enum(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                self.read_enum(path, one);
            }
            Item::Fn(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                let path = format!("{path}::{}", one.sig.ident);
                self.put(&path, text(&one.sig), false);
            }
            Item::Const(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                let path = format!("{path}::{}", one.ident);
                self.put(&path, format!("const {}", text(&one.ty)), false);
            }
            Item::Static(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                let path = format!("{path}::{}", one.ident);
                self.put(&path, format!("static {}", text(&one.ty)), false);
            }
            Item::Type(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                let path = format!("{path}::{}", one.ident);
                self.put(&path, format!("type {}", text(&one.ty)), false);
            }
            Item::Use(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                // The names count, and not the private modules that they come from. An item of this crate has its own
                // signature.
                for name in exported(&one.tree) {
                    let signature = Signature {
                        text: "use".to_owned(),
                        is_exhaustive: false,
                    };
                    self.0.entry(format!("{path}::{name}")).or_insert(signature);
                }
            }
            Item::Trait(one) if is_public(&one.vis) && !is_hidden(&one.attrs) => {
                self.read_trait(path, one);
            }
            Item::Impl(one) => self.read_impl(path, one),
            _ => {}
        }
    }

    fn read_enum(&mut self, path: &str, item: &ItemEnum) {
        let path = format!("{path}::{}", item.ident);
        let text = format!("enum{}", generics(&item.generics));
        self.put(&path, text, !is_open(&item.attrs));
        self.derived(&path, &item.attrs);
        for variant in &item.variants {
            let path = format!("{path}::{}", variant.ident);
            let is_exhaustive = !is_open(&variant.attrs) && !variant.fields.is_empty();
            self.put(&path, "variant".to_owned(), is_exhaustive);
            self.fields(&path, &variant.fields, false);
        }
    }

    fn read_trait(&mut self, path: &str, item: &ItemTrait) {
        let path = format!("{path}::{}", item.ident);
        self.put(&path, format!("trait{}", generics(&item.generics)), false);
        for member in &item.items {
            if let TraitItem::Fn(method) = member {
                let kind = match method.default {
                    Some(_) => "provided",
                    None => "required",
                };
                let path = format!("{path}::{}", method.sig.ident);
                self.put(&path, format!("{kind} {}", text(&method.sig)), false);
            }
        }
    }

    fn read_impl(&mut self, path: &str, item: &ItemImpl) {
        let name = text(&item.self_ty);
        if let Some((_, implemented, _)) = &item.trait_ {
            let path = format!("{path}: impl {} for {name}", text(implemented));
            self.put(&path, generics(&item.generics), false);
        }
        // The paths of a type and of its methods are the same with all parameters.
        let name = name.split('<').next().unwrap_or_default().trim();
        for member in &item.items {
            if let ImplItem::Fn(method) = member
                && is_public(&method.vis)
                && !is_hidden(&method.attrs)
            {
                // A field may have the same name.
                let path = format!("{path}::{name}::{}()", method.sig.ident);
                self.put(&path, text(&method.sig), false);
            }
        }
    }

    fn fields(&mut self, path: &str, fields: &Fields, with_visibility: bool) {
        for (index, field) in fields.iter().enumerate() {
            if !with_visibility || is_public(&field.vis) {
                let name = field
                    .ident
                    .as_ref()
                    .map_or(index.to_string(), ToString::to_string);
                self.put(&format!("{path}::{name}"), text(&field.ty), false);
            }
        }
    }

    fn derived(&mut self, path: &str, attributes: &[Attribute]) {
        for attribute in attributes
            .iter()
            .filter(|one| one.path().is_ident("derive"))
        {
            let _ = attribute.parse_nested_meta(|meta| {
                let name = meta.path.segments.last().map(|one| one.ident.to_string());
                let path = format!("{path}: impl {}", name.unwrap_or_default());
                self.put(&path, String::new(), false);
                Ok(())
            });
        }
    }

    fn put(&mut self, path: &str, text: String, is_exhaustive: bool) {
        let signature = Signature {
            text,
            is_exhaustive,
        };
        self.0.insert(path.to_owned(), signature);
    }

    /// The changes from an older API to this one that can break a caller.
    pub(super) fn breaks(&self, older: &Self) -> Vec<Break> {
        let mut breaks = Vec::new();
        let mut add = |path: &String, problem: String| {
            let path = path.clone();
            breaks.push(Break { path, problem });
        };
        for (path, before) in &older.0 {
            match self.0.get(path) {
                None => add(path, "was removed".to_owned()),
                Some(now) if now.text != before.text => {
                    add(path, format!("was `{}` and is `{}`", before.text, now.text));
                }
                Some(now) if now.is_exhaustive && !before.is_exhaustive => {
                    add(path, "can no longer be extended".to_owned());
                }
                Some(_) => {}
            }
        }
        for (path, added) in self
            .0
            .iter()
            .filter(|(path, _)| !older.0.contains_key(*path))
        {
            let parent = path.rsplit_once("::").map(|(parent, _)| parent);
            let parent = parent.and_then(|parent| older.0.get(parent));
            let is_required = added.text.starts_with("required");
            // A method of an exhaustive type breaks nobody.
            let is_method = added.text.contains("fn ");
            if is_required && parent.is_some() {
                let problem = "was added, and implementations of its trait lack it";
                add(path, problem.to_owned());
            } else if !is_method && parent.is_some_and(|parent| parent.is_exhaustive) {
                add(path, "was added, and its parent is exhaustive".to_owned());
            }
        }
        breaks
    }

    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The names that a `use` exports. A glob is named with its module.
fn exported(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => match &*path.tree {
            UseTree::Glob(_) => vec![format!("{}::*", path.ident)],
            UseTree::Name(name) if name.ident == "self" => vec![path.ident.to_string()],
            tree => exported(tree),
        },
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(rename) => vec![rename.rename.to_string()],
        UseTree::Glob(_) => vec!["*".to_owned()],
        UseTree::Group(group) => group.items.iter().flat_map(exported).collect(),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_open(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|one| one.path().is_ident("non_exhaustive"))
}

/// Whether an item is of the tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    let test = |one: &Attribute| one.path().is_ident("cfg") && text(&one.meta).contains("test");
    attributes.iter().any(test)
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let hidden = |one: &Attribute| one.path().is_ident("doc") && text(&one.meta).contains("hidden");
    attributes.iter().any(hidden)
}

/// Parameters with their bounds.
fn generics(generics: &Generics) -> String {
    text(generics) + &text(&generics.where_clause)
}

fn text(tokens: &impl ToTokens) -> String {
    without_trailing_commas(tokens.to_token_stream()).to_string()
}

/// Tokens without the commas at the ends of lists: a package is formatted, which adds and removes some.
fn without_trailing_commas(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut rest = Vec::new();
    while let Some(token) = tokens.next() {
        let ends_list = match tokens.peek() {
            None => true,
            Some(next) => is_punct(next, '>'),
        };
        match token {
            TokenTree::Punct(comma) if ends_list && comma.as_char() == ',' => {}
            TokenTree::Group(group) => {
                let inner = without_trailing_commas(group.stream());
                rest.push(Group::new(group.delimiter(), inner).into());
            }
            other => rest.push(other),
        }
    }
    rest.into_iter().collect()
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

#[cfg(test)]
mod tests {
    use super::Api;

    #[test]
    fn trailing_commas_of_formatted_code_break_no_caller() {
        let api = |code: &str| Api::of_code("client", &syn::parse_file(code).expect("Rust"));
        let plain = "impl From<Map<String, u8>> for Client {} \
            impl Client { pub fn get<T>(&self, value: T) -> Result<T, Error> where T: Into<u8> {} }";
        let formatted = "impl From<Map<String, u8,>,> for Client {} \
            impl Client { pub fn get<T,>(&self, value: T,) -> Result<T, Error,> where T: Into<u8>, {} }";
        assert_eq!(api(plain), api(formatted));
        let other = plain.replace("value: T", "value: &T");
        assert_eq!(api(&other).breaks(&api(formatted)).len(), 1);
    }
}
