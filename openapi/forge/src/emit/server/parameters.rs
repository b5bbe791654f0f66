//! One struct for the parameters of each operation.

use super::text::{doc, ident, place};
use super::types;
use crate::ir::{Api, Field, Operation, holds_secret};
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
        default: api.schemas[parameter.schema.0].default.clone(),
        secret: holds_secret(&api.schemas, parameter.schema),
    });
    let fields: Vec<Field> = fields.collect();
    let debug = types::debug(&name, &types::marked(&fields));
    let derived = debug.is_none().then(|| quote!(Debug,));
    let body = types::fields(api, &name, &fields, &quote!(super::types));
    let defaults = types::defaults(api, &name, &fields, &quote!(super::types));
    quote! {
        #docs
        #[derive(#derived Clone, PartialEq, ::dropforge_runtime::serde::Serialize, ::dropforge_runtime::serde::Deserialize)]
        #[serde(crate = "::dropforge_runtime::serde")]
        pub struct #name { #body }
        #defaults
        #debug
    }
}
