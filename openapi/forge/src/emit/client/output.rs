//! The output of progenitor: the builders and the lists in it.
//!
//! The restored features need the types that progenitor chose, and the fields of its builders.

use super::items::{argument, arguments, last_segment, with_content};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::{Ident, ImplItem, Item, Member, ReturnType, Signature, Type};

/// Calls the library of clients in place of two functions of progenitor. One encodes path parameters too leniently. The
/// other loses the status and the headers of a response that is not JSON. Methods and fields may have their names.
pub fn with_library_calls(tokens: TokenStream) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            result.push(token);
            continue;
        };
        let call = match result.as_slice() {
            _ if group.delimiter() != Delimiter::Parenthesis => None,
            // An argument of `format!`.
            [.., TokenTree::Punct(comma), TokenTree::Ident(name)]
                if comma.as_char() == ',' && name == "encode_path" =>
            {
                Some((1, quote! { encode_path }))
            }
            [.., TokenTree::Ident(ty), _, _, TokenTree::Ident(name)]
                if ty == "ResponseValue" && name == "from_response" =>
            {
                Some((4, quote! { read_json }))
            }
            _ => None,
        };
        if let Some((length, function)) = call {
            result.truncate(result.len() - length);
            result.extend(quote! { ::dropforge_client::#function });
        }
        result.push(with_content(&group, with_library_calls(group.stream())));
    }
    result.into_iter().collect()
}

/// One builder of progenitor's.
pub struct Builder {
    /// Its fields; the client is the first.
    pub fields: Vec<Ident>,
    /// The success type of `send`.
    pub success: TokenStream,
    /// The type of documented errors.
    pub error: TokenStream,
    /// The method that sets the body.
    pub body: Option<Signature>,
}

/// The builders among the items of the module `builder`, by name.
pub fn builders(items: &[Item]) -> BTreeMap<String, Builder> {
    let mut fields: BTreeMap<String, Vec<Ident>> = BTreeMap::new();
    let mut builders = BTreeMap::new();
    for item in items {
        match item {
            Item::Struct(item) => {
                let names = item.fields.iter().filter_map(|field| field.ident.clone());
                fields.insert(item.ident.to_string(), names.collect());
            }
            Item::Impl(item) => {
                let signature = |name: &str| {
                    item.items.iter().find_map(|item| match item {
                        ImplItem::Fn(method) if method.sig.ident == name => Some(&method.sig),
                        _ => None,
                    })
                };
                let types = signature("send").and_then(|send| response_types(&send.output));
                let (Some(name), Some((success, error))) = (last_segment(&item.self_ty), types)
                else {
                    continue;
                };
                let name = name.to_string();
                let builder = Builder {
                    fields: fields.get(&name).cloned().unwrap_or_default(),
                    success,
                    error,
                    body: signature("body").cloned(),
                };
                builders.insert(name, builder);
            }
            _ => {}
        }
    }
    builders
}

/// The structs of the module `types` that hold one list: the field of the list, and the type of its elements.
pub fn lists(items: &[Item]) -> BTreeMap<String, (Member, Type)> {
    let lists = items.iter().filter_map(|item| {
        let Item::Struct(item) = item else {
            return None;
        };
        let fields = item.fields.iter().enumerate();
        let mut lists = fields.filter_map(|(index, field)| {
            let element = argument(&field.ty, "Vec")?;
            let member = field.ident.clone();
            Some((member.map_or(Member::from(index), Member::from), element))
        });
        let (member, element) = lists.next()?;
        let is_only = lists.next().is_none();
        is_only.then(|| (item.ident.to_string(), (member, element.clone())))
    });
    lists.collect()
}

/// `S` and `E` of `Result<ResponseValue<S>, Error<E>>`.
fn response_types(output: &ReturnType) -> Option<(TokenStream, TokenStream)> {
    let ReturnType::Type(_, result) = output else {
        return None;
    };
    let [success, error] = arguments(result)[..] else {
        return None;
    };
    let (success, error) = (
        argument(success, "ResponseValue")?,
        argument(error, "Error")?,
    );
    Some((success.to_token_stream(), error.to_token_stream()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn builders_are_read_from_the_code() {
        let file: syn::File = parse_quote! {
            pub struct Go<'a> { client: &'a super::Client, body: Result<types::builder::A, String> }
            impl<'a> Go<'a> {
                pub fn body<V>(mut self, value: V) -> Self { self }
                pub async fn send(self) -> Result<ResponseValue<types::A>, Error<()>> { todo!() }
            }
        };
        let builders = builders(&file.items);
        let go = &builders["Go"];
        assert_eq!(go.fields, ["client", "body"]);
        assert_eq!(
            (go.success.to_string(), go.error.to_string()),
            ("types :: A".to_owned(), "()".to_owned())
        );
        assert!(go.body.is_some());
    }

    #[test]
    fn paths_and_json_are_left_to_the_library() {
        let code = quote! {
            { format!("{}", a, encode_path(b),); ResponseValue::from_response(c).await? }
        };
        let expected = quote! {
            {
                format!("{}", a, ::dropforge_client::encode_path(b),);
                ::dropforge_client::read_json(c).await?
            }
        };
        assert_eq!(with_library_calls(code).to_string(), expected.to_string());
    }

    #[test]
    fn methods_and_fields_with_the_names_of_those_functions_stay() {
        let code = quote! {
            fn encode_path(&self) { self.encode_path() }
            struct A { from_response: u8 }
        };
        assert_eq!(
            with_library_calls(code.clone()).to_string(),
            code.to_string()
        );
    }
}
