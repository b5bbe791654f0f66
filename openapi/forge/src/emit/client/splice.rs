//! Parses progenitor's output and adds code to it.
//!
//! The restored features need the types that progenitor chose, and the fields of its builders, which are private to
//! their module. The types are read from its code. Code that needs the fields is added to that module.

use super::items::{last_segment, with_content};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::{
    Fields, GenericArgument, Ident, ImplItem, ImplItemFn, Item, Member, PathArguments, ReturnType,
    Signature, Type,
};

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

/// The builders in progenitor's code, by name.
///
/// # Errors
///
/// When the code does not have progenitor's form.
pub fn builders(tokens: &TokenStream) -> Result<BTreeMap<String, Builder>, String> {
    let mut fields: BTreeMap<String, Vec<Ident>> = BTreeMap::new();
    let mut builders = BTreeMap::new();
    for item in items_of(tokens, "builder")? {
        match item {
            Item::Struct(item) => {
                if let Fields::Named(named) = item.fields {
                    let names = named.named.into_iter().filter_map(|field| field.ident);
                    fields.insert(item.ident.to_string(), names.collect());
                }
            }
            Item::Impl(item) => {
                let Some(name) = last_segment(&item.self_ty).map(ToString::to_string) else {
                    continue;
                };
                let mut methods: BTreeMap<String, ImplItemFn> = BTreeMap::new();
                for item in item.items {
                    if let ImplItem::Fn(method) = item {
                        methods.insert(method.sig.ident.to_string(), method);
                    }
                }
                let Some((success, error)) = methods
                    .get("send")
                    .and_then(|send| response_types(&send.sig.output))
                else {
                    continue;
                };
                let fields = fields.get(&name).cloned().unwrap_or_default();
                builders.insert(
                    name,
                    Builder {
                        fields,
                        success,
                        error,
                        body: methods.remove("body").map(|method| method.sig),
                    },
                );
            }
            _ => {}
        }
    }
    Ok(builders)
}

/// The structs of `types` that hold one list: the field of the list, and the type of its elements.
///
/// # Errors
///
/// When the code does not have progenitor's form.
pub fn lists(tokens: &TokenStream) -> Result<BTreeMap<String, (Member, Type)>, String> {
    let items = items_of(tokens, "types")?;
    let structs = items.into_iter().filter_map(|item| match item {
        Item::Struct(item) => Some(item),
        _ => None,
    });
    let lists = structs.filter_map(|item| {
        let fields = item.fields.into_iter().enumerate();
        let mut lists = fields.filter_map(|(index, field)| {
            let element = elements(&field.ty)?;
            let member = field.ident.map_or(Member::from(index), Member::from);
            Some((member, element))
        });
        let list = lists.next()?;
        lists
            .next()
            .is_none()
            .then(|| (item.ident.to_string(), list))
    });
    Ok(lists.collect())
}

/// The type of the elements of a `Vec`.
pub fn elements(ty: &Type) -> Option<Type> {
    if last_segment(ty)? != "Vec" {
        return None;
    }
    let [element] = arguments(ty)?.try_into().ok()?;
    Some(element)
}

/// Calls the library of clients in place of two functions of progenitor: one encodes path parameters too leniently, and the
/// other loses the status and the headers of a response that is not JSON. Methods and fields may have the same names.
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

/// `S` and `E` of `Result<ResponseValue<S>, Error<E>>`.
fn response_types(output: &ReturnType) -> Option<(TokenStream, TokenStream)> {
    let ReturnType::Type(_, result) = output else {
        return None;
    };
    let [success, error] = arguments(result)?.try_into().ok()?;
    let [success] = arguments(&success)?.try_into().ok()?;
    let [error] = arguments(&error)?.try_into().ok()?;
    Some((success.into_token_stream(), error.into_token_stream()))
}

fn arguments(of: &Type) -> Option<Vec<Type>> {
    let Type::Path(path) = of else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(argument) => Some(argument.clone()),
        _ => None,
    });
    Some(types.collect())
}

/// The items of a module.
fn items_of(tokens: &TokenStream, module: &str) -> Result<Vec<Item>, String> {
    let content = find(tokens.clone(), module)
        .ok_or_else(|| format!("progenitor's code has no module `{module}`"))?;
    let file: syn::File = syn::parse2(content)
        .map_err(|error| format!("progenitor's code is not valid Rust: {error}"))?;
    Ok(file.items)
}

/// The content of a module.
fn find(tokens: TokenStream, module: &str) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.windows(3).find_map(|window| match window {
        [
            TokenTree::Ident(keyword),
            TokenTree::Ident(name),
            TokenTree::Group(group),
        ] if keyword == "mod" && name == module && group.delimiter() == Delimiter::Brace => {
            Some(group.stream())
        }
        _ => None,
    })
}

/// Adds to the modules of some code: `add` takes the path of a module and returns the code for its beginning.
pub fn add(tokens: TokenStream, path: &str, add: &dyn Fn(&str) -> TokenStream) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let module = match result.as_slice() {
            [.., TokenTree::Ident(keyword), TokenTree::Ident(name)] if keyword == "mod" => {
                Some(name.to_string())
            }
            _ => None,
        };
        match (token, module) {
            (TokenTree::Group(group), Some(module)) if group.delimiter() == Delimiter::Brace => {
                let path = if path.is_empty() {
                    module
                } else {
                    format!("{path}::{module}")
                };
                let mut content = add(&path);
                content.extend(self::add(group.stream(), &path, add));
                result.push(TokenTree::Group(Group::new(Delimiter::Brace, content)));
            }
            (token, _) => result.push(token),
        }
    }
    result.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builders_are_read_from_the_code() {
        let code = quote! {
            pub mod builder {
                pub struct Go<'a> { client: &'a super::Client, body: Result<types::builder::A, String> }
                impl<'a> Go<'a> {
                    pub fn body<V>(mut self, value: V) -> Self { self }
                    pub async fn send(self) -> Result<ResponseValue<types::A>, Error<()>> { todo!() }
                }
            }
        };
        let builders = builders(&code).expect("a module of builders");
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
        let code = quote! { { format!("{}", a, encode_path(b),); ResponseValue::from_response(c).await? } };
        let expected = quote! {
            { format!("{}", a, ::dropforge_client::encode_path(b),); ::dropforge_client::read_json(c).await? }
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

    #[test]
    fn code_is_added_to_every_module() {
        let code = quote! { mod a { mod b { x } } struct S { y: u8 } };
        let added = add(code, "", &|path| {
            if path == "a::b" {
                quote! { new }
            } else {
                quote! {}
            }
        });
        assert_eq!(
            added.to_string(),
            quote! { mod a { mod b { new x } } struct S { y: u8 } }.to_string()
        );
    }
}
