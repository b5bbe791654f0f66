//! Tests of the pages about the architecture: their files exist, and their numbers are
//! right.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ALL, read};

/// The pages, each with the folder that its paths begin in, and the crates whose floors it shows,
/// the highest first.
const PAGES: [(&str, &str, &[&str]); 2] = [
    (
        "openapi/forge/ARCHITECTURE.md",
        "openapi/forge",
        &["openapi/forge/src/lib.rs"],
    ),
    (
        "server/ARCHITECTURE.md",
        "server",
        &[
            "server/src/lib.rs",
            "server/areas/src/lib.rs",
            "server/base/src/lib.rs",
        ],
    ),
];

/// The pages with their texts.
fn pages() -> impl Iterator<Item = (&'static str, String)> {
    PAGES.iter().map(|(page, ..)| {
        let text = read(page);
        (
            *page,
            text.unwrap_or_else(|| panic!("{page} cannot be read")),
        )
    })
}

/// The text in backticks, outside of fenced blocks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|text| text.split('`').skip(1).step_by(2))
}

/// Whether a piece of code is a file or a folder of the repository.
fn is_path(code: &str) -> bool {
    let is_file = [".rs", ".md", ".yaml", ".toml"]
        .iter()
        .any(|end| code.ends_with(end));
    let is_folder = code.ends_with('/');
    let is_plain = !code.contains([' ', '{', '<', '*', '$']) && !code.starts_with(['/', '-', '.']);
    (is_file || is_folder) && is_plain
}

#[test]
fn the_files_of_the_pages_exist() {
    for (page, folder, _) in PAGES {
        let text = read(page).unwrap_or_else(|| panic!("{page} cannot be read"));
        let named: BTreeSet<_> = code(&text).filter(|code| is_path(code)).collect();
        assert!(named.len() > 20, "{page} names {} files", named.len());
        for path in named {
            let here = crate::root().join(folder).join(path);
            let exists = here.exists() || crate::root().join(path).exists();
            assert!(exists, "{page} names {path}, which does not exist");
        }
    }
}

#[test]
fn the_readmes_link_to_the_pages() {
    for (page, folder, _) in PAGES {
        let readme = read(&format!("{folder}/README.md")).expect("a README");
        assert!(
            readme.contains("(ARCHITECTURE.md)"),
            "{folder}/README.md has no link to {page}"
        );
    }
}

/// The first cell of each row of the table that follows.
fn rows(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    let table = lines.take_while(|line| line.starts_with('|')).skip(2);
    table
        .filter_map(|line| line.split('|').nth(1).map(str::trim))
        .collect()
}

/// Each way of the pages: its heading, the number of files that this states, and its files.
fn ways(text: &str) -> Vec<(&str, usize, Vec<&str>)> {
    let sections = text.split("\n## ").skip(1);
    let ways = sections.filter_map(|section| {
        let heading = section.lines().next()?;
        let (_, count) = heading.strip_suffix(" files")?.rsplit_once(": ")?;
        let files = rows(section).into_iter().map(|cell| cell.trim_matches('`'));
        Some((heading, count.parse().ok()?, files.collect()))
    });
    ways.collect()
}

#[test]
fn each_way_has_as_many_files_as_its_heading_says() {
    let mut number = 0;
    for (page, text) in pages() {
        for (heading, count, files) in ways(&text) {
            number += 1;
            let each: BTreeSet<_> = files.iter().collect();
            assert_eq!(
                each.len(),
                files.len(),
                "{page}: {heading} names a file twice"
            );
            assert_eq!(files.len(), count, "{page}: {heading}");
            assert!(
                files
                    .iter()
                    .all(|file| file.ends_with(".rs") || file.ends_with(".yaml"))
            );
        }
    }
    assert_eq!(number, 3, "the ways of a call, a stream and a key");
}

/// The modules of each floor of a page, from the top.
fn floors(text: &str) -> Vec<Vec<&str>> {
    let section = text
        .split("\n## ")
        .find(|section| section.starts_with("Floors\n"));
    let cells = rows(section.unwrap_or_default()).into_iter();
    cells.map(|cell| code(cell).collect()).collect()
}

#[test]
fn each_module_uses_only_the_floors_below_it() {
    for (page, _, roots) in PAGES {
        let text = read(page).unwrap_or_else(|| panic!("{page} cannot be read"));
        let floors = floors(&text);
        let mut floor_of = BTreeMap::new();
        for (floor, modules) in floors.iter().enumerate() {
            for module in modules {
                assert_eq!(
                    floor_of.insert(*module, floor),
                    None,
                    "{page}: {module} occurs twice"
                );
            }
        }
        let mut modules = BTreeSet::new();
        let mut floors_above = None;
        for root in roots {
            let (_, sources) = ALL.iter().find(|(file, _)| file == root).expect("a crate");
            let names = sources.names_at_the_top();
            let floors_here = names.iter().map(|module| {
                let floor = floor_of.get(module);
                *floor.unwrap_or_else(|| panic!("{page} has no floor for {module}"))
            });
            let floors_here: Vec<usize> = floors_here.collect();
            assert!(
                floors_here.iter().min() > floors_above.as_ref(),
                "{page}: {root} is not below the crates that use it"
            );
            floors_above = floors_here.into_iter().max();
            for edge in sources.modules_at_the_top() {
                let (from, to) = (floor_of[&*edge.from], floor_of[&*edge.to]);
                let how = format!("{} uses {} by {}", edge.from, edge.to, edge.path);
                assert!(from < to, "{page}: {how}, which is not on a floor below");
            }
            modules.extend(names);
        }
        assert_eq!(
            floor_of.len(),
            modules.len(),
            "{page} has other modules than {modules:?}"
        );
    }
}

#[test]
fn floors_and_ways_are_read_from_tables() {
    let text = "# A\n\n## Floors\n\n| floor | what |\n|---|---|\n| `a`, `b` | x |\n| `c` | y |\n\n\
                ## The way of `x`: 2 files\n\nWords.\n\n| file | what |\n|---|---|\n| `a.rs` | x |\n\
                | `b.rs` | y |\n";
    assert_eq!(floors(text), [["a", "b"].as_slice(), ["c"].as_slice()]);
    let expected = ("The way of `x`: 2 files", 2, vec!["a.rs", "b.rs"]);
    assert_eq!(ways(text), [expected]);
    assert!(is_path("src/a.rs") && is_path("src/a/"));
    assert!(!is_path("POST /a/") && !is_path("/api/user") && !is_path("a::b"));
}
