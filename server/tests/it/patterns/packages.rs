//! Accelerators as packages, added and removed by commands.

use std::io::{Cursor, Write as _};

use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::package::{FORMAT, Package};
use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{body_of, create, problem, send, triage, with};
use crate::harness::{both_databases, commands};

const ID: &str = "5b7d1c52-0a0e-4b6e-8f67-1f0a2c9d4e03";

/// The two files that the description of the format shows.
fn described() -> Vec<(String, String)> {
    let blocks: Vec<&str> = FORMAT.split("```toml\n").skip(1).collect();
    let text = |block: &str| block.split("```").next().unwrap().to_owned();
    vec![
        ("accelerator.toml".into(), text(blocks[0])),
        ("integrations/REVIEW_CORE.toml".into(), text(blocks[1])),
    ]
}

fn zip(files: &[(String, String)]) -> Vec<u8> {
    packed(
        files,
        SimpleFileOptions::default().compression_method(CompressionMethod::Deflated),
    )
}

fn packed(files: &[(String, String)], options: SimpleFileOptions) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        match path.strip_suffix('/') {
            Some(directory) => writer.add_directory(directory, options).unwrap(),
            None => {
                writer.start_file(path, options).unwrap();
                writer.write_all(text.as_bytes()).unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

/// The described package with other files beside.
fn beside(others: &[(&str, &str)]) -> Vec<(String, String)> {
    let others = others
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    described().into_iter().chain(others).collect()
}

fn refusal(archive: &[u8]) -> String {
    Package::read(archive).unwrap_err().to_string()
}

#[test]
fn the_described_package_is_one_however_it_is_packed() {
    let package = Package::read(&zip(&described())).unwrap();
    assert_eq!(
        (package.id.to_string().as_str(), package.name.as_str()),
        (ID, "Reviewer")
    );
    assert_eq!(package.integrations[0].code, "REVIEW_CORE");
    assert_eq!(package.roles[0].connections[0].code, "HOUSE_MODEL");
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut turned: Vec<_> = described().into_iter().rev().collect();
    turned.push(("integrations/".into(), String::new()));
    assert_eq!(Package::read(&packed(&turned, stored)).unwrap(), package);
}

#[test]
fn paths_that_leave_the_archive_are_refused() {
    for path in [
        "../accelerator.toml",
        "integrations/../../x.toml",
        "/etc/passwd",
        "integrations\\X.toml",
        "C:x.toml",
        "integrations//X.toml",
        "./accelerator.toml",
    ] {
        let text = refusal(&zip(&beside(&[(path, "code = 1")])));
        assert!(
            text.ends_with("is not a path within a package"),
            "{path}: {text}"
        );
    }
    for path in [
        "README.md",
        "integrations/A B.toml",
        "integrations/X.json",
        "x/integrations/X.toml",
    ] {
        let text = refusal(&zip(&beside(&[(path, "")])));
        assert!(
            text.ends_with("is not a part of a package"),
            "{path}: {text}"
        );
    }
}

#[test]
fn bombs_links_and_what_is_no_archive_are_refused() {
    let spaces = " ".repeat(900_000);
    let text = refusal(&zip(&beside(&[("integrations/X.toml", &spaces)])));
    assert!(
        text.ends_with("more than 100 times its packed size"),
        "{text}"
    );
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let large = " ".repeat((1 << 20) + 1);
    let text = refusal(&packed(&beside(&[("integrations/X.toml", &large)]), stored));
    assert!(
        text.ends_with("unpacks to more than 1048576 bytes"),
        "{text}"
    );
    // The header lies about the size: what is unpacked counts.
    let mut archive = zip(&beside(&[("integrations/X.toml", &" ".repeat(4 << 20))]));
    let size = (4_u32 << 20).to_le_bytes();
    while let Some(place) = archive.windows(4).position(|bytes| bytes == size) {
        archive[place..place + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    refusal(&archive);
    let many: Vec<_> = (0..100)
        .map(|number| (format!("integrations/N{number}.toml"), String::new()))
        .collect();
    let text = refusal(&zip(&[described(), many].concat()));
    assert!(text.starts_with("it has 102 entries"), "{text}");
    let text = refusal(&vec![b' '; (4 << 20) + 1]);
    assert_eq!(text, "it is larger than 4194304 bytes");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer
        .add_symlink("accelerator.toml", "/etc/passwd", options)
        .unwrap();
    let text = refusal(&writer.finish().unwrap().into_inner());
    assert!(text.ends_with("is a link"), "{text}");
    for archive in [&b""[..], b"PK", b"no archive", &zip(&described())[..200]] {
        let text = refusal(archive);
        assert!(text.starts_with("it is not a valid zip archive"), "{text}");
    }
    assert_eq!(refusal(&zip(&[])), "it has no accelerator.toml");
}

#[test]
fn a_package_with_an_entry_twice_is_refused() {
    for (twice, other) in [
        ("accelerator.toml", "accelerator.tomX"),
        (
            "integrations/REVIEW_CORE.toml",
            "integrations/REVIEW_CORE.tomX",
        ),
    ] {
        // The writer refuses to write a name twice.
        let mut archive = zip(&beside(&[(other, "format = 1")]));
        while let Some(place) = archive
            .windows(other.len())
            .position(|bytes| bytes == other.as_bytes())
        {
            archive[place..place + other.len()].copy_from_slice(twice.as_bytes());
        }
        assert_eq!(refusal(&archive), "two of its entries have the same name");
    }
}

#[test]
fn what_a_file_says_is_checked_and_the_file_is_named() {
    for (from, to, expected) in [
        (
            "format = 1",
            "format = 2",
            "a format that this version does not support",
        ),
        (
            "format = 1",
            "format = 2\nmodel = \"acme\"",
            "a format that this version does not support",
        ),
        (
            "01.00.0000\"\n# Defaults",
            "1.x\"\n# Defaults",
            "a version that is not dotted numbers",
        ),
        (
            "max_iteration = 6",
            "max_iteration = 0",
            "a max_iteration below 1",
        ),
        (
            "max_iteration = 6",
            "max_iterations = 6",
            "unknown field `max_iterations`",
        ),
        ("name = \"Reviewer\"", "name = \"\"", "has no name"),
        ("name = \"Reviewer\"", "name = \"  \"", "has no name"),
        ("Reviewer", "Review\\u0000", "with control characters"),
        (
            "Reviewer",
            "x".repeat(256).as_str(),
            "more than 255 characters",
        ),
        ("a draft", "a draft\\u0000", "a text with a NUL"),
        ("5b7d1c52", "5b7d1c5", "cannot be read"),
        (
            "role = \"LLM\"",
            "role = \"\"",
            "a role or a connection without a name",
        ),
        (
            "code = \"REVIEW_CORE\"",
            "code = \"OTHER\"",
            "a code that differs from its file name",
        ),
        (
            "type = \"APPLICATION\"",
            "type = \"\"",
            "an empty type, version or status",
        ),
    ] {
        let files: Vec<_> = described()
            .into_iter()
            .map(|(path, text)| (path, text.replace(from, to)))
            .collect();
        assert_ne!(files, described(), "{from}");
        let text = refusal(&zip(&files));
        assert!(text.contains(expected), "{from}: {text}");
        assert!(text.contains(".toml\""), "{text}");
    }
}

both_databases! {
    async fn a_package_is_added_used_replaced_and_removed(server: Server) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("reviewer.zip");
        let path = file.display().to_string();
        std::fs::write(&file, zip(&described())).unwrap();
        let format = commands::succeed(&server, &["accelerators", "format"]).await;
        assert_eq!(format, FORMAT);

        let text = commands::succeed(&server, &["accelerators", "add", &path]).await;
        assert_eq!(text, format!("Added Reviewer 01.00.0000 as {ID}.\n"));
        let text = commands::succeed(&server, &["accelerators", "add", &path]).await;
        assert_eq!(text, "Reviewer 01.00.0000 exists already, with the same content.\n");
        let made = body_of(create(&server, &with(triage(), json!({"id": ID}))).await, 200).await;
        assert_eq!(made["recipeSource"], "Store");
        assert_eq!(made["maxIteration"], 6);
        assert_eq!(made["patternRoles"], json!([
            {"role": "LLM", "connectionList": [{"code": "HOUSE_MODEL", "name": "House model"}]},
        ]));
        assert_eq!(made["dependencies"]["integrations"], json!([{
            "code": "REVIEW_CORE", "name": "Review core", "type": "APPLICATION",
            "version": "01.00.0000", "status": "ACTIVATED",
        }]));

        let newer: Vec<_> = described()
            .into_iter()
            .map(|(path, text)| (path, text.replace("01.00.0000\"\n# Defaults", "02\"\n# Defaults")))
            .collect();
        std::fs::write(&file, zip(&newer)).unwrap();
        let text = commands::fail(&server, &["accelerators", "add", &path]).await;
        assert!(text.contains("version 01.00.0000 of Reviewer exists already; --replace"), "{text}");
        commands::succeed(&server, &["accelerators", "add", "--replace", &path]).await;
        let shown = commands::json(&server, &["accelerators", "show", ID]).await;
        assert_eq!(shown["version"], "02");
        let listed = commands::json(&server, &["accelerators", "list"]).await;
        let names: Vec<_> = listed.as_array().unwrap().iter().map(|one| (one["name"].as_str().unwrap(), one["patterns"].as_i64().unwrap())).collect();
        assert_eq!(names, [("Plan and Execute", 0), ("ReAct", 0), ("Reviewer", 1)]);

        let text = commands::fail(&server, &["accelerators", "remove", ID]).await;
        assert!(text.contains("1 agent patterns were created from Reviewer"), "{text}");
        send(&server, reqwest::Method::DELETE, "/ORDER_TRIAGE%7C01.00.0000").await;
        let text = commands::succeed(&server, &["accelerators", "remove", ID]).await;
        assert_eq!(text, "Removed Reviewer.\n");
        problem(create(&server, &with(triage(), json!({"id": ID}))).await, 404, "ACCELERATOR-404").await;
        let trail = commands::json(&server, &["audit", "list"]).await;
        let actions: Vec<_> = trail.as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap()).filter(|action| action.starts_with("patterns.")).collect();
        assert_eq!(actions, [
            "patterns.accelerator.added", "patterns.pattern.created", "patterns.accelerator.added",
            "patterns.pattern.deleted", "patterns.accelerator.removed",
        ]);
    }

    async fn what_comes_with_the_service_stays_and_what_is_refused_leaves_nothing(server: Server) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("x.zip");
        let path = file.display().to_string();
        let react = REACT.to_string();
        let files: Vec<_> = described().into_iter().map(|(path, text)| (path, text.replace(ID, &react))).collect();
        std::fs::write(&file, zip(&files)).unwrap();
        for arguments in [&["accelerators", "add", "--replace", &path][..], &["accelerators", "remove", &react]] {
            let text = commands::fail(&server, arguments).await;
            assert!(text.contains("ReAct is built in"), "{text}");
        }
        std::fs::write(&file, zip(&beside(&[("../../evil", "x")]))).unwrap();
        let text = commands::fail(&server, &["accelerators", "add", &path]).await;
        assert!(text.contains("no package of an accelerator") && text.contains("../../evil"), "{text}");
        let listed = commands::json(&server, &["accelerators", "list"]).await;
        assert_eq!(listed.as_array().unwrap().len(), 2);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
