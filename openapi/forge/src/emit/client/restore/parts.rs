//! Bodies of several parts: a struct for the parts that the document lists, and the method of a builder that accepts
//! it.

use super::{
    super::{
        output::Builder,
        subset::{Field, Part, Parts, Subset, naming::pascal, operation::Operation, rust_type},
    },
    bodies,
    names::builder_of,
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

/// The struct of the parts of a body, and its conversion into a body.
pub fn parts(subset: &Subset, parts: &Parts) -> TokenStream {
    let name = format_ident!("{}", pascal(&parts.name));
    let summary = format!(
        " The parts of the body of [`Client::{}`](super::Client::{0}).",
        parts.operation
    );
    let fields = parts.fields.iter().map(|part| {
        let (field, ty) = (format_ident!("{}", part.field), field_type(subset, part));
        let doc = match &part.description {
            Some(description) => format!(" {description}"),
            None => format!(" The part `{}`.", part.name),
        };
        quote! { #[doc = #doc] pub #field: #ty, }
    });
    let required = |part: &&Part| part.required && !matches!(part.content, Field::Files);
    let inputs = parts.fields.iter().filter(required).map(|part| {
        let (field, ty) = (format_ident!("{}", part.field), field_type(subset, part));
        quote! { #field: #ty }
    });
    let initial = parts.fields.iter().map(|part| {
        let field = format_ident!("{}", part.field);
        match required(&part) {
            true => quote! { #field },
            false => quote! { #field: ::std::default::Default::default() },
        }
    });
    let writes = parts.fields.iter().map(|part| {
        let (field, wire) = (format_ident!("{}", part.field), &part.name);
        match (&part.content, part.required, &part.media_type) {
            (Field::File, true, _) => quote! { parts = parts.part(#wire, form.#field); },
            (Field::File, false, _) | (Field::Files, ..) => quote! {
                for part in form.#field {
                    parts = parts.part(#wire, part);
                }
            },
            (Field::Value(_), _, None) => quote! { parts = parts.value(#wire, &form.#field)?; },
            (Field::Value(_), _, Some(media_type)) => quote! {
                parts = parts.value_as(#wire, &form.#field, #media_type)?;
            },
        }
    });
    quote! {
        #[doc = #summary]
        #[derive(Debug)]
        #[non_exhaustive]
        pub struct #name {
            #(#fields)*
        }

        impl #name {
            /// The required parts, and no others.
            pub fn new(#(#inputs),*) -> Self {
                Self { #(#initial),* }
            }
        }

        impl ::std::convert::TryFrom<#name> for ::dropforge_client::Multipart {
            type Error = ::std::string::String;

            fn try_from(form: #name) -> ::std::result::Result<Self, Self::Error> {
                let mut parts = Self::new();
                #(#writes)*
                Ok(parts)
            }
        }
    }
}

fn field_type(subset: &Subset, part: &Part) -> TokenStream {
    let ty = match &part.content {
        Field::File => quote! { ::dropforge_client::Part },
        Field::Files => return quote! { ::std::vec::Vec<::dropforge_client::Part> },
        Field::Value(argument) => {
            let mut arguments = subset.arguments.iter();
            let found = arguments.find(|(name, _)| name == argument);
            rust_type(found.map_or(&Value::Null, |(_, schema)| schema))
        }
    };
    match part.required {
        true => ty,
        false => quote! { ::std::option::Option<#ty> },
    }
}

/// The method `form` of a builder.
pub fn form(operation: &Operation) -> TokenStream {
    let name = builder_of(operation);
    quote! {
        impl<'a> #name<'a> {
            /// Sends these parts: the typed form of the operation, or a [`dropforge_client::Multipart`].
            pub fn form<F>(mut self, form: F) -> Self
            where
                F: ::std::convert::TryInto<::dropforge_client::Multipart>,
                F::Error: ::std::fmt::Display,
            {
                match form.try_into() {
                    Ok(form) => {
                        self.content_type = Ok(Some(form.content_type()));
                        self.body = Ok(form.into_body());
                    }
                    Err(error) => self.body = Err(error.to_string()),
                }
                self
            }
        }
    }
}

/// The method `form` of a builder without a body: it converts the builder into one with a body.
pub fn form_of_other(
    operation: &Operation,
    with_body: &str,
    builder: &Builder,
) -> Option<TokenStream> {
    let name = builder_of(operation);
    let other_name = format_ident!("{}", pascal(with_body));
    let converted = bodies::convert(&other_name, builder)?;
    Some(quote! {
        impl<'a> #name<'a> {
            /// Sends optional parts with the request.
            pub fn form<F>(self, form: F) -> #other_name<'a>
            where
                F: ::std::convert::TryInto<::dropforge_client::Multipart>,
                F::Error: ::std::fmt::Display,
            {
                #converted
                other.form(form)
            }
        }
    })
}
