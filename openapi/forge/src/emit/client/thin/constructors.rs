//! Constructors and setters of the types of requests, and the types that a later document may extend.
//!
//! A later document may have more members, values and statuses. So structs and enums are `#[non_exhaustive]`: users
//! create requests with `new`, which takes the required members, and set the others. The fields stay public.
//!
//! Arguments of one type can be exchanged without an error of the compiler, also when a later document renames a member.
//! So `new` takes required members by position only if their types differ. Otherwise it takes a struct with their names.

use super::super::items::{argument, last_segment};
use super::structs::{Absent, SerdeField, serde_field};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::{
    Field, Fields, Ident, Item, ItemStruct, Path, Token, Type, parse_quote, punctuated::Punctuated,
};

/// Marks the types that may grow, and gives those of requests a constructor. Returns the types with a default value.
/// `names` are those of all types, also of other modules.
pub fn with_constructors(
    types: &mut Vec<Item>,
    built: &BTreeSet<String>,
    mut names: BTreeSet<String>,
) -> BTreeSet<String> {
    let mut defaults: BTreeSet<String> = types.iter().filter_map(with_default).collect();
    let items = std::mem::take(types);
    for mut item in items {
        let constructor = match &mut item {
            Item::Enum(item) => {
                item.attrs.push(parse_quote!(#[non_exhaustive]));
                None
            }
            Item::Struct(item) if matches!(item.fields, Fields::Named(_)) => {
                item.attrs.push(parse_quote!(#[non_exhaustive]));
                let name = item.ident.to_string();
                built
                    .contains(&name)
                    .then(|| constructor(item, &mut names, &mut defaults))
            }
            _ => None,
        };
        types.push(item);
        types.extend(constructor.into_iter().flatten());
    }
    defaults
}

/// The name of a type.
pub fn name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// The type that this item gives a default value: by a derive, or as an implementation.
fn with_default(item: &Item) -> Option<String> {
    let is_default = |path: &Path| {
        let last = path.segments.last();
        last.is_some_and(|name| name.ident == "Default")
    };
    match item {
        Item::Struct(item) => {
            let derives = item
                .attrs
                .iter()
                .filter(|one| one.path().is_ident("derive"));
            let mut traits = derives.flat_map(|derive| {
                let traits = Punctuated::<Path, Token![,]>::parse_terminated;
                derive.parse_args_with(traits).into_iter().flatten()
            });
            traits
                .any(|path| is_default(&path))
                .then(|| item.ident.to_string())
        }
        Item::Impl(item) => {
            let (_, path, _) = item.trait_.as_ref()?;
            let name = last_segment(&item.self_ty)?;
            is_default(path).then(|| name.to_string())
        }
        _ => None,
    }
}

/// The constructor of a struct, with its setters and its default value. `names` are those of all types, and `defaults`
/// those of the types with a default value.
fn constructor(
    item: &ItemStruct,
    names: &mut BTreeSet<String>,
    defaults: &mut BTreeSet<String>,
) -> Vec<Item> {
    let name = &item.ident;
    let members: Vec<_> = item
        .fields
        .iter()
        .filter_map(|field| Some((field.ident.as_ref()?, &field.ty, initial(field))))
        .collect();
    let required: Vec<&Field> = item
        .fields
        .iter()
        .filter(|field| initial(field).is_none())
        .collect();
    let Arguments {
        inputs,
        value,
        group,
    } = arguments(name, &required, names);
    let mut items = Vec::from_iter(group);
    let values = members.iter().map(|(field, _, initial)| {
        let value = initial.clone().unwrap_or_else(|| value(field));
        quote! { #field: #value }
    });
    let optional = members
        .iter()
        .filter(|(field, _, initial)| initial.is_some() && **field != "new");
    let setters = optional.map(|(field, ty, _)| setter(field, ty));
    items.push(parse_quote! {
        impl #name {
            /// A value with the required members.
            pub fn new(#inputs) -> Self {
                Self { #(#values),* }
            }
            #(#setters)*
        }
    });
    if required.is_empty() && defaults.insert(name.to_string()) {
        items.push(parse_quote! {
            impl ::std::default::Default for #name {
                fn default() -> Self {
                    Self::new()
                }
            }
        });
    }
    items
}

/// The arguments of a constructor.
struct Arguments {
    inputs: TokenStream,
    /// The value of a required member, by its name.
    value: fn(&Ident) -> TokenStream,
    /// The struct of the required members, if they are one argument.
    group: Option<Item>,
}

/// The arguments for the required members of the struct `name`.
fn arguments(name: &Ident, required: &[&Field], names: &mut BTreeSet<String>) -> Arguments {
    if differ(required) {
        let inputs = required.iter().map(|field| {
            let (name, ty) = (&field.ident, argument_type(&field.ty));
            quote! { #name: #ty }
        });
        return Arguments {
            inputs: quote! { #(#inputs),* },
            value: |field| quote! { #field.into() },
            group: None,
        };
    }
    let group = free(format!("{name}Required"), names);
    let doc = format!(" The required members of [`{name}`].");
    let fields = required.iter().map(|field| {
        let docs = field.attrs.iter().filter(|one| one.path().is_ident("doc"));
        let (name, ty) = (&field.ident, &field.ty);
        quote! { #(#docs)* pub #name: #ty }
    });
    Arguments {
        inputs: quote! { required: #group },
        value: |field| quote! { required.#field },
        group: Some(parse_quote! {
            #[doc = #doc]
            pub struct #group { #(#fields),* }
        }),
    }
}

/// The setter of an optional member. That of an `Option` takes the value in it.
fn setter(field: &Ident, ty: &Type) -> TokenStream {
    let (ty, value) = match argument(ty, "Option") {
        Some(inner) => (inner, quote! { ::std::option::Option::Some(value.into()) }),
        None => (ty, quote! { value.into() }),
    };
    let ty = argument_type(ty);
    let doc = format!(" Sets `{field}`.");
    quote! {
        #[doc = #doc]
        pub fn #field(mut self, value: #ty) -> Self {
            self.#field = #value;
            self
        }
    }
}

/// Whether all members have different types as arguments.
fn differ(required: &[&Field]) -> bool {
    let mut types = BTreeSet::new();
    let mut all = required
        .iter()
        .map(|field| argument_type(&field.ty).to_string());
    all.all(|ty| types.insert(ty))
}

/// A name that no type has.
fn free(mut wanted: String, names: &mut BTreeSet<String>) -> Ident {
    while !names.insert(wanted.clone()) {
        wanted.push('_');
    }
    format_ident!("{wanted}")
}

/// The value of a member that is not set; `None` if it is required.
fn initial(field: &Field) -> Option<TokenStream> {
    match serde_field(field) {
        Some(SerdeField::Others) => Some(quote! { ::std::default::Default::default() }),
        Some(SerdeField::Member(member)) => match member.absent {
            Absent::Error => None,
            Absent::Nothing => Some(quote! { ::std::option::Option::None }),
            Absent::Value(value) => Some(value),
        },
        None => argument(&field.ty, "Option").map(|_| quote! { ::std::option::Option::None }),
    }
}

/// The type of an argument: all that converts into the type of the member. Literals of numbers have no type of their own,
/// so numbers are taken as they are.
fn argument_type(ty: &Type) -> TokenStream {
    const PLAIN: [&str; 13] = [
        "bool", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "isize",
        "usize",
    ];
    let is_plain =
        matches!(ty, Type::Path(path) if PLAIN.iter().any(|name| path.path.is_ident(name)));
    match is_plain {
        true => quote! { #ty },
        false => quote! { impl ::std::convert::Into<#ty> },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    /// Without spaces, and without the comma after the last field, which `cargo fmt` adds.
    fn compact(tokens: TokenStream) -> String {
        tokens.to_string().replace(' ', "").replace(",}", "}")
    }

    #[test]
    fn requests_have_constructors_and_every_type_may_grow() {
        let file: syn::File = parse_quote! {
            pub struct Pet {
                pub id: String,
                #[serde(default)]
                pub name: ::std::option::Option<String>,
                #[serde(default = "defaults::pet_size")]
                pub size: u8,
            }
            pub struct Empty {
                pub new: ::std::option::Option<u8>,
            }
            #[derive(Clone, Default)]
            pub struct Derived { pub id: ::std::option::Option<u8> }
            pub struct Answer { pub id: u8 }
            pub struct Text(pub String);
            pub enum Either { A, B }
            pub struct Pair {
                /// The first.
                pub one: String,
                pub note: ::std::option::Option<String>,
                pub other: String,
            }
            pub struct PairRequired {}
        };
        let mut items = file.items;
        let built = ["Pet", "Empty", "Derived", "Text", "Pair"].map(str::to_owned);
        let names = items.iter().filter_map(name).collect();
        let defaults = with_constructors(&mut items, &BTreeSet::from(built), names);
        let expected = ["Empty", "Derived"].map(str::to_owned);
        assert_eq!(defaults, BTreeSet::from(expected));
        let written: String = items
            .iter()
            .map(|item| compact(item.to_token_stream()))
            .collect();
        for part in [
            quote!(#[non_exhaustive] pub struct Pet),
            quote!(
                pub fn new(id: impl ::std::convert::Into<String>) -> Self {
                    Self {
                        id: id.into(),
                        name: ::std::option::Option::None,
                        size: defaults::pet_size(),
                    }
                }
            ),
            quote!(
                pub fn name(mut self, value: impl ::std::convert::Into<String>) -> Self {
                    self.name = ::std::option::Option::Some(value.into());
                    self
                }
            ),
            quote!(
                pub fn size(mut self, value: u8) -> Self {
                    self.size = value.into();
                    self
                }
            ),
            quote!(
                #[non_exhaustive]
                pub struct Answer {
                    pub id: u8,
                }
                pub struct Text(pub String);
            ),
            quote!(
                #[non_exhaustive]
                pub enum Either {
                    A,
                    B,
                }
            ),
            quote!(
                pub fn new() -> Self {
                    Self {
                        new: ::std::option::Option::None,
                    }
                }
            ),
            quote!(
                pub struct PairRequired_ {
                    /// The first.
                    pub one: String,
                    pub other: String,
                }
            ),
            quote!(
                pub fn new(required: PairRequired_) -> Self {
                    Self {
                        one: required.one,
                        note: ::std::option::Option::None,
                        other: required.other,
                    }
                }
            ),
        ] {
            let part = compact(part);
            assert!(written.contains(&part), "{part}\nis not in\n{written}");
        }
        assert!(!written.contains("implAnswer"), "{written}");
        assert!(!written.contains("DefaultforDerived"), "{written}");
    }
}
