//! typify's structs: the library of clients reads and writes them, in place of serde's derived code.

use super::super::items::last_segment;
use crate::emit::slots::{reads, slots};
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprLit, Field, Fields, Ident, Item, ItemStruct, Lit, Meta, Path, Token,
    ext::IdentExt, parse_quote,
};

/// Gives each struct with members its own reader and writer. A struct with other attributes of serde keeps its derives.
pub fn with_readers(types: &mut Vec<Item>) {
    let items = std::mem::take(types);
    for mut item in items {
        let written = match &mut item {
            Item::Struct(item) => reader_and_writer(item),
            _ => None,
        };
        types.push(item);
        types.extend(written.into_iter().flatten());
    }
}

/// The value of an absent member.
pub(super) enum Absent {
    Error,
    Nothing,
    /// An expression.
    Value(TokenStream),
}

/// A member of a struct, as serde's attributes describe its field.
pub(super) struct Member<'a> {
    field: &'a Ident,
    name: String,
    pub(super) absent: Absent,
    /// The function that decides whether the value is omitted.
    left_out: Option<Path>,
}

/// The implementations that replace serde's derives. `None` if the struct keeps its derives.
fn reader_and_writer(item: &mut ItemStruct) -> Option<[Item; 3]> {
    let derived = without_serde(&item.attrs)?;
    let Fields::Named(fields) = &item.fields else {
        return None;
    };
    let mut members = Vec::new();
    let mut others = None;
    for field in &fields.named {
        let name = field.ident.as_ref()?;
        match serde_field(field)? {
            SerdeField::Member(member) => members.push(member),
            SerdeField::Others if others.is_none() => others = Some(name),
            SerdeField::Others => return None,
        }
    }
    let written = writer(&item.ident, &members, others);
    let [fields, read] = reader(&item.ident, &members, others);
    item.attrs = derived;
    for field in &mut item.fields {
        field
            .attrs
            .retain(|attribute| !attribute.path().is_ident("serde"));
    }
    Some([written, read, fields])
}

/// The attributes of a struct without the derives of serde; `None` unless it has both and no attribute of serde.
fn without_serde(attributes: &[Attribute]) -> Option<Vec<Attribute>> {
    let mut kept = Vec::new();
    let mut found = 0;
    for attribute in attributes {
        if attribute.path().is_ident("serde") {
            return None;
        }
        if !attribute.path().is_ident("derive") {
            kept.push(attribute.clone());
            continue;
        }
        let derives: Punctuated<Path, Token![,]> = attribute
            .parse_args_with(Punctuated::parse_terminated)
            .ok()?;
        let is_serde = |path: &Path| {
            let last = path.segments.last();
            last.is_some_and(|name| name.ident == "Serialize" || name.ident == "Deserialize")
        };
        let (serde, others): (Vec<_>, Vec<_>) = derives.into_iter().partition(is_serde);
        found += serde.len();
        kept.push(parse_quote!(#[derive(#(#others),*)]));
    }
    (found == 2).then_some(kept)
}

pub(super) enum SerdeField<'a> {
    Member(Member<'a>),
    /// The field for unlisted members.
    Others,
}

/// The field as serde's attributes describe it; `None` for an unknown attribute.
pub(super) fn serde_field(field: &Field) -> Option<SerdeField<'_>> {
    let ident = field.ident.as_ref()?;
    let mut name = ident.unraw().to_string();
    let mut left_out = None;
    let is_option = last_segment(&field.ty).is_some_and(|name| name == "Option");
    let mut absent = match is_option {
        true => Absent::Nothing,
        false => Absent::Error,
    };
    let serde = |attribute: &&Attribute| attribute.path().is_ident("serde");
    for attribute in field.attrs.iter().filter(serde) {
        let settings: Punctuated<Meta, Token![,]> = attribute
            .parse_args_with(Punctuated::parse_terminated)
            .ok()?;
        for setting in &settings {
            match setting {
                Meta::Path(path) if path.is_ident("flatten") => return Some(SerdeField::Others),
                Meta::Path(path) if path.is_ident("default") => {
                    if matches!(absent, Absent::Error) {
                        absent = Absent::Value(quote!(::std::default::Default::default()));
                    }
                }
                Meta::NameValue(pair) => {
                    let Expr::Lit(ExprLit {
                        lit: Lit::Str(text),
                        ..
                    }) = &pair.value
                    else {
                        return None;
                    };
                    if pair.path.is_ident("rename") {
                        name = text.value();
                    } else if pair.path.is_ident("skip_serializing_if") {
                        left_out = Some(text.parse().ok()?);
                    } else if pair.path.is_ident("default") {
                        let function: Path = text.parse().ok()?;
                        absent = Absent::Value(quote!(#function()));
                    } else {
                        return None;
                    }
                }
                _ => return None,
            }
        }
    }
    Some(SerdeField::Member(Member {
        field: ident,
        name,
        absent,
        left_out,
    }))
}

fn writer(of: &Ident, members: &[Member<'_>], others: Option<&Ident>) -> Item {
    let puts = members.iter().map(|member| {
        let Member { field, name, left_out, .. } = member;
        match left_out {
            None => quote!(.put(#name, &self.#field)),
            Some(path) if is_none(path) => quote!(.put_some(#name, &self.#field)),
            Some(path) => quote!(.put_some(#name, &::std::option::Option::Some(&self.#field).filter(|value| !#path(value)))),
        }
    });
    let body = match others {
        None => {
            let (label, count) = (of.unraw().to_string(), members.len());
            quote!(::dropforge_client::fields::write(to, #label, #count)#(#puts)*.end())
        }
        Some(others) => {
            quote!(::dropforge_client::fields::write_open(to)#(#puts)*.end(&self.#others))
        }
    };
    parse_quote! {
        impl ::serde::Serialize for #of {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> ::std::result::Result<S::Ok, S::Error> {
                #body
            }
        }
    }
}

fn is_none(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "is_none")
}

fn reader(of: &Ident, members: &[Member<'_>], others: Option<&Ident>) -> [Item; 2] {
    let names = members.iter().map(|member| &member.name);
    let slots = slots(members.len());
    let next = match others {
        None => quote!(members.next_field()?),
        Some(_) => quote!(members.next_field_or(&mut others)?),
    };
    let begun = others.map(|_| quote!(let mut others = ::std::default::Default::default();));
    let others = others.map(|name| quote!(#name: others,));
    let reads = reads(&slots, &next);
    let values = members.iter().zip(&slots).map(|(member, slot)| {
        let Member {
            field,
            name,
            absent,
            ..
        } = member;
        match absent {
            Absent::Error => quote!(#field: members.required(#name, #slot)?,),
            Absent::Nothing => quote!(#field: #slot.flatten(),),
            Absent::Value(value) => quote!(#field: #slot.unwrap_or_else(|| #value),),
        }
    });
    let fields = parse_quote! {
        impl ::dropforge_client::fields::Fields for #of {
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn read<'de, A: ::serde::de::MapAccess<'de>>(
                members: &mut ::dropforge_client::fields::Members<A>,
            ) -> ::std::result::Result<Self, A::Error> {
                #begun
                #reads
                ::std::result::Result::Ok(Self { #(#values)* #others })
            }
        }
    };
    let read = parse_quote! {
        impl<'de> ::serde::Deserialize<'de> for #of {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> ::std::result::Result<Self, D::Error> {
                ::dropforge_client::fields::read(from)
            }
        }
    };
    [fields, read]
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn rewritten(item: TokenStream) -> String {
        let mut items: Vec<Item> = vec![parse_quote!(#item)];
        with_readers(&mut items);
        items
            .iter()
            .map(|item| item.to_token_stream().to_string())
            .collect()
    }

    #[test]
    fn members_are_read_and_written_by_the_library() {
        let written = rewritten(quote! {
            #[derive(::serde::Deserialize, ::serde::Serialize, Clone)]
            pub struct Pet {
                #[serde(rename = "ID")]
                pub id: u8,
                #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
                pub tags: ::std::vec::Vec<String>,
                #[serde(default = "defaults::pet_size")]
                pub size: u8,
                #[serde(skip_serializing_if = "::std::option::Option::is_none")]
                pub r#type: ::std::option::Option<u8>,
                #[serde(flatten)]
                pub extra: ::std::collections::BTreeMap<String, u8>,
            }
        });
        let written = written.replace(' ', "");
        for part in [
            quote!(
                #[derive(Clone)]
                pub struct Pet {
                    pub id: u8,
                    pub tags: ::std::vec::Vec<String>,
                    pub size: u8,
                    pub r#type: ::std::option::Option<u8>,
                    pub extra: ::std::collections::BTreeMap<String, u8>,
                }
            ),
            quote!(.put("ID", &self.id)),
            quote!(.put_some("tags", &::std::option::Option::Some(&self.tags).filter(|value| !::std::vec::Vec::is_empty(value)))),
            quote!(.put_some("type", &self.r#type).end(&self.extra)),
            quote!(&["ID", "tags", "size", "type"]),
            quote!(while let ::std::option::Option::Some(at) = members.next_field_or(&mut others)?),
            quote!(id: members.required("ID", f0)?,),
            quote!(tags: f1.unwrap_or_else(|| ::std::default::Default::default()),),
            quote!(size: f2.unwrap_or_else(|| defaults::pet_size()),),
            quote!(r#type: f3.flatten(), extra: others),
        ] {
            let part = part.to_string().replace(' ', "");
            assert!(written.contains(&part), "{part}\nis not in\n{written}");
        }
        assert!(!written.contains("#[serde"), "{written}");
    }

    #[test]
    fn structs_with_other_serde_attributes_stay() {
        for item in [
            quote!(
                #[derive(::serde::Deserialize, ::serde::Serialize)]
                #[serde(deny_unknown_fields)]
                struct A {
                    a: u8,
                }
            ),
            quote!(
                #[derive(::serde::Deserialize, ::serde::Serialize)]
                struct A {
                    #[serde(with = "x")]
                    a: u8,
                }
            ),
            quote!(
                #[derive(::serde::Serialize)]
                struct A {
                    a: u8,
                }
            ),
            quote!(
                #[derive(::serde::Deserialize, ::serde::Serialize)]
                #[serde(transparent)]
                struct A(u8);
            ),
        ] {
            let written: Item = parse_quote!(#item);
            assert_eq!(rewritten(item), written.to_token_stream().to_string());
        }
    }
}
