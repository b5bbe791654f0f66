//! A small project around a document, which `new` writes and `corpus --compile` compiles.

pub(crate) mod client;
pub(crate) mod service;

use std::path::PathBuf;

use dropforge::ir::Api;

/// The sides to generate from a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) server: bool,
    pub(crate) client: bool,
}

/// The source of the crates of this repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A working copy of this repository.
    Path(PathBuf),
    /// A version in the registry.
    Version(String),
}

impl Origin {
    /// The value of a dependency in `Cargo.toml`.
    pub(crate) fn dependency(&self, name: &str, features: &[&str]) -> String {
        let folder = match name {
            "dropforge" => "openapi/forge",
            "dropforge-client" => "openapi/forge/client",
            _ => "openapi/forge/runtime",
        };
        let origin = match self {
            Origin::Path(root) => format!("path = {:?}", root.join(folder).display().to_string()),
            Origin::Version(version) => format!("version = {version:?}"),
        };
        match features {
            [] => format!("{name} = {{ {origin} }}\n"),
            features => format!("{name} = {{ {origin}, features = {features:?} }}\n"),
        }
    }
}

/// A project to be written.
pub(crate) struct Project<'a> {
    /// The crate's name, which is also that of the area.
    pub(crate) name: &'a str,
    /// The path of the document. If it is in a folder, its references lead to all files of the project.
    pub(crate) document: &'a str,
    pub(crate) sides: Sides,
    pub(crate) origin: &'a Origin,
    /// The document as a server, if there is one.
    pub(crate) api: Option<&'a Api>,
    /// The code of the client, if there is one.
    pub(crate) client: Option<&'a str>,
}

impl Project<'_> {
    /// The files of the project except the documents: path and content.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        let mut files = vec![
            ("Cargo.toml", self.manifest()),
            (
                "build.rs",
                self.fill(include_str!("../../templates/build.rs")),
            ),
            (
                "src/lib.rs",
                self.fill(include_str!("../../templates/lib.rs")),
            ),
            (
                "README.md",
                self.fill(include_str!("../../templates/README.md")),
            ),
            (".gitignore", "/target\n".to_owned()),
        ];
        if let Some(api) = self.api {
            let (main, test) = match self.has_credential() {
                false => ("Context::default()", "Context::default()"),
                true => (
                    "Context {\n        credential: std::env::var(\"CREDENTIAL\").ok(),\n    }",
                    "Context {\n            credential: Some(CREDENTIAL.to_owned()),\n        }",
                ),
            };
            let fill = |template, context| self.fill(template).replace("@CONTEXT@", context);
            files.push(("src/service.rs", service::service(api, "crate::server")));
            files.push((
                "src/main.rs",
                fill(include_str!("../../templates/main.rs"), main),
            ));
            files.push((
                "tests/contract.rs",
                fill(include_str!("../../templates/contract.rs"), test),
            ));
        }
        if let Some(client) = self.client {
            let call = match client::simplest_call(client) {
                Some(method) => format!(
                    "    match client.{method}().call().await {{\n        Ok(_) => println!(\"{method} succeeded\"),\n        Err(error) => println!(\"{method} failed: {{error}}\"),\n    }}"
                ),
                None => "    // No operation reads without parameters: see the methods of `Client`.\n    println!(\"{client:?}\");".to_owned(),
            };
            let example = self.fill(include_str!("../../templates/call.rs"));
            files.push(("examples/call.rs", example.replace("@CALL@", &call)));
        }
        files
    }

    /// Commands to begin with, each with what it does.
    pub(crate) fn commands(&self) -> Vec<(&'static str, &'static str)> {
        let Sides { server, client } = self.sides;
        let mut commands = vec![("cargo test", "build, and run the tests of the document")];
        if server {
            let start = match self.has_credential() {
                true => "CREDENTIAL=open-sesame cargo run -- 127.0.0.1:8080",
                false => "cargo run -- 127.0.0.1:8080",
            };
            commands.push((start, "start the server, whose operations return 501"));
        }
        if client {
            let call = "cargo run --example call -- http://127.0.0.1:8080";
            commands.push((call, "call a server with the client"));
        }
        commands
    }

    /// Whether the server begins with one credential.
    fn has_credential(&self) -> bool {
        self.api.is_some_and(service::has_credential)
    }

    fn manifest(&self) -> String {
        let Sides { server, client } = self.sides;
        let mut dependencies = String::new();
        if client {
            dependencies += &self.origin.dependency("dropforge-client", &[]);
        }
        if server {
            dependencies += &self.origin.dependency("dropforge-runtime", &[]);
        }
        let features: &[&str] = if client { &["client"] } else { &[] };
        let generator = self.origin.dependency("dropforge", features);
        format!(
            "\
[package]
name = \"{}\"
version = \"0.1.0\"
edition = \"2024\"

# The examples in descriptions of the document are not Rust.
[lib]
doctest = false

# A workspace of its own, in any folder.
[workspace]

[dependencies]
{dependencies}tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}

[build-dependencies]
{generator}",
            self.name
        )
    }

    /// Fills in the names of a template, and removes the parts of a missing side.
    fn fill(&self, template: &str) -> String {
        let Sides { server, client } = self.sides;
        let text = part(template, "server", server);
        let text = part(&text, "client", client);
        let text = part(&text, "root", self.document.contains('/'));
        let text = part(&text, "credential", self.has_credential());
        let sides = match (server, client) {
            (true, true) => "a server and a client",
            (true, false) => "a server",
            (false, _) => "a client",
        };
        let trait_name = self.api.map_or("", |api| &api.trait_name);
        text.replace("@NAME@", self.name)
            .replace("@DOCUMENT@", self.document)
            .replace("@SIDES@", sides)
            .replace("@TRAIT@", trait_name)
    }
}

/// Keeps or removes the parts of a template between `@NAME(` and `)NAME@`.
fn part(template: &str, name: &str, is_there: bool) -> String {
    let (begin, end) = (format!("@{name}("), format!("){name}@"));
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(&begin) {
        let (inside, behind) = after.split_once(&end).unwrap_or((after, ""));
        text += before;
        if is_there {
            text += inside;
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn parts_of_a_template_are_left_in_or_out() {
        let template = "a@server( b)server@@client( c)client@ d";
        let server = part(template, "server", true);
        assert_eq!(part(&server, "client", false), "a b d");
    }
}
