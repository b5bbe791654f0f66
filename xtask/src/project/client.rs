//! Finds an operation of a generated client that can be called without parameters, and changes nothing.

use quote::ToTokens;
use syn::{Expr, ExprLit, Fields, FnArg, ImplItem, ImplItemFn, Item, Lit, Meta, Type};

/// The first method of a generated client that sends a `GET` request and needs no parameters, if it has one.
pub(crate) fn simplest_call(code: &str) -> Option<String> {
    let file = syn::parse_file(code).ok()?;
    let builders = file.items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == "builder" => module.content.as_ref(),
        _ => None,
    })?;
    let is_bare = |name: &str| {
        builders.1.iter().any(|item| match item {
            Item::Struct(item) if item.ident == name => match &item.fields {
                Fields::Named(fields) => fields.named.iter().skip(1).all(is_optional),
                _ => false,
            },
            _ => false,
        })
    };
    for item in &file.items {
        let Item::Impl(item) = item else { continue };
        if item.trait_.is_some() || !is_client(&item.self_ty) {
            continue;
        }
        for member in &item.items {
            let ImplItem::Fn(method) = member else {
                continue;
            };
            let inputs = &method.sig.inputs;
            let takes_itself = matches!(inputs.first(), Some(FnArg::Receiver(_)));
            if takes_itself
                && inputs.len() == 1
                && is_get(method)
                && builder(&method.sig.output).is_some_and(|name| is_bare(&name))
            {
                return Some(method.sig.ident.to_string());
            }
        }
    }
    None
}

/// Whether a method sends a `GET` request. Progenitor writes the request below the description of the author, which may
/// speak of others.
fn is_get(method: &ImplItemFn) -> bool {
    let text: String = method.attrs.iter().filter_map(documentation).collect();
    let is_request =
        |line: &&str| line.starts_with("Sends a `") && line.contains("` request to `/");
    let last = text.lines().map(str::trim).rfind(is_request);
    last.is_some_and(|line| line.starts_with("Sends a `GET` "))
}

/// The text of an attribute with documentation, and the end of its line.
fn documentation(attribute: &syn::Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else {
        return None;
    };
    match &meta.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) if meta.path.is_ident("doc") => Some(text.value() + "\n"),
        _ => None,
    }
}

/// Whether a field of a builder has a value from the beginning: `Result<Option<u8>, String>`.
fn is_optional(field: &syn::Field) -> bool {
    let ty = field.ty.to_token_stream().to_string();
    ty.replace(' ', "").starts_with("Result<Option<")
}

fn is_client(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Client"))
}

/// `ListPets` of `-> builder::ListPets<'_>`.
fn builder(output: &syn::ReturnType) -> Option<String> {
    let syn::ReturnType::Type(_, ty) = output else {
        return None;
    };
    let Type::Path(path) = &**ty else { return None };
    let segments = &path.path.segments;
    let is_builder = segments.first()?.ident == "builder";
    is_builder.then(|| segments.last().map(|last| last.ident.to_string()))?
}

#[cfg(test)]
mod tests {
    use super::simplest_call;

    #[test]
    fn an_operation_that_reads_without_parameters_is_found() {
        let code = "
            pub struct Client;
            impl Client {
                pub fn api_version(&self) -> &'static str { \"1\" }
                /// Sends a `GET` request to `/pets/{id}`
                pub fn get_pet(&self) -> builder::GetPet<'_> { todo!() }
                /// Sends a `POST` request to `/pets`
                pub fn add_pet(&self) -> builder::AddPet<'_> { todo!() }
                /// Sends a `POST` request to `/reload`
                pub fn reload(&self) -> builder::Reload<'_> { todo!() }
                /**Saves

                Sends a `GET` request to `/pets` of another service.

                Sends a `POST` request to `/save`*/
                ///
                /// Defined at `pets.yaml:9`.
                pub fn save(&self) -> builder::Save<'_> { todo!() }
                /// Lists the pets
                ///
                /// Sends a `GET` request to `/pets`
                pub fn list_pets(&self) -> builder::ListPets<'_> { todo!() }
            }
            pub mod builder {
                pub struct GetPet<'a> { client: &'a super::Client, id: Result<u8, String> }
                pub struct AddPet<'a> { client: &'a super::Client, body: u8 }
                pub struct Reload<'a> { client: &'a super::Client }
                pub struct Save<'a> { client: &'a super::Client }
                pub struct ListPets<'a> { client: &'a super::Client, limit: Result<Option<u8>, String> }
            }";
        assert_eq!(simplest_call(code).as_deref(), Some("list_pets"));
        // The example of a project must not change anything.
        let code = code.replace("`GET`", "`DELETE`");
        assert_eq!(simplest_call(&code), None);
        assert_eq!(simplest_call("pub mod builder {}"), None);
    }
}
