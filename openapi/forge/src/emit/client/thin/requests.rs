//! progenitor's builders of operations: setters and the sending of requests.

use super::messages;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Arm, Block, Expr, ExprMatch, Ident, ImplItem, ImplItemFn, Item, Lit, LitStr, Pat, PatOr, Stmt,
    TypeParamBound, WherePredicate, parse_quote,
};

/// Shortens the methods of every builder.
pub fn shorten(builder: &mut [Item]) {
    for item in builder {
        let Item::Impl(item) = item else { continue };
        if item.trait_.is_some() {
            continue;
        }
        for item in &mut item.items {
            let ImplItem::Fn(method) = item else { continue };
            if method.sig.ident == "send" {
                send(&mut method.block);
                // The type of its errors follows from all statuses: a further one may change it.
                method.attrs.push(parse_quote!(#[doc(hidden)]));
            } else if method.sig.ident == "new" {
                explain_missing(&mut method.block);
            } else {
                explain(method);
                if let Some(block) = setter(&method.block).or_else(|| body(&method.block)) {
                    method.block = block;
                }
            }
        }
    }
}

/// Says which value is missing.
fn explain_missing(block: &mut Block) {
    let Some(Stmt::Expr(Expr::Struct(value), None)) = block.stmts.last_mut() else {
        return;
    };
    for field in &mut value.fields {
        let text = literal(field.expr.to_token_stream());
        if let Some(message) = text.and_then(|text| messages::missing(&text.value())) {
            field.expr = parse_quote! { Err(#message.to_string()) };
        }
    }
}

/// Requires an error with a text of a conversion, for the message. The setters of bodies require it already.
fn explain(method: &mut ImplItemFn) -> Option<()> {
    let conditions = method.sig.generics.where_clause.as_mut()?;
    if conditions.predicates.len() != 1 {
        return None;
    }
    let WherePredicate::Type(conversion) = conditions.predicates.first()? else {
        return None;
    };
    let TypeParamBound::Trait(bound) = conversion.bounds.first()? else {
        return None;
    };
    let value = &conversion.bounded_ty;
    if bound.path.segments.last()?.ident == "TryInto" {
        let condition = parse_quote! { <#value as #bound>::Error: std::fmt::Display };
        conditions.predicates.push(condition);
    }
    Some(())
}

/// A setter that converts its value, as a call of the runtime.
fn setter(block: &Block) -> Option<Block> {
    let [
        Stmt::Expr(Expr::Assign(assign), Some(_)),
        Stmt::Expr(_, None),
    ] = &*block.stmts
    else {
        return None;
    };
    let field = &assign.left;
    let text = literal(assign.right.to_token_stream())?;
    let right = assign.right.to_token_stream().to_string();
    // Parsed and printed like the code, so that both texts have the same spaces.
    let written = |expr: Expr| expr.to_token_stream().to_string();
    let plain = parse_quote! { value.try_into().map_err(|_| #text.to_string()) };
    let some = parse_quote! { value.try_into().map(Some).map_err(|_| #text.to_string()) };
    let function = if right == written(plain) {
        quote! { required }
    } else if right == written(some) {
        quote! { optional }
    } else {
        return None;
    };
    let failure = messages::failure(&text.value())?;
    Some(parse_quote! {{
        #field = ::dropforge_client::#function(value, #failure);
        self
    }})
}

/// The setter of a body, as a call of the runtime.
fn body(block: &Block) -> Option<Block> {
    let text = literal(block.to_token_stream())?;
    let expected: Block = parse_quote! {{
        self.body = value.try_into().map(From::from).map_err(|s| format!(#text, s));
        self
    }};
    let is_expected = bare(&block.stmts) == bare(&expected.stmts);
    let text = text.value();
    let failure = messages::failure(text.strip_suffix(": {}")?)?;
    is_expected.then(|| {
        parse_quote! {{
            self.body = ::dropforge_client::required(value, #failure);
            self
        }}
    })
}

/// The only text of an expression.
fn literal(tokens: TokenStream) -> Option<LitStr> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Literal(_) => syn::parse2(token.into()).ok(),
        TokenTree::Group(group) => literal(group.stream()),
        _ => None,
    })
}

/// Joins the arms of statuses with the same code, and calls one method that runs the hooks.
fn send(block: &mut Block) {
    if let Some(Stmt::Expr(Expr::Match(response), None)) = block.stmts.last_mut() {
        join(response);
    }
    for statement in &mut block.stmts {
        if let Some(written) = plain_body(statement) {
            *statement = written;
        }
    }
    let hooks: Block = parse_quote! {{
        client.pre(&mut request, &info).await?;
        let result = client.exec(request, &info).await;
        client.post(&result, &info).await?;
        let response = result?;
    }};
    let hooks = written(&hooks.stmts);
    let mut windows = block.stmts.windows(4);
    let found = windows.position(|stmts| written(stmts) == hooks);
    if let Some(first) = found {
        let run = parse_quote! { let response = super::perform(client, request, &info).await?; };
        block.stmts.splice(first..first + 4, [run]);
    }
}

/// The body as it is, in place of a conversion into its own type.
fn plain_body(statement: &Stmt) -> Option<Stmt> {
    let text = bare(std::slice::from_ref(statement));
    let start = "letbody=body.and_then(|v|types::";
    let (name, _) = text.strip_prefix(start)?.split_once("::")?;
    let name: Ident = syn::parse_str(name).ok()?;
    let expected: Stmt = parse_quote! {
        let body = body.and_then(|v| types::#name::try_from(v).map_err(|e| e.to_string())).map_err(Error::InvalidRequest)?;
    };
    (bare(&[expected]) == text)
        .then(|| parse_quote! { let body = body.map_err(Error::InvalidRequest)?; })
}

/// The code without spaces and braces, which closures with one expression may have.
fn bare(stmts: &[Stmt]) -> String {
    written(stmts).replace([' ', '{', '}'], "")
}

fn written(stmts: &[Stmt]) -> String {
    let tokens: TokenStream = stmts.iter().map(ToTokens::to_token_stream).collect();
    tokens.to_string()
}

/// Joins arms of single statuses with the same body. An arm moves only past arms of other single statuses.
fn join(response: &mut ExprMatch) {
    let mut arms: Vec<Arm> = Vec::new();
    for arm in response.arms.drain(..) {
        let body = arm.body.to_token_stream().to_string();
        let singles = arms
            .iter_mut()
            .rev()
            .take_while(|known| is_single(&known.pat));
        let mut alike = singles.filter(|known| known.body.to_token_stream().to_string() == body);
        match alike.next().filter(|_| is_single(&arm.pat)) {
            Some(known) => {
                let (first, second) = (&known.pat, &arm.pat);
                known.pat = Pat::Or(PatOr {
                    attrs: Vec::new(),
                    leading_vert: None,
                    cases: [first, second].into_iter().cloned().collect(),
                });
            }
            None => {
                drop(alike);
                arms.push(arm);
            }
        }
    }
    response.arms = arms;
}

fn is_single(pattern: &Pat) -> bool {
    match pattern {
        Pat::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        Pat::Or(several) => several.cases.iter().all(is_single),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(method: TokenStream) -> String {
        let mut items: Vec<Item> = vec![parse_quote! { impl Go { #method } }];
        shorten(&mut items);
        items[0].to_token_stream().to_string()
    }

    fn check(method: TokenStream, expected: TokenStream) {
        let expected: Item = parse_quote! { impl Go { #expected } };
        assert_eq!(shortened(method), expected.to_token_stream().to_string());
    }

    #[test]
    fn setters_call_the_runtime() {
        let conditions = quote! { where V: std::convert::TryInto<::std::string::String> };
        let display = quote! { <V as std::convert::TryInto<::std::string::String>>::Error: std::fmt::Display };
        let text = "conversion to `:: std :: string :: String` for a failed";
        let failure = "the value of `a` cannot be converted to `String`";
        check(
            quote! { fn a<V>(mut self, value: V) -> Self #conditions { self.a = value.try_into().map(Some).map_err(|_| #text.to_string()); self } },
            quote! { fn a<V>(mut self, value: V) -> Self #conditions, #display { self.a = ::dropforge_client::optional(value, #failure); self } },
        );
        let other = quote! { fn a(mut self, value: V) -> Self { self.a = value.try_into().map_err(|_| #text.to_string()).map(|v| v.into()); self } };
        check(other.clone(), other);
    }

    #[test]
    fn a_missing_value_has_a_message() {
        check(
            quote! { fn new() -> Self { Self { a: Err("a was not initialized".to_string()), b: Ok(None) } } },
            quote! { fn new() -> Self { Self { a: Err("the value of `a` is missing".to_string()), b: Ok(None) } } },
        );
    }

    #[test]
    fn a_body_needs_no_conversion_into_its_own_type() {
        check(
            quote! { fn body<V>(mut self, value: V) -> Self { self.body = value.try_into().map(From::from).map_err(|s| format!("conversion to `A` for body failed: {}", s)); self } },
            quote! { fn body<V>(mut self, value: V) -> Self { self.body = ::dropforge_client::required(value, "the body cannot be converted to `A`"); self } },
        );
        check(
            quote! { fn send(self) { let body = body.and_then(|v| { types::A::try_from(v).map_err(|e| e.to_string()) }).map_err(Error::InvalidRequest)?; body } },
            quote! { #[doc(hidden)] fn send(self) { let body = body.map_err(Error::InvalidRequest)?; body } },
        );
    }

    #[test]
    fn statuses_with_the_same_body_are_joined_and_ranges_keep_their_order() {
        check(
            quote! { fn send(self) { match response.status().as_u16() { 400u16 => a, 401u16 => b, 403u16 => a, 500u16..=599u16 => c, 503u16 => a, _ => d } } },
            quote! { #[doc(hidden)] fn send(self) { match response.status().as_u16() { 400u16 | 403u16 => a, 401u16 => b, 500u16..=599u16 => c, 503u16 => a, _ => d } } },
        );
    }

    #[test]
    fn one_function_runs_the_hooks() {
        check(
            quote! { fn send(self) { client.pre(&mut request, &info).await?; let result = client.exec(request, &info).await; client.post(&result, &info).await?; let response = result?; response } },
            quote! { #[doc(hidden)] fn send(self) { let response = super::perform(client, request, &info).await?; response } },
        );
    }
}
