//! The modules of a crate, and the files that they use.
//!
//! A reference is followed through all re-exports to the file that defines its item. A module that
//! declares another refers to it as well. So a `mod.rs` that declares and re-exports its children
//! forms no circle with them, but one that defines an item that its children use does. Methods are
//! not followed, because their paths have no module.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use quote::ToTokens;
use syn::{Item, Visibility};

use crate::circles::Edge;
use crate::references::{imports, is_for_tests, paths};

/// The modules of one crate.
pub struct Sources {
    modules: BTreeMap<Vec<String>, Module>,
    /// The exported macros, which are items of the crate, and the modules that define them.
    macros: HashMap<String, Vec<String>>,
}

#[derive(Default)]
struct Module {
    file: String,
    /// The names that it defines.
    items: HashSet<String>,
    /// Its imports by their local names.
    imports: HashMap<String, Vec<String>>,
    /// The public imports.
    exports: HashSet<String>,
    globs: Vec<Vec<String>>,
    children: HashSet<String>,
    paths: Vec<Vec<String>>,
}

/// Reads a file by its path from the top of the repository.
type Read<'r> = &'r dyn Fn(&str) -> Option<String>;

impl Sources {
    /// Reads a crate, without tests, by its root file.
    pub fn load(file: &str, read: Read<'_>) -> Sources {
        let mut sources = Sources {
            modules: BTreeMap::new(),
            macros: HashMap::new(),
        };
        let folder = parent(file);
        sources.file(Vec::new(), file, folder, read);
        sources
    }

    /// The files of the crate.
    pub fn files(&self) -> BTreeSet<&str> {
        self.modules.values().map(|module| &*module.file).collect()
    }

    fn file(&mut self, path: Vec<String>, file: &str, folder: &str, read: Read<'_>) {
        let text = read(file).unwrap_or_else(|| panic!("{file} cannot be read"));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.module(path, file, folder, parsed.items, read);
    }

    fn module(
        &mut self,
        path: Vec<String>,
        file: &str,
        folder: &str,
        items: Vec<Item>,
        read: Read<'_>,
    ) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        for item in items {
            if attributes(&item).iter().any(is_for_tests) {
                continue;
            }
            match item {
                Item::Mod(declared) => {
                    let name = declared.ident.to_string();
                    let child = [path.as_slice(), std::slice::from_ref(&name)].concat();
                    let inner = format!("{folder}/{name}");
                    module.children.insert(name);
                    match declared.content {
                        Some((_, items)) => self.module(child, file, &inner, items, read),
                        None => {
                            let flat = format!("{inner}.rs");
                            let nested = format!("{inner}/mod.rs");
                            let file = if read(&flat).is_some() { flat } else { nested };
                            self.file(child, &file, &inner, read);
                        }
                    }
                }
                Item::Use(import) => {
                    let is_export = !matches!(import.vis, Visibility::Inherited);
                    for (mut imported, name) in imports(&import) {
                        if name == "*" {
                            imported.pop();
                            module.globs.push(imported);
                            continue;
                        }
                        if is_export {
                            module.exports.insert(name.clone());
                        }
                        module.imports.insert(name, imported);
                    }
                }
                item => {
                    if let Item::Macro(definition) = &item
                        && let Some(name) = &definition.ident
                    {
                        self.macros.insert(name.to_string(), path.clone());
                    }
                    module.items.extend(name(&item));
                    module.paths.extend(paths(item.to_token_stream()));
                }
            }
        }
        self.modules.insert(path, module);
    }

    /// The uses of files by other files.
    pub fn references(&self) -> Vec<Edge> {
        let mut found = Vec::new();
        for (at, module) in &self.modules {
            for child in &module.children {
                let to = &self.modules[&[at.as_slice(), std::slice::from_ref(child)].concat()];
                found.push((module, to, format!("mod {child}")));
            }
            let imported = module.imports.iter();
            let imported = imported.filter(|(name, _)| !module.exports.contains(*name));
            for glob in &module.globs {
                if let Some(to) = self.module_at(at, glob) {
                    found.push((module, to, format!("{}::*", glob.join("::"))));
                }
            }
            let used = module.paths.iter().filter(|path| {
                // A short name is defined in the module, or imported.
                path.len() > 1 || module.exports.contains(&path[0])
            });
            let all = imported.map(|(_, path)| path).chain(used);
            for path in all {
                if let Some(to) = self.resolve(at, path, 0) {
                    found.push((module, &self.modules[&to], path.join("::")));
                }
            }
        }
        let edges = found.into_iter().map(|(from, to, path)| Edge {
            from: from.file.clone(),
            to: to.file.clone(),
            path,
        });
        edges.filter(|edge| edge.from != edge.to).collect()
    }

    /// The modules at the top of the crate, without those for tests.
    pub fn names_at_the_top(&self) -> BTreeSet<&str> {
        let paths = self.modules.keys().filter(|path| path.len() == 1);
        paths.map(|path| &*path[0]).collect()
    }

    /// The uses of top modules by other top modules, without the root.
    pub fn modules_at_the_top(&self) -> Vec<Edge> {
        let mut top: HashMap<&str, &str> = HashMap::new();
        for (path, module) in &self.modules {
            if let Some(first) = path.first() {
                top.insert(&module.file, first);
            }
        }
        let edges = self.references().into_iter().filter_map(|edge| {
            let (from, to) = (top.get(&*edge.from)?, top.get(&*edge.to)?);
            Some(Edge {
                from: (*from).to_owned(),
                to: (*to).to_owned(),
                path: format!("{} ({})", edge.path, edge.from),
            })
        });
        edges.filter(|edge| edge.from != edge.to).collect()
    }

    /// The module that defines the item of a path; `None` for an item of another crate.
    fn resolve(&self, at: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(&[], rest, depth),
            "self" => self.walk(at, rest, depth),
            "super" => {
                let supers = path.iter().take_while(|part| *part == "super").count();
                let parent = &at[..at.len().checked_sub(supers)?];
                self.walk(parent, &path[supers..], depth)
            }
            name if self.knows(at, name) => self.walk(at, path, depth),
            _ => None,
        }
    }

    /// The module of a path, if it defines an item.
    fn module_at(&self, at: &[String], path: &[String]) -> Option<&Module> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => Vec::new(),
            "self" => at.to_vec(),
            "super" => at[..at.len().checked_sub(1)?].to_vec(),
            _ => [at, std::slice::from_ref(first)].concat(),
        };
        for part in rest {
            match part.as_str() {
                "super" => _ = found.pop(),
                part => found.push(part.to_owned()),
            }
        }
        let module = self.modules.get(&found)?;
        (!module.items.is_empty()).then_some(module)
    }

    fn knows(&self, at: &[String], name: &str) -> bool {
        let module = &self.modules[at];
        let import = module.imports.get(name);
        let is_imported = import.is_some_and(|import| import.first().is_none_or(|f| f != name));
        module.items.contains(name)
            || module.children.contains(name)
            || is_imported
            || !module.globs.is_empty()
    }

    fn walk(&self, at: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        // Imports can form circles only where rustc reports an error.
        if depth > 16 {
            return None;
        }
        let (name, rest) = path.split_first()?;
        let module = self.modules.get(at)?;
        if module.children.contains(name) && !rest.is_empty() {
            let child = [at, std::slice::from_ref(name)].concat();
            return self.walk(&child, rest, depth + 1);
        }
        if module.items.contains(name) {
            return Some(at.to_vec());
        }
        if at.is_empty()
            && let Some(definition) = self.macros.get(name)
        {
            return Some(definition.clone());
        }
        if let Some(import) = module.imports.get(name) {
            let whole = [import.as_slice(), rest].concat();
            return self.resolve(at, &whole, depth + 1);
        }
        let through_globs = module.globs.iter().find_map(|glob| {
            let whole = [glob.as_slice(), path].concat();
            self.resolve(at, &whole, depth + 1)
        });
        // A macro creates a name that is not found.
        let is_made = !module.children.contains(name);
        through_globs.or_else(|| is_made.then(|| at.to_vec()))
    }
}

fn parent(file: &str) -> &str {
    let parent = Path::new(file).parent().and_then(Path::to_str);
    parent.unwrap_or_default()
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circles::find;

    /// The ends of the circles between the files of a crate.
    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let read = |file: &str| {
            let found = files.iter().find(|(name, _)| *name == file);
            found.map(|(_, text)| (*text).to_owned())
        };
        let graph = Sources::load("src/lib.rs", &read).references();
        let circles = find(&graph).into_iter();
        let ends = circles.map(|circle| circle.into_iter().map(|edge| edge.to).collect());
        ends.collect()
    }

    #[test]
    fn a_re_exported_item_belongs_to_the_file_that_defines_it() {
        let root = "mod a; mod b; pub use a::One;";
        let one = "pub struct One;";
        let two = "use crate::One; pub fn two(one: One) {}";
        assert!(circles(&[("src/lib.rs", root), ("src/a.rs", one), ("src/b.rs", two)]).is_empty());
        let one = "pub struct One; fn f() { crate::b::two(One) }";
        let found = circles(&[("src/lib.rs", root), ("src/a.rs", one), ("src/b.rs", two)]);
        assert_eq!(found, [["src/b.rs", "src/a.rs"]]);
    }

    #[test]
    fn an_item_of_a_parent_is_not_for_its_children() {
        let root = "mod a;";
        let parent = "mod c; use c::three; struct One; fn f() { three() }";
        for (child, is_circle) in [
            ("pub fn three() {}", false),
            ("use super::One; pub fn three() { One; }", true),
            ("pub fn three() { super::super::a::f() }", true),
            ("#[cfg(test)] mod tests { use super::super::One; }", false),
            ("pub fn three() { quote! { super::One } }", false),
        ] {
            let files = [
                ("src/lib.rs", root),
                ("src/a/mod.rs", parent),
                ("src/a/c.rs", child),
            ];
            assert_eq!(!circles(&files).is_empty(), is_circle, "{child}");
        }
    }

    #[test]
    fn an_alias_of_a_module_and_an_exported_macro_are_followed() {
        let root = "#[macro_use] mod a; mod b;";
        let one = "#[macro_export] macro_rules! m { () => {} } use crate::b as other; \
                   fn f() { other::g() }";
        let two = "pub fn g() { crate::m!() }";
        let found = circles(&[("src/lib.rs", root), ("src/a.rs", one), ("src/b.rs", two)]);
        assert_eq!(found, [["src/b.rs", "src/a.rs"]]);
    }
}
