//! The security trait, and the callers of operations with alternatives.

use super::text::{doc, ident, place};
use crate::ir::{Api, Credentials, Location, Operation};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(api: &Api) -> TokenStream {
    let items = api.schemes.iter().map(|scheme| {
        let (ty, method) = (ident(&scheme.type_name), ident(&scheme.method));
        let type_docs = doc(&[
            Some(&format!("The caller that `{}` identifies.", scheme.name)),
            scheme.description.as_deref(),
            Some(&place(&scheme.place)),
        ]);
        let method_docs = doc(&[
            Some(&format!(
                "Identifies the caller by these credentials of `{}`, which must grant `scopes`.",
                scheme.name
            )),
            Some(&place(&scheme.place)),
        ]);
        let credentials = match scheme.credentials {
            Credentials::Bearer => quote!(::dropforge_runtime::Bearer),
            Credentials::Basic => quote!(::dropforge_runtime::Basic),
            Credentials::ApiKey { .. } => quote!(::dropforge_runtime::ApiKey),
            Credentials::MutualTls => quote!(::dropforge_runtime::MutualTls),
        };
        quote! {
            #type_docs
            type #ty: ::std::marker::Send;
            #method_docs
            fn #method(
                call: &::dropforge_runtime::Call<Self::Context>,
                credentials: #credentials,
                scopes: &'static [&'static str],
            ) -> impl ::std::future::Future<
                Output = ::std::result::Result<Self::#ty, ::dropforge_runtime::Denied>,
            > + ::std::marker::Send;
        }
    });
    let callers = api
        .operations
        .iter()
        .filter_map(|operation| caller_enum(api, operation));
    quote! {
        /// Authenticates callers, and defines the form of errors.
        pub trait Security: ::std::marker::Sized + ::std::marker::Send + ::std::marker::Sync + 'static {
            /// The context of the server.
            type Context: ::dropforge_runtime::dropshot::ServerContext + ::dropforge_runtime::Observe;
            #(#items)*
            /// The document's own form for every rejection before or around an operation.
            fn reject(
                call: &::dropforge_runtime::Call<Self::Context>,
                rejection: ::dropforge_runtime::Rejection,
            ) -> ::dropforge_runtime::Reply;
        }
        #(#callers)*
    }
}

/// The type of an operation's caller, with `service` as the implementer.
pub(super) fn caller_type(
    api: &Api,
    operation: &Operation,
    service: &TokenStream,
) -> Option<TokenStream> {
    if has_enum(operation) {
        let name = ident(&operation.names.caller);
        return Some(quote!(#name<#service>));
    }
    let used = operation.security.first()?.all.first()?;
    let ty = ident(&api.schemes[used.scheme].type_name);
    Some(quote!(<#service as Security>::#ty))
}

fn has_enum(operation: &Operation) -> bool {
    match operation.security.as_slice() {
        [] => false,
        [only] => only.all.len() != 1,
        _ => true,
    }
}

fn caller_enum(api: &Api, operation: &Operation) -> Option<TokenStream> {
    if !has_enum(operation) {
        return None;
    }
    let name = ident(&operation.names.caller);
    let docs = doc(&[
        Some(&format!(
            "The caller of `{}`, by the scheme that identified it.",
            operation.id
        )),
        Some(&place(&operation.origin.place)),
    ]);
    let variants = operation.security.iter().map(|requirement| {
        let variant = ident(&requirement.variant);
        let types = requirement.all.iter().map(|used| {
            let ty = ident(&api.schemes[used.scheme].type_name);
            quote!(S::#ty)
        });
        match requirement.all.is_empty() {
            true => quote! { /** Nobody in particular. */ #variant, },
            false => quote! { #[allow(missing_docs)] #variant(#(#types),*), },
        }
    });
    Some(quote! {
        #docs
        pub enum #name<S: Security> { #(#variants)* }
    })
}

/// The method that authenticates the caller of an operation.
pub(super) fn authenticate(api: &Api, operation: &Operation) -> TokenStream {
    let table = ident(&operation.names.table);
    let (call, body) = match operation.security.as_slice() {
        [] => (quote!(_), quote!(::dropforge_runtime::anybody())),
        [only] if only.all.len() == 1 => {
            let method = ident(&api.schemes[only.all[0].scheme].method);
            let admit = quote!(::dropforge_runtime::admit(call, &operations::#table, A::#method));
            (quote!(call), admit)
        }
        _ => {
            let alternatives = alternatives(api, operation);
            (quote!(call), quote! { async move { #alternatives } })
        }
    };
    quote! {
        fn authenticate(
            #call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            #body
        }
    }
}

/// Statements that return the caller, or a rejection. Alternatives are tried in order. An anonymous
/// caller is admitted only if no presented credentials were rejected.
fn alternatives(api: &Api, operation: &Operation) -> TokenStream {
    let enum_name = ident(&operation.names.caller);
    let is_open = operation.security.iter().any(|one| one.all.is_empty());
    let attempts = operation
        .security
        .iter()
        .filter(|r| !r.all.is_empty())
        .map(|requirement| {
            let bindings: Vec<_> = (0..requirement.all.len())
                .map(|index| format_ident!("caller{}", index))
                .collect();
            let variant = ident(&requirement.variant);
            let mut body = quote! {
                return ::std::result::Result::Ok(#enum_name::#variant(#(#bindings),*));
            };
            for (used, binding) in requirement.all.iter().zip(&bindings).rev() {
                let scheme = &api.schemes[used.scheme];
                let method = ident(&scheme.method);
                let scopes = &used.scopes;
                let table = self::scheme(&scheme.credentials);
                let push = match scheme.credentials {
                    Credentials::MutualTls if is_open => quote!(push_certificate),
                    _ => quote!(push),
                };
                body = quote! {
                    if let ::std::option::Option::Some(credentials) =
                        ::dropforge_runtime::Credentials::presented(call, #table)
                    {
                        match A::#method(call, credentials, &[#(#scopes),*]).await {
                            ::std::result::Result::Ok(#binding) => { #body }
                            ::std::result::Result::Err(denied) => refused.#push(denied),
                        }
                    }
                };
            }
            body
        });
    let anybody = operation
        .security
        .iter()
        .find(|r| r.all.is_empty())
        .map(|requirement| {
            let variant = ident(&requirement.variant);
            quote! {
                if refused.is_empty() {
                    return ::std::result::Result::Ok(#enum_name::#variant);
                }
            }
        });
    quote! {
        let mut refused = ::dropforge_runtime::Refusals::new();
        #(#attempts)*
        #anybody
        ::std::result::Result::Err(refused.into_rejection())
    }
}

/// The place of credentials, in the runtime's table.
pub(super) fn scheme(credentials: &Credentials) -> TokenStream {
    match credentials {
        Credentials::Bearer => quote!(::dropforge_runtime::table::Scheme::Bearer),
        Credentials::Basic => quote!(::dropforge_runtime::table::Scheme::Basic),
        Credentials::ApiKey { location, name } => {
            let location = self::location(*location);
            quote!(::dropforge_runtime::table::Scheme::ApiKey { location: #location, name: #name })
        }
        Credentials::MutualTls => quote!(::dropforge_runtime::table::Scheme::MutualTls),
    }
}

/// A location, in the runtime's table.
pub(super) fn location(location: Location) -> TokenStream {
    let name = match location {
        Location::Path => "Path",
        Location::Query => "Query",
        Location::Header => "Header",
        Location::Cookie => "Cookie",
    };
    let name = ident(name);
    quote!(::dropforge_runtime::table::ParameterIn::#name)
}
