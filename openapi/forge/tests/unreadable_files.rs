//! Files of a folder that cannot be read.

use dropforge::document::Document;

/// A folder for the files of a test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Folder {
        let folder = std::env::temp_dir().join(format!("dropforge-{name}-{}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Folder(folder)
    }

    /// The finding about the document `main.yaml`, with its place in the file.
    fn refused(&self) -> (dropforge::document::Diagnostic, String) {
        let refused = Document::load_file(self.0.join("main.yaml")).expect_err("refused");
        let finding = refused
            .diagnostics
            .iter()
            .next()
            .expect("a finding")
            .clone();
        let (line, column) = refused.source.line_column(finding.span.start);
        (finding, format!("{line}:{column}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_misspelled_file_has_a_proposal_among_the_files_beside_it() {
    for (written, meant) in [
        ("comon.yaml#/A", "common.yaml#/A"),
        ("schemas/pett.yaml", "schemas/pet.yaml"),
        ("./schemas/pet.json", "./schemas/pet.yaml"),
        ("schemas/mian.yaml", "schemas/main.yaml"),
        ("common#/A", "common.yaml#/A"),
    ] {
        let main = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {{}}\n\
             components: {{schemas: {{A: {{$ref: '{written}'}}}}}}\n"
        );
        let schema = b"type: string".as_slice();
        let folder = Folder::new(
            "similar",
            &[
                ("main.yaml", main.as_bytes()),
                ("common.yaml", b"A: {type: string}"),
                ("schemas/pet.yaml", schema),
                ("schemas/main.yaml", schema),
            ],
        );
        let (finding, place) = folder.refused();
        assert_eq!((finding.code, place.as_str()), ("unreadable-file", "4:34"));
        assert_eq!(finding.replacement.as_deref(), Some(meant));
        let file = meant.split('#').next().unwrap_or_default();
        assert_eq!(finding.help, Some(format!("did you mean `{file}`?")));
    }
}

#[test]
fn an_empty_file_has_a_place_and_the_name_that_its_reader_gives_it() {
    let folder = Folder::new("empty", &[("main.yaml", b"")]);
    let refused = Document::load_file_as("api/main.yaml", folder.0.join("main.yaml"));
    let text = refused.expect_err("refused").to_string();
    assert!(text.contains("--> api/main.yaml:1:1"), "{text}");
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_at_the_first_wrong_byte() {
    let text = b"openapi: 3.0.3\ninfo: {title: \xc3\xa9\xff, version: '1'}\n".as_slice();
    let (finding, place) = Folder::new("bytes", &[("main.yaml", text)]).refused();
    assert_eq!((finding.code, place.as_str()), ("unreadable-file", "2:16"));
    assert_eq!(finding.help.as_deref(), Some("save the file as UTF-8"));
    let main = b"components: {schemas: {A: {$ref: 'other.yaml#/A'}}}".as_slice();
    let (finding, place) =
        Folder::new("other", &[("main.yaml", main), ("other.yaml", text)]).refused();
    assert_eq!((finding.code, place.as_str()), ("unreadable-file", "1:34"));
    assert!(
        finding
            .message
            .contains("line 2, column 16; save it as UTF-8"),
        "{}",
        finding.message
    );
}
