//! The documentation of a client's methods shows one way to call an operation.
//!
//! progenitor's examples end with `send()`, whose errors are untyped. They name variables that do not exist, so no
//! compiler can check them: they are text, and the documentation of `call()` has its types.

use std::collections::HashSet;

use syn::{Expr, ImplItem, Item, Lit, Meta, Type, parse_quote};

use super::subset::operation::{Operation, OperationVariant};

/// Rewrites the examples of the client's methods, and hides the methods that `body()` of another one replaces.
pub(super) fn document(items: &mut [Item], operations: &[Operation]) {
    let with_body = operations
        .iter()
        .filter(|operation| operation.variant == OperationVariant::WithBody);
    let hidden: HashSet<&str> = with_body.map(|operation| operation.id.as_str()).collect();
    for item in items {
        let Item::Impl(item) = item else { continue };
        let is_client =
            matches!(&*item.self_ty, Type::Path(owner) if owner.path.is_ident("Client"));
        if !is_client || item.trait_.is_some() {
            continue;
        }
        for item in &mut item.items {
            let ImplItem::Fn(method) = item else { continue };
            method.attrs.iter_mut().for_each(example);
            if hidden.contains(&*method.sig.ident.to_string()) {
                method.attrs.push(parse_quote!(#[doc(hidden)]));
            }
        }
    }
}

/// Rewrites the example in a documentation, if there is one.
fn example(attribute: &mut syn::Attribute) {
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
    let before = before.trim_end();
    let text = format!("{before}\n\n```text\n{example}    .call()\n    .await?;\n```");
    *attribute = parse_quote!(#[doc = #text]);
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
}
