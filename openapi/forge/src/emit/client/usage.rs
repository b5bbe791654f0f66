//! The documentation of a client's methods shows one way to call an operation.
//!
//! progenitor's examples end with `send()`, whose errors are untyped. They name variables that do not exist, so no
//! compiler can check them: they are text, and the documentation of `call()` has its types. progenitor's documentation
//! also does not show which parameters are required: the list of a method and each setter say so here.

use std::collections::{HashMap, HashSet};

use syn::{Expr, ImplItem, Item, ItemImpl, Lit, Member, Meta, ReturnType, Stmt, parse_quote};

use super::items::{last_segment, module};
use super::subset::operation::{Operation, OperationVariant};

/// The parameters of a builder and its body. The value is true for required ones.
type Parameters = HashMap<String, bool>;

/// Rewrites the documentation of the client's methods and of the setters, and hides the methods that `body()` of another
/// one replaces.
pub(super) fn document(items: &mut [Item], operations: &[Operation]) {
    let with_body = operations
        .iter()
        .filter(|operation| operation.variant == OperationVariant::WithBody);
    let hidden: HashSet<&str> = with_body.map(|operation| operation.id.as_str()).collect();
    let builders = document_setters(items);
    let none = Parameters::new();
    for item in items {
        let Item::Impl(item) = item else { continue };
        if item.trait_.is_some() || last_segment(&item.self_ty).is_none_or(|name| name != "Client")
        {
            continue;
        }
        for item in &mut item.items {
            let ImplItem::Fn(method) = item else { continue };
            let parameters = match &method.sig.output {
                ReturnType::Type(_, ty) => {
                    last_segment(ty).and_then(|name| builders.get(&name.to_string()))
                }
                ReturnType::Default => None,
            };
            let parameters = parameters.unwrap_or(&none);
            for attribute in &mut method.attrs {
                example(attribute, parameters);
            }
            if hidden.contains(&*method.sig.ident.to_string()) {
                method.attrs.push(parse_quote!(#[doc(hidden)]));
            }
        }
    }
}

/// Documents the setters. Returns the parameters of each builder.
fn document_setters(items: &mut [Item]) -> HashMap<String, Parameters> {
    let mut builders = HashMap::new();
    for item in module(items, "builder").into_iter().flatten() {
        let Item::Impl(item) = item else { continue };
        let Some(name) = last_segment(&item.self_ty).map(ToString::to_string) else {
            continue;
        };
        let Some(parameters) = parameters(item) else {
            continue;
        };
        for item in &mut item.items {
            let ImplItem::Fn(method) = item else { continue };
            let name = method.sig.ident.to_string();
            let Some(is_required) = parameters.get(&name) else {
                continue;
            };
            let what = match name.as_str() {
                "body" => "the body".to_owned(),
                name => format!("`{name}`"),
            };
            let text = match is_required {
                true => format!(" Sets {what}, which is required."),
                false => format!(" Sets {what}."),
            };
            method.attrs.push(parse_quote!(#[doc = #text]));
        }
        builders.insert(name, parameters);
    }
    builders
}

/// The parameters of a builder, by its method `new`. There, a required one is an error until it is set.
fn parameters(builder: &ItemImpl) -> Option<Parameters> {
    let new = builder.items.iter().find_map(|item| match item {
        ImplItem::Fn(method) if method.sig.ident == "new" => Some(method),
        _ => None,
    })?;
    let Stmt::Expr(Expr::Struct(value), None) = new.block.stmts.last()? else {
        return None;
    };
    let fields = value.fields.iter().filter_map(|field| match &field.member {
        Member::Named(name) => Some((name.to_string(), is_error(&field.expr))),
        Member::Unnamed(_) => None,
    });
    Some(fields.collect())
}

/// Whether an expression is `Err(…)`.
fn is_error(value: &Expr) -> bool {
    let Expr::Call(call) = value else {
        return false;
    };
    matches!(&*call.func, Expr::Path(function) if function.path.is_ident("Err"))
}

/// Rewrites the example in a documentation and marks the required parameters, if there is an example.
fn example(attribute: &mut syn::Attribute, parameters: &Parameters) {
    let Meta::NameValue(doc) = &attribute.meta else {
        return;
    };
    let Expr::Lit(text) = &doc.value else { return };
    let Lit::Str(text) = &text.lit else { return };
    let written = text.value();
    let Some((before, example)) = written.rsplit_once("```ignore\n") else {
        return;
    };
    let Some(example) = example.strip_suffix("    .send()\n    .await;\n```") else {
        return;
    };
    // The list of arguments ends directly before the example.
    let before = marked(before.trim_end(), parameters);
    let text = format!("{before}\n\n```text\n{example}    .call()\n    .await?;\n```");
    *attribute = parse_quote!(#[doc = #text]);
}

/// The text with a mark at each required parameter of the list at its end.
fn marked(text: &str, parameters: &Parameters) -> String {
    const HEADING: &str = "\nArguments:\n";
    let Some((before, list)) = text.rsplit_once(HEADING) else {
        return text.to_owned();
    };
    let lines = list.lines().map(|line| {
        let entry = line.strip_prefix("- `");
        let entry = entry.and_then(|entry| entry.split_once('`'));
        match entry.filter(|(name, _)| parameters.get(*name) == Some(&true)) {
            Some((name, rest)) => format!("- `{name}` (required){rest}"),
            None => line.to_owned(),
        }
    });
    let lines: Vec<String> = lines.collect();
    format!("{before}{HEADING}{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{ToTokens, quote};

    #[test]
    fn an_example_ends_with_call() {
        let text = "Sends it\n\nArguments:\n- `a`\n```ignore\nlet response = client.go()\n    .a(a)\n    .send()\n    .await;\n```";
        let expected = "Sends it\n\nArguments:\n- `a`\n\n```text\nlet response = client.go()\n    .a(a)\n    .call()\n    .await?;\n```";
        let mut items: Vec<Item> =
            vec![parse_quote! { impl Client { #[doc = #text] pub fn go() {} } }];
        document(&mut items, &[]);
        let expected = quote! { impl Client { #[doc = #expected] pub fn go() {} } };
        assert_eq!(items[0].to_token_stream().to_string(), expected.to_string());
    }

    #[test]
    fn required_parameters_are_marked_in_the_list_and_at_their_setters() {
        let client = |text: &str, docs: [Option<&str>; 3]| -> syn::File {
            let [a, b, body] = docs.map(|doc| doc.map(|doc| quote! { #[doc = #doc] }));
            parse_quote! {
                impl Client { #[doc = #text] pub fn go(&self) -> builder::Go<'_> {} }
                pub mod builder {
                    impl<'a> Go<'a> { pub fn call(self) {} }
                    impl<'a> Go<'a> {
                        pub fn new(client: &'a super::Client) -> Self {
                            Self { client: client, a: Err("missing".to_string()), b: Ok(None), body: Err("missing".to_string()) }
                        }
                        #a pub fn a(mut self) -> Self {}
                        #b pub fn b(mut self) -> Self {}
                        #body pub fn body(mut self) -> Self {}
                        pub fn send(self) {}
                    }
                }
            }
        };
        let text = "Sends it\n\nArguments:\n- `a`: The first.\n- `b`\n- `body`\n```ignore\nlet response = client.go()\n    .send()\n    .await;\n```";
        let mut file = client(text, [None; 3]);
        document(&mut file.items, &[]);
        let text = "Sends it\n\nArguments:\n- `a` (required): The first.\n- `b`\n- `body` (required)\n\n```text\nlet response = client.go()\n    .call()\n    .await?;\n```";
        let docs = [
            " Sets `a`, which is required.",
            " Sets `b`.",
            " Sets the body, which is required.",
        ];
        let expected = client(text, docs.map(Some));
        assert_eq!(
            file.to_token_stream().to_string(),
            expected.to_token_stream().to_string()
        );
    }
}
