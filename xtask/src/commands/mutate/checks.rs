//! The checks that each mutant goes through, the cheapest first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::Context;
use dropforge::check::compatibility;
use dropforge::check::lint;
use dropforge::document::Document;
use dropforge_mutants::Mutant;
use dropforge_mutants::replay::Traffic;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use serde_json::Value;

use super::verdict::{Check, Verdict};
use super::{folder, traffic};
use crate::{built, panics, repository};

/// A document before its edit.
pub(super) struct Subject {
    pub(super) area: String,
    pub(super) document: Document,
    json: Value,
    /// The code generated from the unchanged document.
    code: OnceLock<Option<String>>,
    /// The signatures that its implementer writes.
    signatures: OnceLock<Option<String>>,
    traffic: Vec<(Check, Traffic)>,
}

impl Subject {
    pub(super) fn load(area: &str, path: &Path) -> anyhow::Result<Subject> {
        let document = repository::load(path)?;
        Ok(Subject {
            area: area.to_owned(),
            json: document.to_json(),
            traffic: traffic::of(&document),
            document,
            code: OnceLock::new(),
            signatures: OnceLock::new(),
        })
    }

    /// The file, and the line of a mutant in it.
    pub(super) fn place(&self, mutant: &Mutant) -> String {
        let span = self.document.key_span(&mutant.pointer).unwrap_or_default();
        let place = self.document.source.place(span.start);
        format!("{}:{}", place.file, place.line)
    }

    fn code(&self) -> Option<&str> {
        let made = self.code.get_or_init(|| {
            let text = self.json.to_string();
            code(&self.area, &Document::load(&self.file(), &text).ok()?).ok()
        });
        made.as_deref()
    }

    fn signatures(&self) -> Option<&str> {
        let made = self
            .signatures
            .get_or_init(|| signatures(&self.area, &self.document));
        made.as_deref()
    }

    /// Whether there is any recorded traffic.
    pub(super) fn has_traffic(&self) -> bool {
        !self.traffic.is_empty()
    }

    fn file(&self) -> String {
        format!("{}.json", self.area)
    }
}

/// The inputs of all checks.
pub(super) struct Checks {
    /// The test program of the contract crate.
    interface: PathBuf,
    folder: PathBuf,
}

impl Checks {
    /// Builds the test programs.
    pub(super) fn prepare() -> anyhow::Result<Checks> {
        let folder = folder::path();
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let interface = built::tests("accord", "contract")?;
        Ok(Checks { interface, folder })
    }

    /// The programs whose change makes stored results invalid.
    pub(super) fn programs(&self) -> Vec<PathBuf> {
        let this = std::env::current_exe().unwrap_or_default();
        let programs = [this, self.interface.clone()];
        programs.into_iter().chain(traffic::files()).collect()
    }

    /// The cheap checks.
    pub(super) fn cheap(
        &self,
        subject: &Subject,
        mutant: &Mutant,
        worker: usize,
    ) -> anyhow::Result<Verdict> {
        let equivalent = |reason: &str| Ok(Verdict::Equivalent(reason.to_owned()));
        let Some(mutated) = mutant.apply(&subject.json) else {
            return equivalent("the edit does not change the document");
        };
        if dropforge_mutants::is_implied_by_pattern(&subject.json, &mutated, mutant) {
            return equivalent("the pattern beside the bound implies it");
        }
        let noticed = |check, said: String| Ok(Verdict::Noticed(check, said));
        let text = mutated.to_string();
        let document = match Document::load(&subject.file(), &text) {
            Ok(document) => document,
            Err(diagnostics) => {
                let first = diagnostics.iter().next().map(|d| d.message.clone());
                return noticed(Check::Lint, first.unwrap_or_default());
            }
        };
        let findings = lint::lint(&document);
        let of_rule =
            |finding: &&dropforge::document::Diagnostic| finding.code != "example-invalid";
        if let Some(finding) = findings.iter().find(of_rule) {
            return noticed(
                Check::Lint,
                format!("{}: {}", finding.code, finding.message),
            );
        }
        if let Some(finding) = findings.iter().next() {
            return noticed(Check::Examples, finding.message.clone());
        }
        // A published form is a document without the keys of the generator, so the document itself
        // is compared.
        let before = &subject.document;
        let changes = match panics::catch(|| compatibility::compare(before, &document)) {
            Ok(changes) => changes,
            Err(panic) => return noticed(Check::Compatibility, panic),
        };
        if let Some(change) = changes.iter().find(|change| change.class.is_breaking()) {
            return noticed(
                Check::Compatibility,
                format!("{}: {}", change.class, change.message),
            );
        }
        let code = match panics::catch(|| self::code(&subject.area, &document)) {
            Ok(Ok(code)) => code,
            Ok(Err(said)) | Err(said) => return noticed(Check::Generation, said),
        };
        if let Some(reason) = dropforge_mutants::equivalence_reason(&changes, || {
            subject.code() == Some(code.as_str())
        }) {
            return equivalent(reason);
        }
        let folder = self.folder.join(format!("documents-{worker}"));
        stand_in(&folder, subject, &text)?;
        let output = Command::new(&self.interface)
            .arg("every_row_of_the_interface_stands_in_a_document")
            .env("ACCORD_DOCUMENTS", &folder)
            .current_dir(repository::root())
            .stdin(Stdio::null())
            .output()
            .context("cannot run the contract's tests")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned()
                + &String::from_utf8_lossy(&output.stdout);
            let row = said.lines().find(|line| line.starts_with(&subject.area));
            return noticed(
                Check::Interface,
                row.unwrap_or("a row is missing").to_owned(),
            );
        }
        // An implementation of another signature does not compile.
        if signatures(&subject.area, &document).as_deref() != subject.signatures() {
            let said = "the methods that the server implements have other arguments";
            return noticed(Check::Compiler, said.to_owned());
        }
        for (check, traffic) in &subject.traffic {
            if let Some(said) = traffic.notices(&document) {
                return noticed(*check, said);
            }
        }
        Ok(Verdict::Alive)
    }

    /// The compiler and the tests, in a build folder of their own.
    pub(super) fn deep(&self, subject: &Subject, mutant: &Mutant) -> anyhow::Result<Verdict> {
        let mutated = mutant.apply(&subject.json).unwrap_or_default();
        let folder = self.folder.join("documents");
        stand_in(&folder, subject, &mutated.to_string())?;
        let area = subject.area.as_str();
        let contract = format!("contract::{area}");
        let steps: [(Check, &[&str]); 3] = [
            (
                Check::Compiler,
                &[
                    "check",
                    "--quiet",
                    "--package",
                    "accord-server",
                    "--package",
                    "accord-client",
                    "--tests",
                ],
            ),
            (
                Check::ContractTests,
                &[
                    "test",
                    "--quiet",
                    "--package",
                    "accord-server",
                    "--test",
                    "it",
                    &contract,
                ],
            ),
            (
                Check::Tests,
                &[
                    "test",
                    "--quiet",
                    "--package",
                    "accord-server",
                    "--test",
                    "it",
                    area,
                ],
            ),
        ];
        for (check, arguments) in steps {
            let output = Command::new(repository::cargo())
                .args(arguments)
                .env("ACCORD_DOCUMENTS", &folder)
                .env("CARGO_TARGET_DIR", self.folder.join("build"))
                .current_dir(repository::root())
                .stdin(Stdio::null())
                .output()
                .context("cannot run cargo")?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).into_owned()
                    + &String::from_utf8_lossy(&output.stdout);
                let telling =
                    |line: &&str| line.starts_with("error") || line.contains("panicked at");
                let said = said.lines().find(telling).unwrap_or_default();
                return Ok(Verdict::Noticed(check, said.to_owned()));
            }
        }
        Ok(Verdict::Alive)
    }
}

/// A folder with one document that replaces the contract's own.
fn stand_in(folder: &Path, subject: &Subject, text: &str) -> anyhow::Result<()> {
    // The document of another area may be left from the previous mutant.
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let path = folder.join(subject.file());
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The code that both generators make from a document, without comments.
fn code(area: &str, document: &Document) -> Result<String, String> {
    let first = |diagnostics: dropforge::document::Diagnostics| {
        let first = diagnostics.iter().next().map(|d| d.message.clone());
        first.unwrap_or_default()
    };
    let server = dropforge::generate_server(document, area).map_err(first)?;
    let client = dropforge::emit::client::generate(document).map_err(first)?;
    let mut text = String::new();
    silent(server.tokens, &mut text);
    silent(client.tokens, &mut text);
    // The loss report describes the code, so it counts too.
    let lost: BTreeMap<_, _> = client
        .report
        .to_markdown()
        .lines()
        .map(|line| (line.to_owned(), ()))
        .collect();
    text.push_str(&lost.len().to_string());
    Ok(text)
}

/// The traits that a document requires, and the types of its callers: the implementer repeats both
/// word by word.
fn signatures(area: &str, document: &Document) -> Option<String> {
    let generated = dropforge::generate_server(document, area).ok()?;
    let file: syn::File = syn::parse2(generated.tokens).ok()?;
    let mut text = String::new();
    for item in file.items {
        match &item {
            syn::Item::Trait(_) => silent(item.into_token_stream(), &mut text),
            syn::Item::Enum(caller) if caller.ident.to_string().ends_with("Caller") => {
                silent(item.into_token_stream(), &mut text);
            }
            _ => {}
        }
    }
    Some(text)
}

/// Writes tokens without documentation and without the embedded document.
fn silent(tokens: TokenStream, into: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let documents = matches!(tokens.peek(), Some(TokenTree::Group(group)) if is_doc(group.stream()));
                match documents {
                    true => _ = tokens.next(),
                    false => into.push('#'),
                }
            }
            TokenTree::Group(group) => {
                into.push(match group.delimiter() {
                    Delimiter::Brace => '{',
                    Delimiter::Bracket => '[',
                    _ => '(',
                });
                silent(group.stream(), into);
                into.push(')');
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if !text.starts_with("\"{\\\"openapi") {
                    into.push_str(&text);
                }
                into.push(' ');
            }
            other => {
                into.push_str(&other.to_string());
                into.push(' ');
            }
        }
    }
}

fn is_doc(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc")
}
