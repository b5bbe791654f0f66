//! Sets the revision of a changed document, and adds its entry in the changelog.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use dropforge::check::{changelog, release};
use dropforge::document::Document;
use semver::Version;

use super::comparison::Comparison;
use crate::{files, repository};

/// The revision of a document that has none.
const FIRST: Version = Version::new(1, 0, 0);

/// Raises the revision of a document and adds its entry, unless this has been done
/// already.
pub(super) fn write(comparison: &Comparison) -> anyhow::Result<()> {
    let Comparison { old, new, changes } = comparison;
    let name = &new.source.name;
    let area = repository::area(Path::new(name));
    if old.to_written_json() == new.to_written_json() {
        println!("{name}: no change");
        return Ok(());
    }
    let revision = match next(comparison)? {
        Next::Keep(revision) => revision,
        Next::Write(revision) => {
            let text = with_revision(new, &revision)?;
            files::write(&repository::root().join(name), text)?;
            println!("{name}: revision {revision}");
            revision
        }
    };
    let path = repository::changelog();
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let changelog = repository::relative(&path).display();
    if changelog::has(&text, &area, &revision) {
        println!("{changelog} has an entry for {area} {revision}: add what it lacks");
        return Ok(());
    }
    let date = chrono::Utc::now().format("%Y-%m-%d").to_string();
    let entry = changelog::entry(&area, &revision, &date, changes);
    files::write(&path, changelog::insert(&text, &entry))?;
    println!("{changelog}: added {area} {revision}; rewrite it for those who read it");
    Ok(())
}

enum Next {
    /// The revision of the document is high enough.
    Keep(Version),
    Write(Version),
}

fn next(Comparison { old, new, changes }: &Comparison) -> anyhow::Result<Next> {
    let current = release::revision(new);
    let needed = release::needed(old, new, changes);
    Ok(match (current, needed) {
        (Some(current), None) => Next::Keep(current),
        (Some(current), Some(needed)) if current >= needed => Next::Keep(current),
        (Some(current), Some(needed)) if release::revision(old).as_ref() != Some(&current) => {
            bail!(
                "{}: revision {current} is too small for the changes; write `x-revision: {needed}`",
                new.source.name
            )
        }
        (_, needed) => Next::Write(needed.unwrap_or(FIRST)),
    })
}

/// The text of a document with this revision.
fn with_revision(document: &Document, revision: &Version) -> anyhow::Result<String> {
    let mut text = document.source.text.clone();
    if let Some(present) = document.at(release::POINTER) {
        text.replace_range(present.span.start..present.span.end, &revision.to_string());
        return Ok(text);
    }
    let version = document.key_span("/info/version");
    let version = version.context("the document has no `info.version`")?;
    // On a separate line with the indentation of `version`.
    let line = text[..version.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = text[line..version.start].to_owned();
    ensure!(
        indent.trim().is_empty(),
        "write `x-revision: {revision}` into `info`"
    );
    let rest = text[version.start..].find('\n');
    let end = rest.map_or(text.len(), |at| version.start + at);
    text.insert_str(end, &format!("\n{indent}x-revision: {revision}"));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "openapi: 3.0.3\ninfo:\n  version: \"1\"\n  x-revision: 2.0.0\n  title: x\n";

    fn load(text: &str) -> Document {
        Document::load("a.yaml", text).expect("a document")
    }

    fn comparison(new: &str) -> Comparison {
        super::super::compare(load(OLD), load(new)).expect("a comparison")
    }

    #[test]
    fn a_revision_is_set_where_it_is_or_below_the_version() {
        let revised = |text: &str| with_revision(&load(text), &Version::new(2, 1, 0));
        let expected = OLD.replace("2.0.0", "2.1.0");
        let without = OLD.replace("  x-revision: 2.0.0\n", "");
        assert_eq!(revised(OLD).expect("a text"), expected);
        assert_eq!(revised(&without).expect("a text"), expected);
    }

    #[test]
    fn a_revision_that_nobody_raised_is_written_and_one_that_is_too_small_is_refused() {
        let changed = OLD.replace("title: x", "title: y");
        let next = |text: &str| next(&comparison(text));
        assert!(matches!(next(&changed), Ok(Next::Write(v)) if v == Version::new(2, 0, 1)));
        let raised = changed.replace("2.0.0", "2.1.0");
        assert!(matches!(next(&raised), Ok(Next::Keep(v)) if v == Version::new(2, 1, 0)));
        let lower = changed.replace("2.0.0", "1.9.0");
        let error = next(&lower).map(|_| ()).expect_err("too small").to_string();
        assert!(error.contains("write `x-revision: 2.0.1`"), "{error}");
    }
}
