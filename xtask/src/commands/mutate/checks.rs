//! The checks that each mutant goes through, the cheapest first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::Context;
use dropforge::check::compatibility;
use dropforge::check::lint;
use dropforge::document::{Diagnostic, Diagnostics, Document};
use dropforge_mutants::Mutant;
use dropforge_mutants::replay::Traffic;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use serde_json::Value;

use super::verdict::{Check, Verdict};
use super::{folder, traffic};
use crate::{built, files, panics, repository};

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

/// The programs and the folder of all checks.
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

    /// Runs the checks that need no compiler, until one notices the mutant.
    ///
    /// # Errors
    ///
    /// When the contract's tests cannot run.
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
        let document = match loaded(&subject.file(), &text) {
            Ok(document) => document,
            Err((check, message)) => return noticed(check, message),
        };
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
        if let Some(row) = self.missing_row(&folder, subject)? {
            return noticed(Check::Interface, row);
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

    /// The row of the interface that these documents do not have, if one is missing.
    fn missing_row(&self, folder: &Path, subject: &Subject) -> anyhow::Result<Option<String>> {
        let mut tests = Command::new(&self.interface);
        tests.arg("every_row_of_the_interface_stands_in_a_document");
        let failed = failed(&mut tests, folder).context("cannot run the contract's tests")?;
        Ok(failed.map(|printed| {
            let mut lines = printed.lines();
            let row = lines.find(|line| line.starts_with(&subject.area));
            row.unwrap_or("a row is missing").to_owned()
        }))
    }

    /// Runs the compiler and the tests in a build folder of their own, until one notices the mutant.
    ///
    /// # Errors
    ///
    /// When cargo cannot run.
    pub(super) fn deep(&self, subject: &Subject, mutant: &Mutant) -> anyhow::Result<Verdict> {
        let mutated = mutant.apply(&subject.json).unwrap_or_default();
        let folder = self.folder.join("documents");
        stand_in(&folder, subject, &mutated.to_string())?;
        let area = subject.area.as_str();
        let contract = format!("contract::{area}");
        let steps: [(Check, &[&str]); 3] = [
            (
                Check::Compiler,
                &["check", "--package", "accord-client", "--tests"],
            ),
            (Check::ContractTests, &["test", "--test", "it", &contract]),
            (Check::Tests, &["test", "--test", "it", area]),
        ];
        for (check, arguments) in steps {
            let mut cargo = Command::new(repository::cargo());
            cargo
                .args(arguments)
                .args(["--quiet", "--package", "accord-server"])
                .env("CARGO_TARGET_DIR", self.folder.join("build"));
            if let Some(printed) = failed(&mut cargo, &folder).context("cannot run cargo")? {
                let is_error =
                    |line: &&str| line.starts_with("error") || line.contains("panicked at");
                let error = printed.lines().find(is_error).unwrap_or_default();
                return Ok(Verdict::Noticed(check, error.to_owned()));
            }
        }
        Ok(Verdict::Alive)
    }
}

/// Runs a command with the documents of this folder. Returns its output if it fails.
fn failed(command: &mut Command, documents: &Path) -> std::io::Result<Option<String>> {
    let output = command
        .env("ACCORD_DOCUMENTS", documents)
        .current_dir(repository::root())
        .stdin(Stdio::null())
        .output()?;
    Ok((!output.status.success()).then(|| {
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        printed + &String::from_utf8_lossy(&output.stdout)
    }))
}

/// A valid document without findings, or the check with a finding and its message.
fn loaded(file: &str, text: &str) -> Result<Document, (Check, String)> {
    let document = Document::load(file, text)
        .map_err(|diagnostics| (Check::Lint, first_message(&diagnostics)))?;
    match linted(&document) {
        Some(finding) => Err(finding),
        None => Ok(document),
    }
}

/// The first finding of the lint, if there is one. Invalid examples come last.
fn linted(document: &Document) -> Option<(Check, String)> {
    let findings = lint::lint(document);
    let is_rule = |finding: &&Diagnostic| finding.code != "example-invalid";
    if let Some(finding) = findings.iter().find(is_rule) {
        let message = format!("{}: {}", finding.code, finding.message);
        return Some((Check::Lint, message));
    }
    let finding = findings.iter().next()?;
    Some((Check::Examples, finding.message.clone()))
}

fn first_message(diagnostics: &Diagnostics) -> String {
    let first = diagnostics.iter().next();
    first.map_or_else(String::new, |one| one.message.clone())
}

/// Makes `folder` a folder with the mutated document of an area, which replaces the committed one.
fn stand_in(folder: &Path, subject: &Subject, text: &str) -> anyhow::Result<()> {
    // The document of another area may be left from the previous mutant.
    if folder.exists() {
        std::fs::remove_dir_all(folder)
            .with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    files::write(&folder.join(subject.file()), text)
}

/// The code that both generators make from a document, without comments.
fn code(area: &str, document: &Document) -> Result<String, String> {
    let first = |diagnostics: Diagnostics| first_message(&diagnostics);
    let server = dropforge::generate_server(document, area).map_err(first)?;
    let client = dropforge::emit::client::generate(document).map_err(first)?;
    let mut text = String::new();
    write_without_documentation(server.tokens, &mut text);
    write_without_documentation(client.tokens, &mut text);
    // The loss report describes the code, so its number of different lines counts too.
    let losses = client.report.to_markdown();
    let losses: BTreeSet<&str> = losses.lines().collect();
    text.push_str(&losses.len().to_string());
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
            syn::Item::Trait(_) => write_without_documentation(item.into_token_stream(), &mut text),
            syn::Item::Enum(caller) if caller.ident.to_string().ends_with("Caller") => {
                write_without_documentation(item.into_token_stream(), &mut text);
            }
            _ => {}
        }
    }
    Some(text)
}

/// Writes tokens without documentation and without the embedded document.
fn write_without_documentation(tokens: TokenStream, into: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let is_documentation = matches!(tokens.peek(), Some(TokenTree::Group(group)) if is_doc(group.stream()));
                match is_documentation {
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
                write_without_documentation(group.stream(), into);
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
