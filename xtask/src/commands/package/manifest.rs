//! The manifest of a crate, without references to the workspace of the repository.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use toml::{Table, Value};

use super::areas::{AREAS, Side};
use super::list::CRATES;

/// The tables of a manifest that list dependencies.
const DEPENDENCIES: [&str; 2] = ["dependencies", "dev-dependencies"];
/// The tables of a manifest that list targets, with their default folders.
const TARGETS: [(&str, &str); 4] = [
    ("bin", "src/bin"),
    ("example", "examples"),
    ("test", "tests"),
    ("bench", "benches"),
];

/// The dependencies of examples that are left out: they need the service, or the fake one, whose crate depends on the
/// client.
const OF_EXAMPLES: [&str; 2] = ["accord-testing", "tokio-postgres"];

/// Reads a manifest.
pub(super) fn read(path: &Path) -> anyhow::Result<Table> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse()
        .with_context(|| format!("{} is not TOML", path.display()))
}

/// Returns the manifest of a packaged crate, whose files are in `folder`: without inheritance, the crates of the areas,
/// dependencies on crates that no registry has, and targets whose files are missing.
pub(super) fn packaged(
    mut manifest: Table,
    workspace: &Table,
    folder: &Path,
) -> anyhow::Result<Table> {
    let package = table(&mut manifest, "package")?;
    for (key, value) in package.iter_mut() {
        if value.get("workspace").is_some() {
            *value = workspace["package"][key].clone();
        }
    }
    package.remove("publish");
    let own = package["name"].as_str().unwrap_or_default().to_owned();
    ensure!(folder.join("README.md").is_file(), "{own} has no README.md");
    package.insert("readme".to_owned(), "README.md".into());
    package.insert("build".to_owned(), false.into());
    for key in DEPENDENCIES {
        if let Ok(dependencies) = table(&mut manifest, key) {
            resolve(dependencies, &own, key == "dev-dependencies", workspace)?;
        }
    }
    if let Ok(features) = table(&mut manifest, "features") {
        let areas = AREAS.map(|area| Value::from(format!("dep:{}", Side::Client.crate_of(area))));
        for (_, enabled) in features.iter_mut() {
            if let Value::Array(enabled) = enabled {
                enabled.retain(|one| !areas.contains(one));
            }
        }
    }
    for (kind, default) in TARGETS {
        if let Some(Value::Array(targets)) = manifest.get_mut(kind) {
            targets.retain(|target| has_files(target, &folder.join(default), folder));
            if targets.is_empty() {
                manifest.remove(kind);
            }
        }
    }
    if manifest.contains_key("lints") {
        manifest.insert("lints".to_owned(), workspace["lints"].clone());
    }
    Ok(manifest)
}

/// Resolves the dependencies of the crate `own`, and removes those that its package does not need.
fn resolve(
    dependencies: &mut Table,
    own: &str,
    is_for_tests: bool,
    workspace: &Table,
) -> anyhow::Result<()> {
    for area in AREAS {
        dependencies.remove(&Side::Client.crate_of(area));
        dependencies.remove(&Side::Server.crate_of(area));
    }
    let names: Vec<String> = dependencies.keys().cloned().collect();
    for name in names {
        let resolved = dependency(&name, &dependencies[&name], workspace)?;
        let is_published =
            resolved.get("path").is_none() || CRATES.iter().any(|one| one.name == name);
        ensure!(
            is_published || is_for_tests,
            "no registry has {name}, which {own} depends on"
        );
        // Tests and examples that need more of the repository are left out.
        let is_left_out = name == own || OF_EXAMPLES.contains(&name.as_str());
        match is_published && !is_left_out {
            true => dependencies.insert(name, resolved),
            false => dependencies.remove(&name),
        };
    }
    Ok(())
}

/// A dependency as it is written in a manifest of its own.
fn dependency(name: &str, written: &Value, workspace: &Table) -> anyhow::Result<Value> {
    let mut table = match written {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    if table.remove("workspace").is_some() {
        let inherited = workspace["dependencies"].get(name);
        let inherited = inherited.with_context(|| format!("the workspace has no {name}"))?;
        let mut whole = match inherited {
            Value::Table(table) => table.clone(),
            version => Table::from_iter([("version".to_owned(), version.clone())]),
        };
        if let Some(Value::Array(features)) = table.remove("features") {
            let all = whole.entry("features").or_insert(Value::Array(Vec::new()));
            if let Value::Array(all) = all {
                all.extend(features);
            }
        }
        whole.extend(table);
        table = whole;
    }
    if CRATES.iter().any(|one| one.name == name) {
        table.insert("path".to_owned(), format!("../{name}").into());
        // The crates are released together, and generated code calls hidden items.
        let version = workspace["package"]["version"].as_str();
        let version = version.context("the workspace has no version")?;
        table.insert("version".to_owned(), format!("={version}").into());
    }
    Ok(Value::Table(table))
}

/// Whether the file of a target was copied.
fn has_files(target: &Value, default: &Path, folder: &Path) -> bool {
    let text = |key: &str| target.get(key).and_then(Value::as_str);
    let name = text("name").unwrap_or_default();
    match text("path") {
        Some(path) => folder.join(path).is_file(),
        None => {
            default.join(name).join("main.rs").is_file()
                || default.join(format!("{name}.rs")).is_file()
        }
    }
}

fn table<'a>(manifest: &'a mut Table, key: &str) -> anyhow::Result<&'a mut Table> {
    let value = manifest.get_mut(key).and_then(Value::as_table_mut);
    value.with_context(|| format!("the manifest has no table {key}"))
}
