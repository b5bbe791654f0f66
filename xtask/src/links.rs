//! The links of the pages: each leads to a file of the repository, and to a heading of it.
//!
//! Addresses of other hosts are not checked, since the checks need no network.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dropforge::check::lint::Rule;
use dropforge::document::{Diagnostic, Diagnostics, Source, Span};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The rule, for lists of rules.
pub(crate) const RULE: Rule = Rule {
    id: "link-broken",
    asks: "a link of a page leads to a file of the repository, and to a heading of it",
};

/// The findings in the links of a page. `path` is that of the page.
pub(crate) fn findings(source: &Source, path: &Path) -> Diagnostics {
    let mut findings = Diagnostics::default();
    let folder = path.parent().unwrap_or(path);
    for (target, span) in links(&source.text) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
        let file = match file {
            "" => path.to_owned(),
            file => folder.join(file),
        };
        let problem = if !file.exists() {
            format!("`{target}` leads to no file")
        } else if !heading.is_empty() && !has(&file, heading) {
            format!("`{target}` leads to no heading of {}", file.display())
        } else {
            continue;
        };
        let help = "correct the link: paths begin at the folder of the page";
        findings.push(Diagnostic::error(RULE.id, span, problem).help(help));
    }
    findings
}

/// The targets of all links and images of a page, with their places.
fn links(text: &str) -> Vec<(String, Span)> {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let links = events.filter_map(|(event, place)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some((dest_url.into_string(), Span::new(place.start, place.end)))
        }
        _ => None,
    });
    links.collect()
}

/// Whether a page has a heading. Only pages have headings that can be checked.
fn has(file: &Path, heading: &str) -> bool {
    let is_page = file.extension().is_some_and(|end| end == "md");
    let text = fs::read_to_string(file).unwrap_or_default();
    !is_page || headings(&text).contains(heading)
}

/// The anchors of the headings of a page, as GitHub and GitLab make them: lower case, hyphens for
/// spaces, no punctuation.
fn headings(text: &str) -> BTreeSet<String> {
    let mut headings = BTreeSet::new();
    let mut open: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { .. }), _) => open = Some(String::new()),
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            (Event::End(TagEnd::Heading(_)), _) => headings.extend(open.take().map(anchor)),
            _ => {}
        }
    }
    headings
}

fn anchor(heading: String) -> String {
    let lower = heading.to_lowercase();
    let letters = lower.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || "-_".contains(letter) => Some(letter),
        _ => None,
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page.md");
        fs::write(folder.path().join("other.md"), "# A `b`, and c\n").expect("a file");
        let text = "# Here\n\n[a](other.md#a-b-and-c) [b](#here) [c](https://example.com/#x) \
                    ![d](none.png)\n\n| [e](other.md#d) |\n|---|\n\n`[f](none)`\n\n[g]\n\n[g]: #there\n";
        fs::write(&page, text).expect("a file");
        let source = Source::new("page.md", text.to_owned());
        let found = findings(&source, &page);
        let targets = found.iter().map(|one| one.message.split('`').nth(1));
        let targets: Vec<_> = targets.flatten().collect();
        assert_eq!(targets, ["none.png", "other.md#d", "#there"]);
    }
}
