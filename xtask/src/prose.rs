//! The texts of programs: the references of the command lines, the string literals of
//! errors and messages, comments, the names of items, and the pages: READMEs, guides and
//! changelogs.
//!
//! All are checked with the word lists of `dropforge::check::prose`. Literals and names are read
//! from the tokens of each source file. A literal of three words that is not SQL is text for
//! people.

mod comments;

use std::path::{Path, PathBuf};

use dropforge::check::prose::{self, Remark};
use dropforge::document::{Diagnostic, Diagnostics, Source, Span};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{links, repository};

/// The references of the command lines.
const COMMANDS: [&str; 2] = ["client/COMMANDS.md", "server/COMMANDS.md"];

/// The pages: READMEs, guides and changelogs.
pub(crate) const PAGES: [&str; 32] = [
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "client/README.md",
    "client/testing/README.md",
    "openapi/CHANGELOG.md",
    "openapi/EDITOR.md",
    "openapi/README.md",
    "openapi/forge/ARCHITECTURE.md",
    "openapi/forge/CHANGELOG.md",
    "openapi/forge/CONSTRUCTS.md",
    "openapi/forge/README.md",
    "openapi/forge/client/README.md",
    "openapi/forge/events/README.md",
    "openapi/forge/fields/README.md",
    "openapi/forge/guide/README.md",
    "openapi/forge/guide/change.md",
    "openapi/forge/guide/client.md",
    "openapi/forge/guide/refused.md",
    "openapi/forge/mutants/README.md",
    "openapi/forge/runtime/README.md",
    "server/ARCHITECTURE.md",
    "server/README.md",
    "server/deploy/BACKUP.md",
    "server/deploy/README.md",
    "server/deploy/SIZING.md",
    "server/deploy/UPGRADE.md",
    "server/guide/README.md",
    "server/guide/care.md",
    "server/guide/replicas.md",
    "server/guide/trouble.md",
    "xtask/README.md",
];

/// The folders of sources.
const SOURCES: [&str; 12] = [
    "client/src",
    "client/testing/src",
    "openapi/forge/client/src",
    "openapi/forge/events/src",
    "openapi/forge/fields/src",
    "openapi/forge/mutants/src",
    "openapi/forge/runtime/src",
    "openapi/forge/src",
    "server/areas/src",
    "server/base/src",
    "server/src",
    "xtask/src",
];

/// Literals that are compared or hashed, not read.
const VERBATIM: [&str; 2] = ["inference retry answer key", "request handling cancelled"];

/// The keywords in front of the name of an item.
const ITEMS: [&str; 9] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

/// The line before the help of a command.
const FENCE: &str = "```text\n";

/// The list itself, which contains the phrases.
const LIST: &str = "prose/words.rs";

/// The findings in the texts of the programs, each file with its source. `program` is this
/// program.
pub(crate) fn findings(program: clap::Command) -> anyhow::Result<Vec<(Source, Diagnostics)>> {
    let mut all = Vec::new();
    for path in COMMANDS {
        let source = repository::source(&repository::root().join(path))?;
        let findings = of_commands(&source.text);
        all.push((source, findings));
    }
    for path in PAGES {
        let path = repository::root().join(path);
        let source = repository::source(&path)?;
        let mut findings = prose::check_markdown(&source.text);
        findings.extend(links::findings(&source, &path));
        all.push((source, findings));
    }
    let help = help(program);
    let findings = of_commands(&help.text);
    all.push((help, findings));
    for folder in SOURCES {
        let mut files = Vec::new();
        rust(&repository::root().join(folder), &mut files)?;
        files.sort();
        for file in files {
            let source = repository::source(&file)?;
            let findings = of_rust(&source)?;
            all.push((source, findings));
        }
    }
    Ok(all)
}

/// The help of this program, which is not in a file.
fn help(mut program: clap::Command) -> Source {
    let mut text = program.render_long_help().to_string();
    for command in program.get_subcommands_mut() {
        let help = command.render_long_help();
        text.push_str(&format!("\n## {}\n\n{FENCE}{help}", command.get_name()));
    }
    Source::new("cargo xtask help", text)
}

/// The Rust files of a folder, without tests.
fn rust(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for path in repository::entries(folder)? {
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            rust(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test && !path.ends_with(LIST) {
            files.push(path);
        }
    }
    Ok(())
}

/// The help of a program is in fenced blocks; its indentation is not Markdown.
fn of_commands(text: &str) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let plain = text.replace("```text", "       ").replace("```", "   ");
    let mut start = 0;
    // Paragraphs, so that a phrase does not reach from one option into the next section.
    for paragraph in plain.split_inclusive("\n\n") {
        report(
            paragraph,
            start,
            prose::words_of_plain(paragraph),
            &mut findings,
        );
        start += paragraph.len();
    }
    for (at, _) in text.match_indices("\n## ") {
        let Some(fence) = text[at..].find(FENCE) else {
            continue;
        };
        let start = at + fence + FENCE.len();
        let first = text[start..].split_whitespace().next().unwrap_or_default();
        if let Some(remark) = prose::verb(first) {
            report(first, start, vec![remark], &mut findings);
        }
    }
    findings.sort();
    findings
}

fn of_rust(source: &Source) -> anyhow::Result<Diagnostics> {
    let tokens: TokenStream = source
        .text
        .parse()
        .map_err(|error| anyhow::anyhow!("{} is not Rust: {error}", source.name))?;
    let mut texts = Texts::default();
    collect(tokens, &mut texts);
    let mut findings = Diagnostics::default();
    let mut cursor = 0;
    for (written, value) in texts.literals {
        // Tokens have their text, and they are in the order of the file.
        let Some(found) = source.text[cursor..].find(&written) else {
            continue;
        };
        let start = cursor + found;
        cursor = start + written.len();
        if is_text(&value) {
            report(
                &written,
                start,
                prose::words_of_plain(&value),
                &mut findings,
            );
        }
    }
    for item in texts.items {
        let start = source.text.find(&item).unwrap_or_default();
        let name = item.rsplit(' ').next().unwrap_or_default();
        report(&item, start, prose::words_of_name(name), &mut findings);
    }
    for (start, comment) in comments::paragraphs(&source.text) {
        report(
            &comment,
            start,
            prose::words_of_plain(&comment),
            &mut findings,
        );
    }
    findings.sort();
    Ok(findings)
}

/// The texts and names in the tokens of a source.
#[derive(Default)]
struct Texts {
    /// String literals, as they are written and their values.
    literals: Vec<(String, String)>,
    /// The names of items, each with its keyword: `fn run`.
    items: Vec<String>,
}

/// Reads code that is neither a test nor an attribute of documentation.
fn collect(tokens: TokenStream, texts: &mut Texts) {
    let mut tests = false;
    let mut keyword = None;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let before = keyword.take();
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                // The texts of inner attributes, such as `//!`, are comments of the file.
                if matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '!') {
                    tokens.nth(1);
                } else if let Some(TokenTree::Group(group)) = tokens.peek() {
                    let attribute = group.stream().to_string();
                    tests |= attribute == "test" || attribute.starts_with("cfg (test");
                    tests |= attribute == "tokio :: test" || attribute.starts_with("cfg(test");
                    if attribute.starts_with("doc ") || attribute.starts_with("doc=") {
                        tokens.next();
                    }
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => tests = false,
            TokenTree::Group(group) => {
                let is_item = group.delimiter() == Delimiter::Brace;
                if !(tests && is_item) {
                    collect(group.stream(), texts);
                }
                tests &= !is_item;
            }
            TokenTree::Literal(literal) => {
                let written = literal.to_string();
                if let Ok(string) = syn::parse_str::<syn::LitStr>(&written) {
                    texts.literals.push((written, string.value()));
                }
            }
            TokenTree::Ident(ident) => {
                let ident = ident.to_string();
                match ITEMS.into_iter().find(|item| *item == ident) {
                    Some(item) => keyword = Some(item),
                    None => {
                        let name = before.filter(|_| !tests);
                        texts
                            .items
                            .extend(name.map(|before| format!("{before} {ident}")));
                    }
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// Whether a literal is for people: three words at least, and not SQL.
fn is_text(value: &str) -> bool {
    const SQL: [&str; 12] = [
        "ALTER", "BEGIN", "CREATE", "DELETE", "DROP", "FROM", "INSERT", "PRAGMA", "SELECT",
        "UPDATE", "WHERE", "WITH",
    ];
    if VERBATIM.contains(&value) {
        return false;
    }
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or_default();
    words.nth(1).is_some() && !SQL.contains(&first) && !value.trim_start().starts_with('<')
}

fn report(text: &str, start: usize, remarks: Vec<Remark>, findings: &mut Diagnostics) {
    for remark in remarks {
        let (from, to) = prose::locate(text, &remark.words).unwrap_or((0, text.len()));
        let span = Span::new(start + from, start + to);
        findings.push(Diagnostic::error(remark.rule, span, remark.message).help(remark.help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let source = Source::new("x.rs", text);
        let findings = of_rust(&source).expect("Rust");
        let place = |span: Span| source.text[span.start..span.end].to_owned();
        findings.iter().map(|finding| place(finding.span)).collect()
    }

    #[test]
    fn the_texts_of_macros_attributes_and_calls_are_read() {
        let text = r#"
            #[error("the key is no key")]
            struct Wrong;
            fn f() { bail!("what is sent, {x} shall not"); g("a b told"); }
        "#;
        assert_eq!(found(text), ["is no", "what is", "shall", "told"]);
    }

    #[test]
    fn the_texts_of_a_file_with_a_module_comment_are_read() {
        let text = "//! One.\n//!\n//! Two.\n\nfn f() { g(\"what is sent\"); h(\"\"); }\n";
        assert_eq!(found(text), ["what is"]);
    }

    #[test]
    fn tests_sql_and_single_words_are_not_read() {
        let text = r#"
            fn f() { g("answer"); h("SELECT what is no answer"); i("the `answer` member"); }
            #[cfg(test)]
            mod tests { fn f() { g("what is no answer"); } }
            #[test]
            fn t() { g("what is no answer"); }
        "#;
        assert_eq!(found(text), [] as [&str; 0]);
    }

    #[test]
    fn the_names_of_items_are_read_and_those_of_tests_are_not() {
        let text = r#"
            mod told { pub const fn whisper_it() {} struct ToldField { told: u8 } }
            const PATIENCE: u8 = told::tell();
            #[cfg(test)]
            mod tests { fn tell() {} }
            #[test]
            fn what_is_told() {}
        "#;
        assert_eq!(found(text), ["told", "whisper_it", "ToldField", "PATIENCE"]);
    }

    #[test]
    fn comments_are_read_over_their_line_breaks() {
        let text =
            "/// It shall\n/// begin in\n    /// the clear.\nfn f() { g(\"// shall\") } // shall\n";
        assert_eq!(found(text), ["shall", "in\n    /// the clear", "shall"]);
    }

    #[test]
    fn the_help_of_a_command_begins_with_a_verb() {
        let text = "# x\n\n```text\nAll\n```\n\n## `x keys`\n\n```text\nKeys of x\n```\n";
        let findings = of_commands(text);
        let places: Vec<_> = findings
            .iter()
            .map(|f| &text[f.span.start..f.span.end])
            .collect();
        assert_eq!(places, ["Keys"]);
        assert!(of_commands(&text.replace("Keys of", "List keys of")).is_empty());
    }

    #[test]
    fn the_help_of_a_program_is_read_over_its_line_breaks() {
        let text = "```text\nList what\n      is there\n```\n";
        let findings = of_commands(text);
        let places: Vec<_> = findings
            .iter()
            .map(|f| &text[f.span.start..f.span.end])
            .collect();
        assert_eq!(places, ["what\n      is"]);
    }
}
