//! `diff`: classifies the changes to the documents by their effect on clients and
//! servers.

mod comparison;
mod grouping;
mod write;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use dropforge::check::compatibility::{Change, Class, Side};
use dropforge::check::published;
use dropforge::document::{Document, Place};
use serde_json::{Value, json};

use crate::{Outcome, repository};

use comparison::Comparison;
pub(super) use comparison::compare;
use grouping::{grouped, parts};

/// Classify the changes to the documents
///
/// Compares each document with its released form, or with its state at a git
/// revision. Every change breaks clients, breaks servers, adds something, or is
/// documentation only; the output says which, and why. In callbacks and webhooks, the
/// service sends the requests, so directions are opposite there.
///
/// With --write, the changes since the release raise info.x-revision of each document,
/// and get an entry of openapi/CHANGELOG.md. Rewrite the entry for those who read it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask diff                          against the released form (openapi/published)
  cargo xtask diff --against main           against the documents at a revision
  cargo xtask diff patterns --against old.json
                                            one document against a file
  cargo xtask diff --json                   everything, for programs
  cargo xtask diff --write                  set the revisions and add the changelog entries

Exit code: 0 when nothing breaks (with --write: when all is written), 1 when clients
or servers break, 2 when a document or what it is compared with is missing or invalid,
or the revision of a document is too small for its changes.")]
pub(crate) struct Arguments {
    /// Only these documents, by area (accounts) or file
    #[arg(value_name = "DOCUMENTS")]
    only: Vec<String>,
    /// Compare with a git revision or a file
    #[arg(long, value_name = "REV|FILE")]
    against: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Set info.x-revision of changed documents, and add their changelog entries
    #[arg(long, conflicts_with_all = ["against", "json"])]
    write: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let documents = chosen(&arguments.only)?;
    if arguments.against.as_deref().is_some_and(is_file) && documents.len() > 1 {
        bail!("one file is compared with one document: name it, as in `diff patterns --against …`");
    }
    let mut comparisons = Vec::new();
    for path in &documents {
        let new = repository::load_valid(path)?;
        let against = arguments.against.as_deref();
        let Some(old) = old(path, against)? else {
            eprintln!("{} is new: nothing to compare with", new.source.name);
            continue;
        };
        // A published form has no keys of the generator, so it is compared with another
        // published form.
        let is_published = against.is_none_or(|against| against.ends_with(".json"));
        comparisons.push(match is_published {
            true => compare(published::publish(&old), published::publish(&new))?,
            false => compare(old, new)?,
        });
    }
    if arguments.write {
        comparisons.iter().try_for_each(write::write)?;
        return Ok(Outcome::Success);
    }
    let removed = match (arguments.only.as_slice(), &arguments.against) {
        ([], None) => removed(&documents)?,
        _ => Vec::new(),
    };
    if arguments.json {
        let mut all: Vec<_> = comparisons.iter().map(to_json).collect();
        all.extend(removed.iter().map(|area| removal(area)));
        println!("{:#}", Value::from(all));
    } else {
        comparisons.iter().for_each(print);
    }
    for area in &removed {
        eprintln!(
            "openapi/{area}.yaml was removed, which breaks its clients; without clients, remove its released form"
        );
    }
    let mut changes = comparisons.iter().flat_map(|c| &c.changes);
    let is_breaking = changes.any(|change| change.class.is_breaking());
    Ok(match is_breaking || !removed.is_empty() {
        true => Outcome::Failure,
        false => Outcome::Success,
    })
}

/// The areas that have a released form, and none of the documents.
fn removed(documents: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut released = repository::released_forms()?;
    released.retain(|area| !documents.iter().any(|path| repository::area(path) == *area));
    Ok(released)
}

/// A change, with its place in the document as it is now.
pub(super) struct Effect {
    pub(super) change: Change,
    pub(super) file: String,
    pub(super) line: usize,
}

/// The changes of a document since its release. A removed part has the place of its parent. A
/// document that has never been released has no changes.
pub(super) fn since_release(document: &Path) -> anyhow::Result<Vec<Effect>> {
    let Some(old) = old(document, None)? else {
        return Ok(Vec::new());
    };
    effects(&old, &repository::load(document)?)
}

fn effects(old: &Document, new: &Document) -> anyhow::Result<Vec<Effect>> {
    let Comparison { new, changes, .. } =
        compare(published::publish(old), published::publish(new))?;
    let starts = changes.iter().map(|change| start(&new, change));
    let places = new.source.places(starts);
    let effects = changes.into_iter().zip(places);
    let effects = effects.map(|(change, place)| Effect {
        file: place.file.to_owned(),
        line: place.line,
        change,
    });
    Ok(effects.collect())
}

/// The chosen documents: all of them, or those that the arguments name.
fn chosen(only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let all = repository::documents()?;
    let mut chosen = Vec::new();
    for name in only {
        let path = all.iter().find(|path| repository::area(path) == *name);
        match path {
            Some(path) => chosen.push(path.clone()),
            None if is_file(name) => chosen.push(repository::real(Path::new(name))),
            None => {
                bail!(
                    "there is no document `{name}`; there are {}",
                    repository::areas()?.join(", ")
                );
            }
        }
    }
    Ok(if only.is_empty() { all } else { chosen })
}

fn is_file(name: &str) -> bool {
    Path::new(name).is_file()
}

/// The earlier state of a document. `None` if it did not exist then.
fn old(path: &Path, against: Option<&str>) -> anyhow::Result<Option<Document>> {
    match against {
        None => repository::released(&repository::area(path)),
        Some(file) if is_file(file) => repository::load(Path::new(file)).map(Some),
        Some(revision) => at_revision(path, revision),
    }
}

/// A document at a git revision.
fn at_revision(path: &Path, revision: &str) -> anyhow::Result<Option<Document>> {
    let git = |arguments: &[&str]| {
        Command::new("git")
            .args(arguments)
            .current_dir(repository::root())
            .output()
            .context("cannot run git")
    };
    let commit = format!("{revision}^{{commit}}");
    let known = git(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &commit,
    ])?;
    if !known.status.success() {
        bail!("`{revision}` is neither a file nor a revision");
    }
    let commit = String::from_utf8_lossy(&known.stdout).trim().to_owned();
    let name = repository::relative(path).display().to_string();
    let shown = |name: &str| -> Result<Option<String>, String> {
        let shown = git(&["show", &format!("{commit}:{name}")]).map_err(|e| e.to_string())?;
        if !shown.status.success() {
            return Ok(None);
        }
        let text = String::from_utf8(shown.stdout);
        text.map(Some)
            .map_err(|_| format!("{name} at {revision} is not UTF-8"))
    };
    let Some(text) = shown(&name).map_err(anyhow::Error::msg)? else {
        return Ok(None);
    };
    let neighbor = |file: &str| {
        let file = Path::new(&name).with_file_name(file).display().to_string();
        shown(&file)?.ok_or_else(|| format!("there is no {file} at {revision}"))
    };
    let name = format!("{revision}:{name}");
    repository::loaded(Document::load_with(&name, &text, neighbor)).map(Some)
}

/// The places of changes, in their order.
fn places<'c>(comparison: &'c Comparison, changes: &[&Change]) -> Vec<Place<'c>> {
    let of = |side: Side, document: &'c Document| {
        let own = changes.iter().filter(|change| change.side == side);
        let starts = own.map(|change| start(document, change));
        document.source.places(starts).into_iter()
    };
    let (mut old, mut new) = (
        of(Side::Old, &comparison.old),
        of(Side::New, &comparison.new),
    );
    let places = changes.iter().filter_map(|change| match change.side {
        Side::Old => old.next(),
        Side::New => new.next(),
    });
    places.collect()
}

/// The offset of a change in a document. A change that drift finds may be in a place that only one
/// state has.
fn start(document: &Document, change: &Change) -> usize {
    document.nearest_key_span(&change.pointer).start
}

/// Prints the changes for people.
pub(super) fn print(comparison: &Comparison) {
    let name = &comparison.new.source.name;
    if comparison.changes.is_empty() {
        println!("{name}: no change");
        return;
    }
    let count = |class: Class| {
        let of_class = comparison.changes.iter().filter(|c| c.class == class);
        match of_class.count() {
            0 => None,
            n => Some(format!("{n} {class}")),
        }
    };
    let classes = [
        Class::BreaksClients,
        Class::BreaksServers,
        Class::Additive,
        Class::Documentation,
    ];
    let counts: Vec<_> = classes.into_iter().filter_map(count).collect();
    println!("{name}: {}", counts.join(", "));
    let groups = grouped(&comparison.changes);
    let firsts: Vec<&Change> = groups.iter().map(|same| same[0]).collect();
    for ((same, first), place) in groups.iter().zip(&firsts).zip(places(comparison, &firsts)) {
        if same.len() == 1 {
            println!("\n  {}: {}", first.class, first.message);
        } else {
            let (_, what) = parts(&first.message);
            println!("\n  {}: in {} operations, {what}", first.class, same.len());
            for change in same {
                println!("    {}", parts(&change.message).0);
            }
        }
        println!("    because {}", first.reason);
        println!("    {place}  #{}", first.pointer);
    }
    println!();
}

fn to_json(comparison: &Comparison) -> Value {
    let all: Vec<&Change> = comparison.changes.iter().collect();
    let places = places(comparison, &all).into_iter();
    let changes = all.iter().zip(places).map(|(change, place)| {
        let Place { file, line, column } = place;
        json!({
            "class": change.class.to_string(),
            "message": change.message,
            "reason": change.reason,
            "pointer": change.pointer,
            "in": match change.side { Side::Old => "old", Side::New => "new" },
            "file": file,
            "line": line,
            "column": column,
        })
    });
    json!({
        "document": comparison.new.source.name,
        "against": comparison.old.source.name,
        "changes": changes.collect::<Vec<_>>(),
    })
}

/// A removed document, with a change in the form of all others.
fn removal(area: &str) -> Value {
    let released = format!("openapi/published/{area}.json");
    let change = json!({
        "class": Class::BreaksClients.to_string(),
        "message": "the document was removed",
        "reason": "clients call operations that no longer exist",
        "pointer": "",
        "in": "old",
        "file": released,
        "line": 1,
        "column": 1,
    });
    json!({
        "document": format!("openapi/{area}.yaml"),
        "against": released,
        "changes": [change],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "\
openapi: 3.0.3
info: {title: T, version: '1', x-revision: 1.0.0}
paths:
  /a:
    get:
      operationId: getA
      parameters:
        - {name: page, in: query, schema: {type: string}}
      responses: {'204': {description: Done}}
  /b:
    get:
      operationId: getB
      responses: {'204': {description: Done}}
";

    #[test]
    fn each_change_since_a_release_is_at_its_line_of_the_new_document() {
        let mut new = OLD.replace("in: query,", "in: query, required: true,");
        new.truncate(new.find("  /b:").expect("an operation"));
        let read = |text: &str| Document::read("openapi/a.yaml", text).expect("a document");
        let found = effects(&read(OLD), &read(&new)).expect("a comparison");
        let found: Vec<_> = found
            .iter()
            .map(|effect| (effect.change.class, effect.file.as_str(), effect.line))
            .collect();
        // A removed part is at its parent.
        assert!(
            found.contains(&(Class::BreaksClients, "openapi/a.yaml", 3)),
            "{found:?}"
        );
        assert!(
            found.contains(&(Class::BreaksClients, "openapi/a.yaml", 8)),
            "{found:?}"
        );
        assert!(effects(&read(OLD), &read(OLD)).is_ok_and(|none| none.is_empty()));
    }

    #[test]
    fn a_change_of_a_webhook_is_at_its_line() {
        let text = |required: bool| {
            format!(
                "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\nwebhooks:\n  paid:\n    post:\n      \
                 requestBody: {{required: {required}, content: {{text/plain: {{}}}}}}\n"
            )
        };
        let load = |text: &str| Document::load("a.yaml", text).expect("a document");
        let found = effects(&load(&text(true)), &load(&text(false))).expect("a comparison");
        let found: Vec<_> = found
            .iter()
            .map(|effect| (effect.change.class, effect.line))
            .collect();
        assert_eq!(found, [(Class::BreaksClients, 6)]);
    }
}
