//! The licenses of dependencies, by their manifests: a check, a page, and the texts for packages.
//!
//! `cargo metadata` lists the dependencies for one platform, so that the result is the same on every
//! machine. It uses the network only for packages that cargo has not downloaded yet.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use dropforge::check::lint::Rule;
use dropforge::document::{Diagnostic, Diagnostics, Source, Span};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use crate::repository;

/// The platform that packages and images are built for.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The rule of the check.
pub(crate) const RULE: Rule = Rule {
    id: "license",
    asks: "The license of every dependency is in `xtask/licenses.txt`.",
};

/// A package of another project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    /// Empty if the manifest has no license.
    license: String,
    /// The folder of its sources.
    folder: PathBuf,
}

/// Packages and their dependencies, by the identifiers of packages.
struct Graph {
    packages: HashMap<String, Package>,
    /// The identifiers of the packages of this repository, by their names.
    own: BTreeMap<String, String>,
    /// The dependencies of a program itself, without those of tests and build scripts.
    normal: HashMap<String, Vec<String>>,
}

impl Graph {
    fn read() -> anyhow::Result<Graph> {
        let output = Command::new(repository::cargo())
            .args(["metadata", "--format-version", "1", "--locked"])
            .args(["--filter-platform", PLATFORM])
            .current_dir(repository::root())
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo metadata")?;
        ensure!(output.status.success(), "cargo metadata failed");
        let metadata = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
        Graph::of(&metadata).context("cargo metadata has an unexpected format")
    }

    fn of(metadata: &Value) -> Option<Graph> {
        let mut graph = Graph {
            packages: HashMap::new(),
            own: BTreeMap::new(),
            normal: HashMap::new(),
        };
        for package in metadata["packages"].as_array()? {
            let id = package["id"].as_str()?.to_owned();
            let name = package["name"].as_str()?.to_owned();
            if package["source"].is_null() {
                graph.own.insert(name, id);
                continue;
            }
            let package = Package {
                name,
                version: package["version"].as_str()?.to_owned(),
                license: package["license"].as_str().unwrap_or_default().to_owned(),
                folder: folder(package).unwrap_or_default(),
            };
            graph.packages.insert(id, package);
        }
        for node in metadata["resolve"]["nodes"].as_array()? {
            let is_normal = |dependency: &&Value| {
                let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
                kinds.into_iter().any(|kind| kind["kind"].is_null())
            };
            let normal = node["deps"].as_array()?.iter().filter(is_normal);
            let ids = normal.filter_map(|dependency| dependency["pkg"].as_str());
            let ids = ids.map(str::to_owned).collect();
            graph.normal.insert(node["id"].as_str()?.to_owned(), ids);
        }
        Some(graph)
    }

    /// The packages that are parts of a program of this repository.
    fn parts(&self, program: &str) -> BTreeSet<&Package> {
        let mut waiting: Vec<&str> = self
            .own
            .get(program)
            .map(String::as_str)
            .into_iter()
            .collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                let next = self.normal.get(id).into_iter().flatten();
                waiting.extend(next.map(String::as_str));
            }
        }
        seen.iter()
            .filter_map(|id| self.packages.get(*id))
            .collect()
    }
}

/// Checks the licenses of all dependencies, those of tests and tools included.
pub(crate) fn findings() -> anyhow::Result<(Source, Diagnostics)> {
    let allowed = repository::source(&repository::root().join("xtask/licenses.txt"))?;
    let packages: BTreeSet<_> = Graph::read()?.packages.into_values().collect();
    let findings = check(&allowed, &packages);
    Ok((allowed, findings))
}

fn check(allowed: &Source, packages: &BTreeSet<Package>) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let mut lines = BTreeMap::new();
    let mut start = 0;
    for line in allowed.text.split_inclusive('\n') {
        let license = line.trim();
        if !license.is_empty() && !license.starts_with('#') {
            lines.insert(license, Span::new(start, start + license.len()));
        }
        start += line.len();
    }
    let mut used = BTreeSet::new();
    for package in packages {
        let expression = Expression::parse_mode(&package.license, ParseMode::LAX).ok();
        let is_allowed = expression.is_some_and(|expression| {
            for one in expression.requirements() {
                used.insert(one.req.to_string());
            }
            expression.evaluate(|one| lines.contains_key(one.to_string().as_str()))
        });
        if !is_allowed {
            let Package {
                name,
                version,
                license,
                folder: _,
            } = package;
            let message = match license.as_str() {
                "" => format!("{name} {version} states no license"),
                license => format!("{name} {version} has the license {license}"),
            };
            findings.push(
                Diagnostic::error(RULE.id, Span::default(), message)
                    .help("use another package, or read the license and add it to the list"),
            );
        }
    }
    for (license, span) in lines {
        if !used.contains(license) {
            let message = format!("no dependency has the license {license}");
            findings.push(Diagnostic::error(RULE.id, span, message).help("remove the line"));
        }
    }
    findings
}

/// The folder of the manifest.
fn folder(package: &Value) -> Option<PathBuf> {
    let manifest = Path::new(package["manifest_path"].as_str()?);
    Some(manifest.parent()?.to_owned())
}

/// The texts of the licenses of all packages in the service. Packages with the same text share it.
pub(crate) fn texts() -> anyhow::Result<String> {
    let graph = Graph::read()?;
    let mut packages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in graph.parts("accord-server") {
        for text in texts_of(package)? {
            let name = format!("{} {}", package.name, package.version);
            packages.entry(text).or_default().push(name);
        }
    }
    let mut all =
        String::from("The packages in accord-server, with the texts of their licenses.\n");
    let line = "-".repeat(80);
    for (text, packages) in packages {
        let _ = write!(all, "\n{line}\n{}\n{line}\n\n{text}\n", packages.join(", "));
    }
    Ok(all)
}

/// The files with licenses and notices of a package. Without one, the text of each license that its
/// manifest names.
fn texts_of(package: &Package) -> anyhow::Result<Vec<String>> {
    const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
    let folder = package.folder.display();
    let mut texts = Vec::new();
    for file in fs::read_dir(&package.folder).with_context(|| folder.to_string())? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_lowercase();
        if NAMES.iter().any(|one| name.starts_with(one)) && path.is_file() {
            let text = fs::read(&path).with_context(|| path.display().to_string())?;
            texts.push(String::from_utf8_lossy(&text).trim().replace("\r\n", "\n"));
        }
    }
    if texts.is_empty() {
        let expression = Expression::parse_mode(&package.license, ParseMode::LAX)
            .with_context(|| format!("{}: {}", package.name, package.license))?;
        let ids = expression.requirements();
        let ids = ids.filter_map(|one| one.req.license.id());
        texts.extend(ids.map(|id| id.text().trim().to_owned()));
    }
    ensure!(
        !texts.is_empty(),
        "{} has no text of a license",
        package.name
    );
    texts.sort();
    texts.dedup();
    Ok(texts)
}

/// The page about the packages that are parts of the service.
pub(crate) fn page() -> anyhow::Result<String> {
    let graph = Graph::read()?;
    let parts = graph.parts("accord-server");
    ensure!(!parts.is_empty(), "accord-server has no dependencies");
    let mut page = format!(
        "# Third-party packages\n\nThe {} packages of other authors that are parts of `accord-server` on Linux, \
         each with the license that its manifest states. `cargo xtask licenses` prints the texts of all licenses. \
         Written by `cargo xtask regenerate`.\n\n\
         | package | version | license |\n|---|---|---|\n",
        parts.len()
    );
    for package in parts {
        let _ = writeln!(
            page,
            "| {} | {} | {} |",
            package.name, package.version, package.license
        );
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn findings_of(licenses: &[&str]) -> Vec<String> {
        let allowed = Source::new(
            "licenses.txt",
            "# Some.\nMIT\nApache-2.0 WITH LLVM-exception\n",
        );
        let packages = licenses
            .iter()
            .enumerate()
            .map(|(number, license)| Package {
                name: format!("package-{number}"),
                version: "1.0.0".into(),
                license: (*license).into(),
                folder: PathBuf::new(),
            });
        let findings = check(&allowed, &packages.collect());
        findings.iter().map(|one| one.message.clone()).collect()
    }

    #[test]
    fn an_expression_is_accepted_if_the_allowed_licenses_are_enough() {
        let accepted = [
            "MIT",
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only/MIT",
            "MIT AND (Apache-2.0 WITH LLVM-exception OR ISC)",
        ];
        assert_eq!(findings_of(&accepted), Vec::<String>::new());
        for license in ["GPL-3.0-only", "MIT AND ISC", "Apache-2.0", "Nobody's", ""] {
            let found = findings_of(&["MIT", "Apache-2.0 WITH LLVM-exception", license]);
            assert_eq!(found.len(), 1, "{license}: {found:?}");
            assert!(found[0].starts_with("package-2 1.0.0"), "{found:?}");
        }
    }

    #[test]
    fn an_allowed_license_that_no_dependency_has_is_named() {
        let found = findings_of(&["MIT"]);
        let named = "no dependency has the license Apache-2.0 WITH LLVM-exception";
        assert_eq!(found, [named]);
    }

    #[test]
    fn a_package_without_a_file_has_the_texts_of_the_licenses_in_its_manifest() {
        let folder = std::env::temp_dir().join(format!("accord-licenses-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let package = Package {
            name: "package".into(),
            version: "1.0.0".into(),
            license: "MIT OR Apache-2.0".into(),
            folder: folder.clone(),
        };
        let texts = texts_of(&package).expect("texts");
        assert_eq!(texts.len(), 2);
        assert!(texts.iter().any(|text| text.starts_with("MIT License")));
        fs::write(folder.join("README.md"), "a page").expect("a file");
        fs::write(folder.join("LICENSE-MIT"), "a license\r\nof two lines\n").expect("a file");
        fs::write(folder.join("Notice"), "a notice").expect("a file");
        let texts = texts_of(&package).expect("texts");
        fs::remove_dir_all(&folder).expect("the folder");
        assert_eq!(texts, ["a license\nof two lines", "a notice"]);
    }

    #[test]
    fn the_parts_of_a_program_are_its_normal_dependencies_and_theirs() {
        let package = |name: &str, source: Value| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT", "source": source});
        let dependency =
            |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("program", Value::Null), package("library", Value::Null),
                package("a", "registry".into()), package("b", "registry".into()),
                package("built", "registry".into()), package("tested", "registry".into()),
            ],
            "resolve": {"nodes": [
                {"id": "program", "deps": [
                    dependency("library", Value::Null), dependency("tested", "dev".into()),
                ]},
                {"id": "library", "deps": [
                    dependency("a", Value::Null), dependency("built", "build".into()),
                ]},
                {"id": "a", "deps": [dependency("b", Value::Null)]},
                {"id": "b", "deps": []},
            ]},
        });
        let graph = Graph::of(&metadata).expect("metadata");
        let parts: Vec<_> = graph
            .parts("program")
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(parts, ["a", "b"]);
    }
}
