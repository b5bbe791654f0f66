//! Optional bodies: the method that adds one to a request.

use super::{
    super::{
        output::Builder,
        subset::{naming::pascal, operation::Operation},
    },
    names::builder_of,
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// Adds the method `body` to the variant without a body. The method converts the builder into the variant with one, and
/// copies its parameters. `builder` is that of the variant without a body, and `other` that of the variant `with_body`.
/// `None` if `other` has no body.
pub fn body(
    operation: &Operation,
    with_body: &str,
    builder: &Builder,
    other: &Builder,
) -> Option<TokenStream> {
    let name = builder_of(operation);
    let other_name = format_ident!("{}", pascal(with_body));
    let signature = other.body.as_ref()?;
    let (generics, bounds) = (&signature.generics.params, &signature.generics.where_clause);
    // The first input is `mut self`, the second the value.
    let value = signature.inputs.iter().nth(1)?;
    let converted = convert(&other_name, builder)?;
    Some(quote! {
        impl<'a> #name<'a> {
            /// Sends an optional body with the request.
            pub fn body<#generics>(self, #value) -> #other_name<'a> #bounds {
                #converted
                other.body(value)
            }
        }
    })
}

/// The statements that convert `self` into `other`, a builder of the type `other_name`. `None` for a builder without a
/// client.
pub fn convert(other_name: &Ident, builder: &Builder) -> Option<TokenStream> {
    let client = builder.fields.first()?;
    let fields = builder.fields.iter().skip(1);
    Some(quote! {
        #[allow(unused_mut)]
        let mut other = #other_name::new(self.#client);
        #(other.#fields = self.#fields;)*
    })
}
