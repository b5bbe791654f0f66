//! The hooks of the client, and the table of operations that they use.

use super::super::subset::{
    Subset,
    operation::{Operation, OperationVariant, Parameter, Serialization},
};
use crate::ir::{Api, Credentials, Location, Scheme, Style};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The base path, the table of operations, and hooks that pass each request to the session.
pub fn hooks(api: &Api, subset: &Subset) -> TokenStream {
    let schemes = api
        .schemes
        .iter()
        .enumerate()
        .map(|(index, one)| scheme(index, one));
    let operations = operations(subset);
    let base_path = &api.base_path;
    let request_ids = &api.request_ids;
    quote! {
        /// The path that every address begins with, behind the address of the service: a client's base address is the
        /// two together.
        pub const BASE_PATH: &str = #base_path;

        #(#schemes)*

        const REQUEST_IDS: &[&str] = &[#(#request_ids),*];

        #operations

        /// Sends a request between its hooks.
        #[allow(dead_code)]
        async fn perform<E>(
            client: &Client,
            mut request: ::reqwest::Request,
            info: &OperationInfo,
        ) -> Result<::reqwest::Response, Error<E>> {
            client.pre(&mut request, info).await?;
            let result = client.exec(request, info).await;
            client.post(&result, info).await?;
            Ok(result?)
        }

        impl ClientHooks<::dropforge_client::Session> for Client {
            async fn pre<E>(&self, request: &mut ::reqwest::Request, info: &OperationInfo) -> Result<(), Error<E>> {
                match operation(info.operation_id) {
                    Some(operation) => {
                        ::dropforge_client::prepare(request, operation).map_err(Error::Custom)
                    }
                    None => Ok(()),
                }
            }

            async fn exec(
                &self,
                request: ::reqwest::Request,
                info: &OperationInfo,
            ) -> ::reqwest::Result<::reqwest::Response> {
                match operation(info.operation_id) {
                    Some(operation) => {
                        ::dropforge_client::execute(&self.inner, &self.client, request, operation).await
                    }
                    None => self.client.execute(request).await,
                }
            }
        }
    }
}

/// A scheme of credentials, as a static.
fn scheme(index: usize, scheme: &Scheme) -> TokenStream {
    let ident = format_ident!("SCHEME_{index}");
    let name = &scheme.name;
    let kind = match &scheme.credentials {
        Credentials::Basic => quote! { Basic },
        Credentials::Bearer => quote! { Bearer },
        Credentials::ApiKey { location, name } => match location {
            Location::Query => quote! { Query(#name) },
            Location::Cookie => quote! { Cookie(#name) },
            Location::Header | Location::Path => quote! { Header(#name) },
        },
        Credentials::MutualTls => quote! { MutualTls },
    };
    quote! {
        static #ident: ::dropforge_client::Scheme =
            ::dropforge_client::Scheme::new(#name, ::dropforge_client::SchemeKind::#kind);
    }
}

/// The tables of operations, and the function that finds the entry of a method.
fn operations(subset: &Subset) -> TokenStream {
    // An operation is listed once, without its optional body.
    let is_listed = |operation: &&Operation| operation.variant != OperationVariant::WithBody;
    let (listed, others): (Vec<_>, Vec<_>) = subset.operations.iter().partition(is_listed);
    let table = format_ident!("OPERATIONS");
    let other_table = format_ident!("WITH_BODY");
    let arms_of = |table: &Ident, operations: &[&Operation]| {
        let operations = operations.iter().enumerate();
        let arms = operations.map(|(index, operation)| {
            let id = &operation.id;
            quote! { #id => #table.get(#index), }
        });
        arms.collect::<TokenStream>()
    };
    let arms = [arms_of(&table, &listed), arms_of(&other_table, &others)];
    let entries = listed.into_iter().map(entry);
    let others = (!others.is_empty()).then(|| {
        let entries = others.into_iter().map(entry);
        quote! {
            /// The operations of `OPERATIONS` with an optional body, if a call sends it.
            static #other_table: &[::dropforge_client::Operation] = &[#(#entries),*];
        }
    });
    quote! {
        /// The operations, as a session sees them. An operation whose response is also an event stream has a second
        /// entry with `streams`.
        pub static #table: &[::dropforge_client::Operation] = &[#(#entries),*];

        #others

        /// The operation of a method, by the name of that method.
        fn operation(method: &str) -> Option<&'static ::dropforge_client::Operation> {
            match method {
                #(#arms)*
                _ => None,
            }
        }
    }
}

/// An entry of a table of operations.
fn entry(operation: &Operation) -> TokenStream {
    let Operation {
        document_id,
        method,
        path,
        ..
    } = operation;
    let mut entry = quote! { ::dropforge_client::Operation::new(#document_id, #method, #path) };
    if let Some(accept) = &operation.accept {
        entry.extend(quote! { .with_accept(#accept) });
    }
    if let Some(content_type) = &operation.content_type {
        entry.extend(quote! { .with_content_type(#content_type) });
    }
    if !operation.parameters.is_empty() {
        let parameters = operation.parameters.iter().map(parameter);
        entry.extend(quote! { .with_parameters(&[#(#parameters),*]) });
    }
    if operation.encode_form {
        entry.extend(quote! { .with_form() });
    }
    if matches!(operation.variant, OperationVariant::Events(_)) {
        entry.extend(quote! { .with_streams() });
    }
    if !operation.security.is_empty() {
        let security = operation.security.iter().map(|alternative| {
            let requirements = alternative.all.iter().map(|used| {
                let scheme = format_ident!("SCHEME_{}", used.scheme);
                let scopes = &used.scopes;
                quote! { ::dropforge_client::Requirement::new(&#scheme, &[#(#scopes),*]) }
            });
            quote! { &[#(#requirements),*] }
        });
        entry.extend(quote! { .with_security(&[#(#security),*]) });
    }
    let idempotency_keys = &operation.idempotency_keys;
    if !idempotency_keys.is_empty() {
        entry.extend(quote! { .with_idempotency_keys(&[#(#idempotency_keys),*]) });
    }
    quote! { #entry.with_request_ids(REQUEST_IDS) }
}

/// A parameter of an entry: its places in the request of progenitor and in the document, and its form.
fn parameter(parameter: &Parameter) -> TokenStream {
    let place = |location: Location, name: &String| match location {
        Location::Path => {
            let marker = &parameter.marker;
            quote! { ::dropforge_client::Place::Path(#name, #marker) }
        }
        Location::Query => quote! { ::dropforge_client::Place::Query(#name) },
        Location::Header => quote! { ::dropforge_client::Place::Header(#name) },
        Location::Cookie => quote! { ::dropforge_client::Place::Cookie(#name) },
    };
    let (from, to) = (
        place(parameter.from.0, &parameter.from.1),
        place(parameter.to.0, &parameter.to.1),
    );
    let form = match parameter.written {
        Serialization::Text => quote! { Text },
        Serialization::Json => quote! { Json },
        Serialization::Styled(style, explode) => {
            let style = match style {
                Style::Simple => quote! { Simple },
                Style::Label => quote! { Label },
                Style::Matrix => quote! { Matrix },
                Style::Form => quote! { Form },
                Style::SpaceDelimited => quote! { SpaceDelimited },
                Style::PipeDelimited => quote! { PipeDelimited },
                Style::DeepObject => quote! { DeepObject },
            };
            quote! { Styled(::dropforge_client::Style::#style, #explode) }
        }
    };
    quote! {
        ::dropforge_client::Parameter::new(#from, #to, ::dropforge_client::Form::#form)
    }
}
