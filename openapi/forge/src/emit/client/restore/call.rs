//! `call()`, beside progenitor's `send()`: the same request, with types for its responses and errors.

use super::{
    super::{
        output::Builder,
        subset::{
            naming::snake,
            operation::{Events, Operation, OperationVariant},
        },
    },
    names::{builder_of, error_of, success_of, type_of},
};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The method `call` of a builder.
pub fn call(operation: &Operation, builder: &Builder) -> TokenStream {
    let name = builder_of(operation);
    let error = error_of(operation);
    let (output, read, doc) = match (&operation.variant, &operation.successes) {
        (OperationVariant::Events(events), _) => {
            let (item, framing) = (item(events), framing(events));
            (
                quote! { ::dropforge_client::EventStream<#item> },
                quote! {
                    ::dropforge_client::EventStream::open(response, #framing, &session).await.map_err(super::#error::Other)
                },
                " Sends the request and returns its events as they arrive.",
            )
        }
        (_, Some(_)) => {
            let success = success_of(operation);
            (
                quote! { ResponseValue<super::#success> },
                quote! {
                    match ::dropforge_client::Buffered::read(response, &session).await {
                        Ok(buffered) => super::#success::read(buffered).map_err(super::#error::Other),
                        Err(error) => Err(super::#error::Other(error)),
                    }
                },
                " Sends the request; responses and errors have a variant for each status.",
            )
        }
        (_, None) => {
            let success = &builder.success;
            (
                quote! { ResponseValue<#success> },
                quote! { Ok(response) },
                " Sends the request; errors have a variant for each status.",
            )
        }
    };
    let request = match &operation.variant {
        OperationVariant::Events(Events {
            selector: Some(property),
            ..
        }) => {
            let setter = format_ident!("{}", snake(property));
            quote! { self.body_map(|mut body| { body.#setter = true.into(); body }) }
        }
        _ => quote! { self },
    };
    // Sending destructures the builder.
    let client = builder.fields.first();
    let session = quote! { let session = self.#client.inner.clone(); };
    quote! {
        impl<'a> #name<'a> {
            #[doc = #doc]
            pub async fn call(self) -> Result<#output, super::#error> {
                #session
                match #request.send().await {
                    Ok(response) => { #read }
                    Err(error) => Err(super::#error::from_error(error, &session).await),
                }
            }
        }
    }
}

fn item(events: &Events) -> TokenStream {
    match events.text {
        true => quote! { ::std::string::String },
        false => type_of(events.item.as_deref()),
    }
}

fn framing(events: &Events) -> TokenStream {
    let terminator = events.terminator.iter();
    let event = events.event.iter();
    let text = events.text.then(|| quote! { .with_text() });
    quote! {
        ::dropforge_client::Framing::new() #(.with_terminator(#terminator))* #(.with_event(#event))* #text
    }
}
