//! References to files above the folder of the document.

use std::path::PathBuf;

use dropforge::document::{Document, Refused};

/// A repository whose document is in one of several folders.
struct Repository(PathBuf);

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets: {$ref: ../paths/pets.yaml}
components:
  schemas:
    Pet: {type: object, properties: {name: {$ref: ../common/name.yaml}}}
";

const PATHS: &str = "\
get:
  operationId: listPets
  responses:
    '200':
      description: The pets.
      content: {application/json: {schema: {$ref: '../openapi/main.yaml#/components/schemas/Pet'}}}
";

impl Repository {
    fn new(name: &str) -> Repository {
        let root = std::env::temp_dir().join(format!("dropforge-{name}-{}", std::process::id()));
        let repository = Repository(root);
        repository.write("api/openapi/main.yaml", DOCUMENT);
        repository.write("api/paths/pets.yaml", PATHS);
        repository.write("api/common/name.yaml", "{type: string, maxLength: 9}");
        repository
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Loads the document with the files below a folder.
    fn load(&self, root: &str) -> Result<Document, Refused> {
        Document::load_file_within(self.0.join("api/openapi/main.yaml"), self.0.join(root))
    }

    fn refused(&self, root: &str) -> String {
        self.load(root).expect_err(root).to_string()
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn references_reach_the_files_below_the_root() {
    let repository = Repository::new("root");
    let document = repository.load("api");
    let document = document.unwrap_or_else(|refused| panic!("{refused}"));
    let found = document.to_json();
    let schemas = &found["components"]["schemas"];
    assert_eq!(schemas["name"]["maxLength"], 9, "{found}");
    let content = &found["paths"]["/pets"]["get"]["responses"]["200"]["content"];
    let schema = &content["application/json"]["schema"]["$ref"];
    assert_eq!(schema, "#/components/schemas/Pet");
    let files = document.source.files();
    let mut files: Vec<PathBuf> = files.map(|file| file.name.into()).collect();
    files.sort();
    let expected = ["common/name.yaml", "openapi/main.yaml", "paths/pets.yaml"];
    let expected = expected.map(|file| repository.0.join("api").join(file));
    assert_eq!(files, expected);
    let above = repository.load(".").map(|document| document.to_json());
    assert_eq!(above.unwrap_or_else(|refused| panic!("{refused}")), found);
}

#[test]
fn references_out_of_the_root_are_refused_with_the_option() {
    let repository = Repository::new("out");
    let path = repository.0.join("api/openapi/main.yaml");
    let default = Document::load_file(path).expect_err("refused").to_string();
    for told in [repository.refused("api/openapi"), default] {
        let code = "error[reference-to-another-file]: `../paths/pets.yaml` leads out of the folder";
        assert!(told.contains(code), "{told}");
        assert!(told.contains("`cargo xtask bundle --root DIR`"), "{told}");
        assert!(told.contains("`Build::reference_root`"), "{told}");
        assert!(told.contains("main.yaml:4:17"), "{told}");
    }
    let out = DOCUMENT.replace("../common/", "../../");
    repository.write("api/openapi/main.yaml", &out);
    repository.write("name.yaml", "type: string");
    assert!(repository.load(".").is_ok());
    let told = repository.refused("api");
    assert!(told.contains("`../../name.yaml` leads out"), "{told}");
}

#[test]
fn the_root_has_the_document_below_it() {
    let repository = Repository::new("below");
    for (root, expected) in [
        ("api/paths", "the document is outside of the folder "),
        ("missing", "cannot read the folder "),
    ] {
        let told = repository.refused(root);
        assert!(told.contains("error[reference-root]"), "{told}");
        assert!(told.contains(expected), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_out_of_the_root() {
    use std::os::unix::fs::symlink;

    let repository = Repository::new("links");
    repository.write("secret/name.yaml", "type: string");
    let common = repository.0.join("api/common");
    std::fs::remove_dir_all(&common).expect("removed");
    symlink("../secret", &common).expect("a link");
    let told = repository.refused("api");
    let message = "cannot read `common/name.yaml`: ";
    assert!(told.contains(message), "{told}");
    assert!(
        told.contains("a symbolic link leads out of the folder"),
        "{told}"
    );
    assert!(repository.load(".").is_ok());
    // A link to the folder of the document leads to the same files.
    symlink("api/openapi", repository.0.join("link")).expect("a link");
    let (document, root) = (repository.0.join("link/main.yaml"), repository.0.clone());
    assert!(Document::load_file_within(document, root).is_ok());
}
