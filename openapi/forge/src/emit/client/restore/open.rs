//! The module of types beside typify's: enumerations that keep unknown values, unions, and the types of parameters that
//! progenitor cannot write.

use super::super::{
    progenitor::OPEN,
    subset::{Subset, naming::pascal, operation::OperationVariant, rust_type},
};
use super::{parts, unions};
use crate::emit::comment;
use crate::lower::names::Scope;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;
use std::collections::HashSet;

/// The module of these types, which the module `types` re-exports.
pub fn module(subset: &Subset) -> TokenStream {
    let name = format_ident!("{OPEN}");
    let description = |component: &str| {
        let pointer = format!("/components/schemas/{component}/description");
        let text = subset
            .root
            .pointer(&pointer)
            .and_then(Value::as_str)
            .map(comment::description);
        text.unwrap_or_else(|| component.to_owned())
    };
    let enums = subset
        .enums
        .iter()
        .map(|(name, values)| open_enum(name, values, &description(name)));
    let events = subset.operations.iter().filter_map(|operation| {
        let OperationVariant::Events(events) = &operation.variant else {
            return None;
        };
        events.item.as_deref()
    });
    let events: HashSet<&str> = events.collect();
    let unions = subset.unions.iter().map(|union| {
        let is_event = events.contains(union.name.as_str());
        unions::union(union, is_event, &description(&union.name))
    });
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
        mod #name {
            #[allow(unused_imports)]
            use super::types;
            #(#enums)*
            #(#unions)*
            #(#arguments)*
            #(#parts)*
        }
    }
}

fn open_enum(component: &str, values: &[String], description: &str) -> TokenStream {
    let name = format_ident!("{}", pascal(component));
    let mut names = Scope::reserved(&["Unknown"]);
    let variants: Vec<_> = values
        .iter()
        .map(|value| format_ident!("{}", names.take(pascal(value))))
        .collect();
    let docs = values
        .iter()
        .map(|value| comment::text(&format!(" `{value}`")));
    let conversions = conversions(&name, &variants, values);
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

        #conversions
    }
}

/// The traits that convert between an enumeration and its text.
fn conversions(name: &Ident, variants: &[Ident], values: &[String]) -> TokenStream {
    quote! {
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
                ::std::result::Result::Ok(value.into())
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
