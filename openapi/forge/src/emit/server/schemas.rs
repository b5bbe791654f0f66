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
        format,
        number,
        string,
        array,
        object,
        enumeration,
        default: _,
        all_of,
        any_of,
        one_of,
        not,
        discriminator,
        read_only: _,
        write_only: _,
        secret: _,
        or_integer: _,
    } = schema;
    let name = self::name(id);
    let mut fields = vec![quote!(pointer: #pointer)];
    let mut helpers = TokenStream::new();
    if *types != Types::Any {
        let types = types_table(*types);
        fields.push(quote!(types: #types));
    }
    if *nullable {
        fields.push(quote!(nullable: true));
    }
    if let Some(rules) = number_rules(number, *types, format.as_deref()) {
        fields.push(quote!(number: ::std::option::Option::Some(&#rules)));
    }
    if let Some(rules) = string_rules(&name, string, *types, format.as_deref(), &mut helpers) {
        fields.push(quote!(string: ::std::option::Option::Some(&#rules)));
    }
    if let Some(rules) = array_rules(array) {
        fields.push(quote!(array: ::std::option::Option::Some(&#rules)));
    }
    if let Some(rules) = object_rules(api, object) {
        fields.push(quote!(object: ::std::option::Option::Some(&#rules)));
    }
    if let Some(values) = enumeration {
        let values = values.iter().map(|value| value.to_string());
        fields.push(quote!(enumeration: ::std::option::Option::Some(&[#(#values),*])));
    }
    for (field, ids) in [("all_of", all_of), ("any_of", any_of), ("one_of", one_of)] {
        if !ids.is_empty() {
            let field = ident(field);
            let names = ids.iter().map(|id| self::name(*id));
            fields.push(quote!(#field: &[#(&#names),*]));
        }
    }
    if let Some(not) = not {
        let not = self::name(*not);
        fields.push(quote!(not: ::std::option::Option::Some(&#not)));
    }
    if let Some(discriminator) = discriminator {
        let property = &discriminator.property;
        let entries = discriminator.mapping.iter().map(|(value, id)| {
            let target = self::name(*id);
            quote!((#value, &#target))
        });
        fields.push(quote! {
            discriminator: ::std::option::Option::Some(
                &Discriminator { property: #property, mapping: &[#(#entries),*] }
            )
        });
    }
    let docs = doc(&[Some(&place_of(place))]);
    quote! {
        #helpers
        #docs
        pub(super) static #name: Schema = Schema { #(#fields,)* ..Schema::ANY }.prepared();
    }
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

fn option<T>(value: Option<T>, write: impl FnOnce(T) -> TokenStream) -> TokenStream {
    match value {
        Some(value) => {
            let value = write(value);
            quote!(::std::option::Option::Some(#value))
        }
        None => quote!(::std::option::Option::None),
    }
}

fn count(value: Option<u64>) -> TokenStream {
    option(value, |value| {
        let literal = Literal::u64_unsuffixed(value);
        quote!(#literal)
    })
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

fn number_rules(rules: &NumberRules, types: Types, format: Option<&str>) -> Option<TokenStream> {
    let format = match (types, format) {
        (Types::Integer | Types::Number, Some("int32")) => Some(quote!(NumberFormat::Int32)),
        (Types::Integer | Types::Number, Some("int64")) => Some(quote!(NumberFormat::Int64)),
        (Types::Number, Some("float")) => Some(quote!(NumberFormat::Float)),
        (Types::Number, Some("double")) => Some(quote!(NumberFormat::Double)),
        _ => None,
    };
    if *rules == NumberRules::default() && format.is_none() {
        return None;
    }
    let bound = |(bound, excluded): (Number, bool)| {
        let bound = number(bound);
        quote!((#bound, #excluded))
    };
    let minimum = option(rules.minimum, bound);
    let maximum = option(rules.maximum, bound);
    let multiple_of = option(rules.multiple_of, number);
    let format = option(format, |format| format);
    Some(quote! {
        NumberRules {
            minimum: #minimum,
            maximum: #maximum,
            multiple_of: #multiple_of,
            format: #format,
        }
    })
}

fn string_rules(
    name: &Ident,
    rules: &StringRules,
    types: Types,
    format: Option<&str>,
    helpers: &mut TokenStream,
) -> Option<TokenStream> {
    let format = match (types, format) {
        (Types::String, Some("date-time")) => Some("DateTime"),
        (Types::String, Some("date")) => Some("Date"),
        (Types::String, Some("email")) => Some("Email"),
        (Types::String, Some("uri")) => Some("Uri"),
        (Types::String, Some("uuid")) => Some("Uuid"),
        (Types::String, Some("byte")) => Some("Byte"),
        (Types::String, Some("binary")) => Some("Binary"),
        (Types::String, Some("ipv4")) => Some("Ipv4"),
        (Types::String, Some("ipv6")) => Some("Ipv6"),
        (Types::String, Some("hostname")) => Some("Hostname"),
        _ => None,
    };
    if *rules == StringRules::default() && format.is_none() {
        return None;
    }
    let pattern = option(rules.pattern.as_ref(), |pattern| {
        let table = format_ident!("{}_PATTERN", name);
        let Pattern { source, expression } = pattern;
        let matched_as = (source != expression).then(|| quote!(.matched_as(#expression)));
        helpers.extend(quote! { static #table: Pattern = Pattern::new(#source)#matched_as; });
        quote!(&#table)
    });
    let (min_length, max_length) = (count(rules.min_length), count(rules.max_length));
    let format = option(format, |format| {
        let format = ident(format);
        quote!(StringFormat::#format)
    });
    Some(quote! {
        StringRules {
            min_length: #min_length,
            max_length: #max_length,
            pattern: #pattern,
            format: #format,
        }
    })
}

fn array_rules(rules: &ArrayRules) -> Option<TokenStream> {
    if *rules == ArrayRules::default() {
        return None;
    }
    let items = option(rules.items, |id| {
        let name = name(id);
        quote!(&#name)
    });
    let (min_items, max_items) = (count(rules.min_items), count(rules.max_items));
    let unique = rules.unique;
    Some(quote! {
        ArrayRules { items: #items, min_items: #min_items, max_items: #max_items, unique: #unique }
    })
}

fn object_rules(api: &Api, rules: &ObjectRules) -> Option<TokenStream> {
    let ObjectRules {
        properties,
        required,
        additional,
        min_properties,
        max_properties,
    } = rules;
    if properties.is_empty()
        && required.is_empty()
        && matches!(additional, Additional::Unsaid | Additional::Allowed)
        && min_properties.is_none()
        && max_properties.is_none()
    {
        return None;
    }
    let properties = properties.iter().map(|property| {
        let schema = &api.schemas[property.schema.0];
        let (read_only, write_only) = (schema.read_only, schema.write_only);
        let (key, schema) = (&property.name, name(property.schema));
        quote! {
            Property {
                name: #key,
                schema: &#schema,
                read_only: #read_only,
                write_only: #write_only,
            }
        }
    });
    let additional = match additional {
        Additional::Unsaid | Additional::Allowed => quote!(Additional::Allowed),
        Additional::Denied => quote!(Additional::Denied),
        Additional::Schema(id) => {
            let name = name(*id);
            quote!(Additional::Schema(&#name))
        }
    };
    let (min_properties, max_properties) = (count(*min_properties), count(*max_properties));
    Some(quote! {
        ObjectRules {
            properties: &[#(#properties),*],
            required: &[#(#required),*],
            additional: #additional,
            min_properties: #min_properties,
            max_properties: #max_properties,
        }
    })
}
