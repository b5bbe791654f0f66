//! Schemas as static tables.

use super::text::{doc, ident, place as place_of};
use crate::ir::{
    Additional, Api, ArrayRules, Number, NumberRules, ObjectRules, Pattern, Schema, SchemaId,
    StringRules, Types,
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The contents of the module `schemas`.
pub(super) fn emit(api: &Api) -> TokenStream {
    let tables = api
        .schemas
        .iter()
        .enumerate()
        .map(|(index, s)| schema(api, SchemaId(index), s));
    quote! {
        use ::dropforge_runtime::table::*;
        #(#tables)*
    }
}

/// Name of a schema's static.
pub(super) fn name(id: SchemaId) -> Ident {
    format_ident!("SCHEMA_{}", id.0)
}

fn schema(api: &Api, id: SchemaId, schema: &Schema) -> TokenStream {
    let Schema {
        pointer,
        place,
        component: _,
        title: _,
        description: _,
        types,
        nullable,
        format: _,
        number,
        string,
        array,
        object,
        enumeration,
        default: _,
        // `compositions` emits these five.
        all_of: _,
        any_of: _,
        one_of: _,
        not: _,
        discriminator: _,
        read_only: _,
        write_only: _,
        secret: _,
        or_integer: _,
    } = schema;
    let name = self::name(id);
    let mut rules = TokenStream::new();
    let mut helpers = TokenStream::new();
    if *nullable {
        rules.extend(quote!(.nullable()));
    }
    if let Some(table) = number_rules(number) {
        rules.extend(quote!(.number(&#table)));
    }
    if let Some(table) = string_rules(&name, string, &mut helpers) {
        rules.extend(quote!(.string(&#table)));
    }
    if let Some(table) = array_rules(array) {
        rules.extend(quote!(.array(&#table)));
    }
    if let Some(table) = object_rules(api, object) {
        rules.extend(quote!(.object(&#table)));
    }
    if let Some(values) = enumeration {
        let values = values.iter().map(|value| value.to_string());
        rules.extend(quote!(.enumeration(&[#(#values),*])));
    }
    rules.extend(compositions(schema));
    let types = types_table(*types);
    let docs = doc(&[Some(&place_of(place))]);
    quote! {
        #helpers
        #docs
        pub(super) static #name: Schema = Schema::of(#types, #pointer) #rules;
    }
}

/// The rules that name other schemas.
fn compositions(schema: &Schema) -> TokenStream {
    let mut rules = TokenStream::new();
    for (rule, ids) in [
        ("all_of", &schema.all_of),
        ("any_of", &schema.any_of),
        ("one_of", &schema.one_of),
    ] {
        if !ids.is_empty() {
            let rule = ident(rule);
            let names = ids.iter().map(|id| name(*id));
            rules.extend(quote!(.#rule(&[#(&#names),*])));
        }
    }
    if let Some(not) = schema.not {
        let not = name(not);
        rules.extend(quote!(.not(&#not)));
    }
    if let Some(discriminator) = &schema.discriminator {
        let property = &discriminator.property;
        let entries = discriminator.mapping.iter().map(|(value, id)| {
            let target = name(*id);
            quote!((#value, &#target))
        });
        rules.extend(quote! {
            .discriminator(&Discriminator { property: #property, mapping: &[#(#entries),*] })
        });
    }
    rules
}

fn types_table(types: Types) -> TokenStream {
    let name = match types {
        Types::Any => "ANY",
        Types::Boolean => "BOOLEAN",
        Types::Integer => "INTEGER",
        Types::Number => "NUMBER",
        Types::String => "STRING",
        Types::Array => "ARRAY",
        Types::Object => "OBJECT",
    };
    let name = ident(name);
    quote!(Types::#name)
}

/// A table of the rules that the schema has. `None` if it has none.
fn table(name: &str, rules: &[(&str, Option<TokenStream>)]) -> Option<TokenStream> {
    let present = rules.iter().filter_map(|(rule, value)| {
        let (rule, value) = (ident(rule), value.as_ref()?);
        Some(quote!(#rule: #value,))
    });
    let present: Vec<_> = present.collect();
    if present.is_empty() {
        return None;
    }
    let name = ident(name);
    let others = (present.len() < rules.len()).then(|| quote!(..#name::ANY));
    Some(quote!(#name { #(#present)* #others }))
}

fn some(value: TokenStream) -> TokenStream {
    quote!(::std::option::Option::Some(#value))
}

fn count(value: Option<u64>) -> Option<TokenStream> {
    let literal = Literal::u64_unsuffixed(value?);
    Some(quote!(::std::option::Option::Some(#literal)))
}

fn number(number: Number) -> TokenStream {
    match number {
        Number::Integer(integer) => {
            let literal = Literal::i128_unsuffixed(integer);
            quote!(Number::Integer(#literal))
        }
        Number::Float(float) => {
            let literal = Literal::f64_unsuffixed(float);
            quote!(Number::Float(#literal))
        }
    }
}

fn number_rules(rules: &NumberRules) -> Option<TokenStream> {
    let NumberRules {
        minimum,
        maximum,
        multiple_of,
        format,
    } = rules;
    let bound = |(bound, excluded): (Number, bool)| {
        let bound = number(bound);
        some(quote!((#bound, #excluded)))
    };
    let format = format.as_deref().map(ident);
    let format = format.map(|format| some(quote!(NumberFormat::#format)));
    table(
        "NumberRules",
        &[
            ("minimum", minimum.map(bound)),
            ("maximum", maximum.map(bound)),
            ("multiple_of", multiple_of.map(number).map(some)),
            ("format", format),
        ],
    )
}

fn string_rules(
    name: &Ident,
    rules: &StringRules,
    helpers: &mut TokenStream,
) -> Option<TokenStream> {
    let StringRules {
        min_length,
        max_length,
        pattern,
        format,
    } = rules;
    let pattern = pattern.as_ref().map(|pattern| {
        let table = format_ident!("{}_PATTERN", name);
        let Pattern {
            source,
            expression,
            length,
        } = pattern;
        let matched_as = (source != expression).then(|| quote!(.matched_as(#expression)));
        let of_length = length.map(|(least, most)| {
            let least = Literal::u64_unsuffixed(least);
            let most = count(most).unwrap_or_else(|| quote!(::std::option::Option::None));
            quote!(.of_length(#least, #most))
        });
        helpers.extend(
            quote! { static #table: Pattern = Pattern::new(#source)#matched_as #of_length; },
        );
        some(quote!(&#table))
    });
    let format = format.as_deref().map(ident);
    let format = format.map(|format| some(quote!(StringFormat::#format)));
    table(
        "StringRules",
        &[
            ("min_length", count(*min_length)),
            ("max_length", count(*max_length)),
            ("pattern", pattern),
            ("format", format),
        ],
    )
}

fn array_rules(rules: &ArrayRules) -> Option<TokenStream> {
    let items = rules.items.map(|id| {
        let name = name(id);
        some(quote!(&#name))
    });
    table(
        "ArrayRules",
        &[
            ("items", items),
            ("min_items", count(rules.min_items)),
            ("max_items", count(rules.max_items)),
            ("unique", rules.unique.then(|| quote!(true))),
        ],
    )
}

fn object_rules(api: &Api, rules: &ObjectRules) -> Option<TokenStream> {
    let ObjectRules {
        properties,
        required,
        additional,
        min_properties,
        max_properties,
    } = rules;
    let known = properties.iter().map(|property| {
        let schema = &api.schemas[property.schema.0];
        let read_only = schema.read_only.then(|| quote!(.read_only()));
        let write_only = schema.write_only.then(|| quote!(.write_only()));
        let (key, schema) = (&property.name, name(property.schema));
        quote!(Property::of(#key, &#schema)#read_only #write_only)
    });
    let known = (!properties.is_empty()).then(|| quote!(&[#(#known),*]));
    let required = (!required.is_empty()).then(|| quote!(&[#(#required),*]));
    let additional = match additional {
        Additional::Unspecified | Additional::Allowed => None,
        Additional::Denied => Some(quote!(Additional::Denied)),
        Additional::Schema(id) => {
            let name = name(*id);
            Some(quote!(Additional::Schema(&#name)))
        }
    };
    table(
        "ObjectRules",
        &[
            ("properties", known),
            ("required", required),
            ("additional", additional),
            ("min_properties", count(*min_properties)),
            ("max_properties", count(*max_properties)),
        ],
    )
}
