//! Enumerations that keep unknown values, unions that are read by their discriminator, and the types of parameters that
//! progenitor cannot write.

use super::super::{
    progenitor::OPEN,
    subset::{
        Subset, Union, doc_text,
        naming::{Names, pascal},
        rust_type,
    },
};
use super::parts;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

/// The module of these types, which the module `types` re-exports.
pub fn module(subset: &Subset) -> TokenStream {
    let name = format_ident!("{OPEN}");
    let description = |component: &str| {
        let pointer = format!("/components/schemas/{component}/description");
        let text = subset
            .root
            .pointer(&pointer)
            .and_then(Value::as_str)
            .map(doc_text);
        text.unwrap_or_else(|| component.to_owned())
    };
    let enums = subset
        .enums
        .iter()
        .map(|(name, values)| open_enum(name, values, &description(name)));
    let unions = subset
        .unions
        .iter()
        .map(|union| self::union(union, &description(&union.name)));
    let arguments = subset.arguments.iter().map(|(name, schema)| {
        let (name, value) = (format_ident!("{}", pascal(name)), rust_type(schema));
        quote! {
            /// The type of a parameter; its values convert into it.
            pub type #name = ::dropforge_client::Argument<#value>;
        }
    });
    let parts = subset
        .multipart
        .iter()
        .map(|parts| parts::parts(subset, parts));
    quote! {
        /// Types that typify has no words for.
        #[allow(clippy::all)]
        pub mod #name {
            #[allow(unused_imports)]
            use super::types;
            #(#enums)*
            #(#unions)*
            #(#arguments)*
            #(#parts)*
        }
    }
}

/// Conversions of texts into a union. typify generates the conversions of all other members.
pub fn text(name: &Ident, variant: &Ident) -> TokenStream {
    quote! {
        impl ::std::convert::From<&str> for #name {
            fn from(value: &str) -> Self {
                Self::#variant(value.to_owned())
            }
        }

        impl ::std::convert::From<::std::string::String> for #name {
            fn from(value: ::std::string::String) -> Self {
                Self::#variant(value)
            }
        }
    }
}

fn open_enum(component: &str, values: &[String], description: &str) -> TokenStream {
    let name = format_ident!("{}", pascal(component));
    let mut names = Names::reserved(&["Unknown"]);
    let variants: Vec<_> = values
        .iter()
        .map(|value| format_ident!("{}", names.allocate(&pascal(value))))
        .collect();
    let docs = values.iter().map(|value| format!(" `{value}`"));
    quote! {
        #[doc = #description]
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#[doc = #docs] #variants,)*
            /// A value that the document does not list.
            Unknown(::std::string::String),
        }

        impl #name {
            /// The values that the document lists.
            pub const VALUES: &'static [&'static str] = &[#(#values),*];

            /// The value as it is sent.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #values,)*
                    Self::Unknown(value) => value,
                }
            }
        }

        impl ::std::convert::From<&str> for #name {
            fn from(value: &str) -> Self {
                match value {
                    #(#values => Self::#variants,)*
                    other => Self::Unknown(other.to_owned()),
                }
            }
        }

        impl ::std::convert::From<::std::string::String> for #name {
            fn from(value: ::std::string::String) -> Self {
                match value.as_str() {
                    #(#values => Self::#variants,)*
                    _ => Self::Unknown(value),
                }
            }
        }

        impl ::std::str::FromStr for #name {
            type Err = ::std::convert::Infallible;

            fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
                Ok(value.into())
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                <::std::string::String as ::serde::Deserialize>::deserialize(deserializer).map(Self::from)
            }
        }
    }
}

fn union(union: &Union, description: &str) -> TokenStream {
    let name = format_ident!("{}", pascal(&union.name));
    let property = &union.property;
    let mut names = Names::reserved(&["Unknown"]);
    // A component may have several values, but it is one variant.
    let mut members: Vec<(&String, Vec<&String>)> = Vec::new();
    for (tag, component) in &union.tags {
        match members.iter_mut().find(|(other, _)| *other == component) {
            Some((_, tags)) => tags.push(tag),
            None => members.push((component, vec![tag])),
        }
    }
    let parts: Vec<_> = members
        .iter()
        .map(|(component, tags)| {
            let component_name = pascal(component);
            let variant = format_ident!("{}", names.allocate(&component_name));
            let component_name = format_ident!("{component_name}");
            let inner = quote! { types::#component_name };
            let boxed = union.boxed.contains(component);
            let held = if boxed {
                quote! { ::std::boxed::Box<#inner> }
            } else {
                inner.clone()
            };
            let from = if boxed {
                quote! { ::std::boxed::Box::new(value) }
            } else {
                quote! { value }
            };
            (variant, inner, held, from, tags)
        })
        .collect();
    let variants = parts.iter().map(|(variant, _, held, _, tags)| {
        let doc = format!(
            " With {property} {}.",
            tags.iter()
                .map(|tag| format!("`{tag}`"))
                .collect::<Vec<_>>()
                .join(" or ")
        );
        quote! { #[doc = #doc] #variant(#held), }
    });
    let conversions = parts.iter().map(|(variant, inner, _, from, _)| {
        quote! {
            impl ::std::convert::From<#inner> for #name {
                fn from(value: #inner) -> Self {
                    Self::#variant(#from)
                }
            }
        }
    });
    let writes = parts.iter().map(|(variant, _, _, _, tags)| {
        let tag = tags.first();
        quote! { Self::#variant(value) => ::dropforge_client::write_tagged(value, #property, #tag, serializer), }
    });
    let reads = parts.iter().map(|(variant, _, _, _, tags)| {
        quote! { Some(#(#tags)|*) => ::serde_json::from_value(value).map(Self::#variant), }
    });
    quote! {
        #[doc = #description]
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// A value that the document does not list.
            Unknown(::serde_json::Value),
        }

        #(#conversions)*

        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    #(#writes)*
                    Self::Unknown(value) => ::serde::Serialize::serialize(value, serializer),
                }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let value = <::serde_json::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                let tag = value.get(#property).and_then(::serde_json::Value::as_str);
                let read = match tag {
                    #(#reads)*
                    _ => Ok(Self::Unknown(value)),
                };
                read.map_err(::serde::de::Error::custom)
            }
        }
    }
}
