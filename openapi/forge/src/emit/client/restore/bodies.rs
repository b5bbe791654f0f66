//! Optional bodies.

use super::{
    super::{
        splice::Builder,
        subset::{naming::pascal, operation::Operation},
    },
    names::builder_of,
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The method `body` of the variant without a body: it converts the builder into the variant with one, and keeps its
/// parameters.
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
    let moved = moved(&other_name, builder)?;
    Some(quote! {
        impl<'a> #name<'a> {
            /// Sends a body with the request, which needs none.
            pub fn body<#generics>(self, #value) -> #other_name<'a> #bounds {
                #moved
                other.body(value)
            }
        }
    })
}

/// Converts `self` into `other`, the builder of the variant with a body.
pub fn moved(other_name: &Ident, builder: &Builder) -> Option<TokenStream> {
    let client = builder.fields.first()?;
    let fields = builder.fields.iter().skip(1);
    Some(quote! {
        #[allow(unused_mut)]
        let mut other = #other_name::new(self.#client);
        #(other.#fields = self.#fields;)*
    })
}
