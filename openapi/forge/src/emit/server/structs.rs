//! Structs, with their conversion from and to objects.

use super::impls::{deserialize, serialize};
use super::text::{doc, ident, place};
use super::type_path::path;
use super::{debug, default};
use crate::emit::slots::{reads, slots};
use crate::ir::{AdditionalMembers, Api, Field, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A struct that represents an object.
pub(super) struct Structure<'i> {
    pub(super) docs: TokenStream,
    pub(super) name: Ident,
    pub(super) fields: &'i [Field],
    /// The type of members without fields, if the struct has them.
    pub(super) additional: Option<&'i AdditionalMembers>,
}

impl Structure<'_> {
    /// The struct, with `types` as the path to the types of the document.
    pub(super) fn emit(&self, api: &Api, types: &TokenStream) -> TokenStream {
        let Structure {
            docs,
            name,
            fields,
            additional,
        } = self;
        let mut marked = debug::marked(api, fields);
        if let Some(members) = additional {
            let is_secret = members.schema.is_some_and(|id| api.holds_secret(id));
            marked.push((ident("additional"), is_secret));
        }
        let debug = debug::of_struct(name, &marked);
        let derived = debug.is_none().then(|| quote!(Debug,));
        let declared = fields.iter().map(|field| declared(api, field, types));
        let others = additional.map(|members| {
            let ty = path(api, &members.ty, types);
            quote! {
                /// Every other member.
                pub additional: ::std::collections::BTreeMap<::std::string::String, #ty>,
            }
        });
        let written = self.written(api, types);
        let read = self.read(api, types);
        quote! {
            #docs
            #[derive(#derived Clone, PartialEq)]
            pub struct #name { #(#declared)* #others }
            #debug
            #written
            #read
        }
    }

    /// The implementation of `Serialize`.
    fn written(&self, api: &Api, types: &TokenStream) -> TokenStream {
        let Structure { name, fields, .. } = self;
        let members = fields.iter().map(|field| {
            let (member, name) = (&field.name, ident(&field.field));
            match Presence::of(api, field, types) {
                Presence::Required | Presence::Defaulted(_) => quote!(.put(#member, &self.#name)),
                Presence::Optional | Presence::Distinct => quote!(.put_some(#member, &self.#name)),
            }
        });
        let body = match self.additional {
            None => {
                let (label, count) = (name.to_string(), fields.len());
                quote!(::dropforge_runtime::fields::write(to, #label, #count)#(#members)*.end())
            }
            Some(_) => quote! {
                ::dropforge_runtime::fields::write_open(to)#(#members)*.end(&self.additional)
            },
        };
        serialize(name, &body)
    }

    /// The implementations of `Deserialize` and `Fields`.
    fn read(&self, api: &Api, types: &TokenStream) -> TokenStream {
        let Structure { name, fields, .. } = self;
        let members = fields.iter().map(|field| &field.name);
        let slots = slots(fields.len());
        let next = match self.additional {
            None => quote!(members.next_field()?),
            Some(_) => quote!(members.next_field_or(&mut additional)?),
        };
        let others = self.additional.map(|_| {
            quote! { let mut additional = ::std::collections::BTreeMap::new(); }
        });
        let additional = self.additional.map(|_| quote!(additional,));
        let reads = reads(&slots, &next);
        let values = fields.iter().zip(&slots).map(|(field, slot)| {
            let (member, name) = (&field.name, ident(&field.field));
            match Presence::of(api, field, types) {
                Presence::Required => quote!(#name: members.required(#member, #slot)?,),
                Presence::Defaulted(value) => quote!(#name: #slot.unwrap_or_else(|| #value),),
                Presence::Optional => quote!(#name: #slot.flatten(),),
                Presence::Distinct => quote!(#name: #slot,),
            }
        });
        let deserialize = deserialize(name, &quote!(::dropforge_runtime::fields::read(from)));
        quote! {
            #deserialize
            impl ::dropforge_runtime::fields::Fields for #name {
                const NAMES: &'static [&'static str] = &[#(#members),*];
                fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
                    members: &mut ::dropforge_runtime::fields::Members<A>,
                ) -> ::std::result::Result<Self, A::Error> {
                    #others
                    #reads
                    ::std::result::Result::Ok(Self { #(#values)* #additional })
                }
            }
        }
    }
}

/// The meaning of a member that is absent or null.
enum Presence {
    /// The member is required.
    Required,
    /// An absent member has a default.
    Defaulted(TokenStream),
    /// Absent and null are the same.
    Optional,
    /// Absent and null differ.
    Distinct,
}

impl Presence {
    fn of(api: &Api, field: &Field, types: &TokenStream) -> Self {
        if let Some(value) = default::of_field(api, field, types) {
            return Presence::Defaulted(value);
        }
        match (field.required, &field.ty) {
            (true, _) => Presence::Required,
            (false, Type::Nullable(_) | Type::Any) => Presence::Distinct,
            (false, _) => Presence::Optional,
        }
    }
}

/// The declaration of a field.
fn declared(api: &Api, field: &Field, types: &TokenStream) -> TokenStream {
    let name = ident(&field.field);
    let docs = doc(&[
        field.description.as_deref().or(Some(&field.name)),
        Some(&place(&field.place)),
    ]);
    let ty = path(api, &field.ty, types);
    match Presence::of(api, field, types) {
        Presence::Required | Presence::Defaulted(_) => quote! { #docs pub #name: #ty, },
        Presence::Optional | Presence::Distinct => {
            quote! { #docs pub #name: ::std::option::Option<#ty>, }
        }
    }
}
