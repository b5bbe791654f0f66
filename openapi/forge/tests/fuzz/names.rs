//! Names that generated code defines, each once in its place.

use std::collections::HashSet;

use syn::{Fields, File, Item, TraitItem};

/// Parses a file and looks at the names of its items.
///
/// # Errors
///
/// What does not parse, or which name is taken twice.
pub fn check(code: &str) -> Result<(), String> {
    let file: File = syn::parse_str(code).map_err(|error| error.to_string())?;
    items(&file.items)
}

fn items(all: &[Item]) -> Result<(), String> {
    let (mut types, mut values) = (HashSet::new(), HashSet::new());
    for item in all {
        let (set, name) = match item {
            Item::Struct(one) => (&mut types, &one.ident),
            Item::Enum(one) => (&mut types, &one.ident),
            Item::Type(one) => (&mut types, &one.ident),
            Item::Trait(one) => (&mut types, &one.ident),
            Item::Mod(one) => (&mut types, &one.ident),
            Item::Fn(one) => (&mut values, &one.sig.ident),
            Item::Static(one) => (&mut values, &one.ident),
            Item::Const(one) => (&mut values, &one.ident),
            _ => continue,
        };
        once(set, &name.to_string())?;
        match item {
            Item::Struct(one) => fields(&one.fields)?,
            Item::Enum(one) => {
                let mut variants = HashSet::new();
                for variant in &one.variants {
                    once(&mut variants, &variant.ident.to_string())?;
                    fields(&variant.fields)?;
                }
            }
            Item::Trait(one) => {
                let mut methods = HashSet::new();
                for item in &one.items {
                    if let TraitItem::Fn(method) = item {
                        once(&mut methods, &method.sig.ident.to_string())?;
                    }
                }
            }
            Item::Mod(one) => items(one.content.as_ref().map_or(&[], |(_, items)| items))?,
            _ => {}
        }
    }
    Ok(())
}

fn fields(fields: &Fields) -> Result<(), String> {
    let mut names = HashSet::new();
    for field in fields {
        if let Some(name) = &field.ident {
            once(&mut names, &name.to_string())?;
        }
    }
    Ok(())
}

fn once(names: &mut HashSet<String>, name: &str) -> Result<(), String> {
    match names.insert(name.to_owned()) {
        true => Ok(()),
        false => Err(format!("`{name}` is defined twice")),
    }
}
