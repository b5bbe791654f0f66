//! Finds an operation of a generated client that can be called without parameters.

use quote::ToTokens;
use syn::{Fields, FnArg, ImplItem, Item, Type};

/// The method of a generated client that needs no parameters and no body, if it has one; a reading operation is best.
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
    let mut methods: Vec<String> = Vec::new();
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
                && builder(&method.sig.output).is_some_and(|name| is_bare(&name))
            {
                methods.push(method.sig.ident.to_string());
            }
        }
    }
    let reads = |name: &&String| {
        ["get", "list", "find", "read"]
            .iter()
            .any(|verb| name.starts_with(verb))
    };
    methods.iter().find(reads).or(methods.first()).cloned()
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
    fn an_operation_without_parameters_is_found() {
        let code = "
            pub struct Client;
            impl Client {
                pub fn api_version(&self) -> &'static str { \"1\" }
                pub fn add_pet(&self) -> builder::AddPet<'_> { todo!() }
                pub fn reload(&self) -> builder::Reload<'_> { todo!() }
                pub fn list_pets(&self) -> builder::ListPets<'_> { todo!() }
            }
            pub mod builder {
                pub struct AddPet<'a> { client: &'a super::Client, body: u8 }
                pub struct Reload<'a> { client: &'a super::Client }
                pub struct ListPets<'a> { client: &'a super::Client, limit: Result<Option<u8>, String> }
            }";
        assert_eq!(simplest_call(code).as_deref(), Some("list_pets"));
        assert_eq!(simplest_call("pub mod builder {}"), None);
    }
}
