//! `pages()` and `items()` of the operations that return a list page by page.

use super::{
    super::{
        items::argument,
        output::Builder,
        subset::operation::{Operation, OperationVariant},
    },
    names::{builder_of, error_of},
};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Member, Type};

/// The methods of an operation that returns a list.
pub struct Methods {
    pub methods: TokenStream,
    /// The type of a page.
    pub page: String,
}

/// The methods, if the operation returns a list and its pages have one type. `lists` holds the structs with a list.
pub fn pages(
    operation: &Operation,
    builder: &Builder,
    lists: &BTreeMap<String, (Member, Type)>,
) -> Option<Methods> {
    let pages = operation.pages.as_ref()?;
    if operation.successes.is_some() || matches!(operation.variant, OperationVariant::Events(_)) {
        return None;
    }
    let page: Type = syn::parse2(builder.success.clone()).ok()?;
    let Type::Path(path) = &page else { return None };
    let last = path.path.segments.last()?.ident.to_string();
    let mut fields = pages.first_only.iter().chain([&pages.setter]);
    if !fields.all(|name| builder.fields.iter().any(|field| *field == *name)) {
        return None;
    }
    if argument(&page, "Vec").is_none() && !lists.contains_key(&last) {
        return None;
    }
    let (name, error) = (builder_of(operation), error_of(operation));
    let (header, setter) = (&pages.header, format_ident!("{}", pages.setter));
    let first_only = pages.first_only.iter().map(|name| format_ident!("{name}"));
    let first_only = first_only.collect::<Vec<_>>();
    let turn = match first_only.is_empty() {
        true => quote! { Self::#setter::<String> },
        false => quote! {
            |request, page| Self { #(#first_only: Ok(None),)* ..request.#setter(page) }
        },
    };
    let methods = quote! {
        impl<'a> #name<'a> {
            /// The pages of the list, each requested when the stream is polled for it.
            pub fn pages(self) -> ::dropforge_client::Pages<'a, #page, super::#error> {
                ::dropforge_client::Pages::new(
                    self,
                    #header,
                    #turn,
                    |request| ::std::boxed::Box::pin(request.call()),
                    super::#error::Other,
                )
            }

            /// The items of the list, from all of its pages.
            pub fn items(self) -> ::dropforge_client::Items<'a, <#page as ::dropforge_client::List>::Item, super::#error> {
                self.pages().items()
            }
        }
    };
    Some(Methods {
        methods,
        page: last,
    })
}

/// How the items are taken out of the types of pages, for the module `types`.
pub fn lists(lists: &BTreeMap<String, (Member, Type)>, pages: &BTreeSet<String>) -> TokenStream {
    let used = lists.iter().filter(|(name, _)| pages.contains(*name));
    let lists = used.map(|(name, (member, item))| {
        let (name, member) = (format_ident!("{name}"), member.to_token_stream());
        quote! {
            impl ::dropforge_client::List for #name {
                type Item = #item;

                fn into_items(self) -> ::std::vec::Vec<#item> {
                    self.#member
                }
            }
        }
    });
    lists.collect()
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    const TEXT: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
paths:
  /boxes:
    get:
      operationId: box
      parameters: [{name: page, in: query, schema: {type: string}}]
      responses:
        '200':
          description: A page of them.
          headers: {Next: {schema: {type: string}, x-dropforge-next-page: page}}
          content: {application/json: {schema: {type: array, items: {type: string}}}}
";

    #[test]
    fn a_builder_called_box_hides_no_type_of_the_code() {
        let document = Document::load("test.yaml", TEXT).expect("YAML");
        let client = crate::emit::client::generate(&document).expect("a client");
        let code = client.tokens.to_string().replace(' ', "");
        assert!(code.contains("pubstructBox<'a>{"), "{code}");
        assert!(
            code.contains("|request|::std::boxed::Box::pin(request.call())"),
            "{code}"
        );
    }
}
