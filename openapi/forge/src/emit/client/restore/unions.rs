//! Unions: enums with a variant for each member, read by a discriminator or by trying the members in order.

use super::super::subset::{Member, Union, naming::pascal, rust_type, walk};
use crate::emit::comment;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// A member as code.
struct Variant<'a> {
    name: Ident,
    /// The type of its values.
    inner: TokenStream,
    member: &'a Member,
}

impl Variant<'_> {
    /// The type of its values in the variant.
    fn held(&self) -> TokenStream {
        let inner = &self.inner;
        match self.member.boxed {
            true => quote! { ::std::boxed::Box<#inner> },
            false => inner.clone(),
        }
    }

    /// `value`, as the variant holds it.
    fn value(&self) -> TokenStream {
        match self.member.boxed {
            true => quote! { ::std::boxed::Box::new(value) },
            false => quote! { value },
        }
    }
}

/// The enum of a union, with its conversions. The event of a stream has a variant for events that the document does not
/// list: a newer service may send some.
pub fn union(union: &Union, is_event: bool, description: &str) -> TokenStream {
    let name = format_ident!("{}", pascal(&union.name));
    let variants: Vec<_> = union.members.iter().map(variant).collect();
    let code = match &union.discriminator {
        Some(property) => tagged(&name, property, &variants, description),
        None => untagged(&name, &variants, is_event, description),
    };
    let conversions = conversions(union, &name, &variants);
    let has_unknown = is_event || union.discriminator.is_some();
    let text = union.is_text.then(|| text(&name, &variants, has_unknown));
    quote! { #code #conversions #text }
}

fn variant(member: &Member) -> Variant<'_> {
    Variant {
        name: format_ident!("{}", member.variant),
        inner: rust_type(&member.schema),
        member,
    }
}

/// Conversions of the values of members. Of several members with one type, the first takes the values; it is also the one
/// that reads them.
fn conversions(union: &Union, name: &Ident, variants: &[Variant<'_>]) -> TokenStream {
    let own = |variant: &&Variant<'_>| {
        walk::component(&variant.member.schema).is_none_or(|component| component != union.name)
    };
    let mut types = HashSet::new();
    let different = variants.iter().filter(own);
    let different = different.filter(|variant| types.insert(variant.inner.to_string()));
    let conversions = different.map(|variant| {
        let (variant_name, inner, value) = (&variant.name, &variant.inner, variant.value());
        let is_text = inner.to_string() == quote! { ::std::string::String }.to_string();
        let text = is_text.then(|| {
            quote! {
                impl ::std::convert::From<&str> for #name {
                    fn from(value: &str) -> Self {
                        Self::#variant_name(value.to_owned())
                    }
                }
            }
        });
        quote! {
            impl ::std::convert::From<#inner> for #name {
                fn from(value: #inner) -> Self {
                    Self::#variant_name(#value)
                }
            }
            #text
        }
    });
    conversions.collect()
}

/// `Display`, for a union whose values are single words.
fn text(name: &Ident, variants: &[Variant<'_>], has_unknown: bool) -> TokenStream {
    let names = variants.iter().map(|variant| &variant.name);
    let unknown = has_unknown.then(|| {
        quote! { Self::Unknown(value) => ::std::fmt::Display::fmt(value, f), }
    });
    quote! {
        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    #(Self::#names(value) => ::std::fmt::Display::fmt(value, f),)*
                    #unknown
                }
            }
        }
    }
}

/// What a variant is for, as the values of a property.
fn doc(property: &str, values: &[String]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
    comment::text(&format!(" With {property} {}.", values.join(" or ")))
}

/// The enum of a union, and how it is written. `unknown` is the documentation of the variant for
/// other values, if there is one.
fn enumeration(
    name: &Ident,
    description: &str,
    declared: impl Iterator<Item = TokenStream>,
    writes: impl Iterator<Item = TokenStream>,
    unknown: Option<TokenStream>,
) -> TokenStream {
    let write_unknown = unknown.is_some().then(|| {
        quote! { Self::Unknown(value) => ::serde::Serialize::serialize(value, serializer), }
    });
    let unknown = unknown.map(|doc| quote! { #doc Unknown(::serde_json::Value), });
    quote! {
        #[doc = #description]
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#declared)*
            #unknown
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    #(#writes)*
                    #write_unknown
                }
            }
        }
    }
}

fn tagged(
    name: &Ident,
    property: &str,
    variants: &[Variant<'_>],
    description: &str,
) -> TokenStream {
    let declared = variants.iter().map(|variant| {
        let (doc, variant_name) = (doc(property, &variant.member.tags), &variant.name);
        let held = variant.held();
        quote! { #[doc = #doc] #variant_name(#held), }
    });
    let writes = variants.iter().map(|variant| {
        let (variant_name, tag) = (&variant.name, variant.member.tags.first());
        match tag {
            Some(tag) => quote! {
                Self::#variant_name(value) => ::dropforge_client::write_tagged(value, #property, #tag, serializer),
            },
            None => quote! { Self::#variant_name(value) => ::serde::Serialize::serialize(value, serializer), },
        }
    });
    // A member that no value selects is never read.
    let selected = variants
        .iter()
        .filter(|variant| !variant.member.tags.is_empty());
    let reads = selected.map(|variant| {
        let (variant_name, tags) = (&variant.name, &variant.member.tags);
        quote! { ::std::option::Option::Some(#(#tags)|*) => ::serde_json::from_value(value).map(Self::#variant_name), }
    });
    let unknown = quote! {
        /// A value that the document does not list.
    };
    let written = enumeration(name, description, declared, writes, Some(unknown));
    quote! {
        #written

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let value = <::serde_json::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                let tag = value.get(#property).and_then(::serde_json::Value::as_str);
                let read = match tag {
                    #(#reads)*
                    _ => ::std::result::Result::Ok(Self::Unknown(value)),
                };
                read.map_err(::serde::de::Error::custom)
            }
        }
    }
}

fn untagged(
    name: &Ident,
    variants: &[Variant<'_>],
    is_event: bool,
    description: &str,
) -> TokenStream {
    let declared = variants.iter().map(|variant| {
        let mut marks = variant.member.marks.iter();
        let mark = marks.find(|(_, values)| values.len() == 1);
        let doc = mark.map(|(property, values)| {
            let doc = doc(property, values);
            quote! { #[doc = #doc] }
        });
        let (variant_name, held) = (&variant.name, variant.held());
        quote! { #doc #variant_name(#held), }
    });
    let writes = variants.iter().map(|variant| {
        let variant_name = &variant.name;
        quote! { Self::#variant_name(value) => ::serde::Serialize::serialize(value, serializer), }
    });
    let reads = variants.iter().map(|variant| {
        let (variant_name, inner, value) = (&variant.name, &variant.inner, variant.value());
        let marks = variant.member.marks.iter().map(|(property, values)| {
            quote! { (#property, &[#(#values),*]) }
        });
        quote! {
            if let ::std::option::Option::Some(value) = reader.read::<#inner>(&[#(#marks),*]) {
                return ::std::result::Result::Ok(Self::#variant_name(#value));
            }
        }
    });
    let text = name.to_string();
    let otherwise = match is_event {
        true => quote! { reader.unknown().map(Self::Unknown) },
        false => quote! { ::std::result::Result::Err(reader.error()) },
    };
    let unknown = is_event.then(|| {
        quote! {
            /// An event that the document does not list.
        }
    });
    let written = enumeration(name, description, declared, writes, unknown);
    quote! {
        #written

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let mut reader = ::dropforge_client::UnionReader::new(#text, deserializer)?;
                while reader.next_round() {
                    #(#reads)*
                }
                #otherwise
            }
        }
    }
}
