//! Code that reads the members of an object into one variable each, on both sides.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The variables of this many members: `f0`, `f1` and so on.
pub(super) fn slots(count: usize) -> Vec<Ident> {
    (0..count).map(|place| format_ident!("f{place}")).collect()
}

/// The statements that read the members into their variables. `next` is the expression for the
/// index of the next member.
pub(super) fn reads(slots: &[Ident], next: &TokenStream) -> TokenStream {
    match slots {
        [] => quote! { #next; },
        [only] => quote! {
            let mut #only = ::std::option::Option::None;
            while #next.is_some() { members.value(&mut #only)?; }
        },
        _ => {
            let places = places(slots.len());
            let nones = slots.iter().map(|_| quote!(::std::option::Option::None));
            quote! {
                let (#(mut #slots,)*) = (#(#nones,)*);
                while let ::std::option::Option::Some(at) = #next {
                    match at { #(#places => members.value(&mut #slots),)* }?;
                }
            }
        }
    }
}

/// Patterns for the indices of this many elements. The last pattern matches all other values.
pub(super) fn places(count: usize) -> Vec<TokenStream> {
    let place = |place| match place + 1 == count {
        true => quote!(_),
        false => {
            let place = Literal::usize_unsuffixed(place);
            quote!(#place)
        }
    };
    (0..count).map(place).collect()
}
