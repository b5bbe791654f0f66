//! One struct for the parameters of each operation.

use super::structs::Structure;
use super::text::{doc, ident, place};
use crate::ir::{Api, Field, Operation};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(api: &Api) -> TokenStream {
    let structs = api
        .operations
        .iter()
        .filter(|operation| !operation.parameters.is_empty())
        .map(|operation| structure(api, operation));
    quote! { #(#structs)* }
}

fn structure(api: &Api, operation: &Operation) -> TokenStream {
    let name = ident(&operation.names.stem);
    let docs = doc(&[
        Some(&format!("Parameters of `{}`.", operation.id)),
        Some(&place(&operation.origin.place)),
    ]);
    let fields = operation.parameters.iter().map(|parameter| Field {
        name: parameter.key.clone(),
        field: parameter.field.clone(),
        description: parameter.description.clone(),
        place: parameter.place.clone(),
        ty: parameter.ty.clone(),
        required: parameter.required,
        default: parameter.default.clone(),
        schema: parameter.schema,
    });
    let fields: Vec<Field> = fields.collect();
    let structure = Structure {
        docs,
        name,
        fields: &fields,
        additional: None,
    };
    structure.emit(api, &quote!(super::types))
}
