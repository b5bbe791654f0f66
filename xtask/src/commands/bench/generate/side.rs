//! The compared generators, each of which runs once in a separate process.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow};
use dropforge::emit::client;
use dropforge::{Purpose, lower};
use serde_json::json;

use crate::commands::corpus::{compile, memory, others};
use crate::project::{Origin, service};
use crate::{files, repository};

/// A generator, and the kind of its output.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Side {
    Server,
    Client,
    /// Progenitor alone, on the client's lowered document.
    Progenitor,
    /// The client of openapi-to-rust.
    OpenapiToRust,
}

pub(super) const SIDES: [Side; 4] = [
    Side::Server,
    Side::Client,
    Side::Progenitor,
    Side::OpenapiToRust,
];

/// The dependencies that progenitor's documentation requires.
const PROGENITOR: &str = "\
bytes = \"1\"
chrono = { version = \"0.4\", default-features = false, features = [\"clock\", \"serde\", \"std\"] }
futures = \"0.3\"
progenitor-client = \"0.15.1\"
regress = \"0.12\"
reqwest = { version = \"0.13\", default-features = false, features = [\"form\", \"json\", \"multipart\", \"query\", \"rustls\", \"stream\"] }
serde = { version = \"1\", features = [\"derive\"] }
serde_json = { version = \"1\", features = [\"preserve_order\"] }
uuid = { version = \"1\", features = [\"serde\", \"v4\"] }
";

/// The dependencies of the code of openapi-to-rust.
const OPENAPI_TO_RUST: &str = "\
base64 = \"0.22\"
bytes = { version = \"1\", features = [\"serde\"] }
chrono = { version = \"0.4\", features = [\"serde\"] }
futures-util = \"0.3\"
reqwest = { version = \"0.12\", default-features = false, features = [\"json\", \"multipart\", \"stream\"] }
reqwest-middleware = { version = \"0.4\", features = [\"json\", \"multipart\"] }
reqwest-retry = \"0.7\"
reqwest-tracing = \"0.5\"
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
serde_urlencoded = \"0.7\"
thiserror = \"2\"
tracing = \"0.1\"
url = { version = \"2\", features = [\"serde\"] }
uuid = { version = \"1\", features = [\"serde\"] }
";

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Server => "server",
            Side::Client => "client",
            Side::Progenitor => "progenitor",
            Side::OpenapiToRust => "openapi-to-rust",
        }
    }

    /// The lines of dependencies of a package with its code.
    pub(super) fn dependencies(self) -> String {
        let origin = Origin::Path(repository::root());
        match self {
            Side::Server => origin.dependency("dropforge-runtime", &[]),
            Side::Client => origin.dependency("dropforge-client", &[]),
            Side::Progenitor => PROGENITOR.to_owned(),
            Side::OpenapiToRust => OPENAPI_TO_RUST.to_owned(),
        }
    }

    /// The root of its crate.
    pub(super) fn root(self) -> &'static str {
        match self {
            Side::Server => "main.rs",
            Side::Client | Side::Progenitor | Side::OpenapiToRust => "lib.rs",
        }
    }

    /// The generated file; openapi-to-rust generates several, below a folder.
    fn generated(self) -> &'static str {
        match self {
            Side::Server => "server.rs",
            Side::Client | Side::Progenitor => "client.rs",
            Side::OpenapiToRust => "client",
        }
    }

    /// Whether the lines of a file count. Those of the frame around it do not.
    pub(super) fn counts(self, file: &str) -> bool {
        file.starts_with(self.generated())
    }
}

/// Generates one side, writes its files into a folder and prints its figures.
pub(super) fn generate(
    side: Side,
    document: &Path,
    folder: &Path,
    tool: Option<&Path>,
) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot empty the folder")?;
    }
    fs::create_dir_all(folder)?;
    if side == Side::OpenapiToRust {
        let tool = tool.context("set its path with --openapi-to-rust")?;
        return openapi_to_rust(tool, document, folder);
    }
    let loaded = repository::load(document)?;
    let refused = |why: dropforge::document::Diagnostics| {
        anyhow!(
            "{} refuses the document:\n{}",
            side.name(),
            why.render(&loaded.source)
        )
    };
    // The time of progenitor begins after the lowering.
    let lowered = match side {
        Side::Progenitor => Some(client::lowered(&loaded).map_err(refused)?),
        _ => None,
    };
    let began = Instant::now();
    let tokens = match (side, lowered) {
        (Side::Progenitor, Some(lowered)) => others::progenitor(lowered)?,
        (Side::Server, _) => {
            dropforge::generate_server_for(&loaded, "document", Purpose::Prototype)
                .map_err(refused)?
                .tokens
        }
        _ => client::generate(&loaded).map_err(refused)?.tokens,
    };
    let tokens_seconds = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let code = dropforge::pretty(tokens);
    let format_seconds = began.elapsed().as_secs_f64();
    let megabytes = memory::own_megabytes();
    let mut sources = vec![(side.generated(), code)];
    match side {
        Side::Server => {
            let lowered = lower::lower(&loaded, "document").map_err(refused)?;
            sources.push((
                "service.rs",
                service::service(&lowered.api, "crate::server"),
            ));
            sources.push(("main.rs", compile::SERVER.to_owned()));
        }
        _ => sources.push(("lib.rs", compile::CLIENT.to_owned())),
    }
    for (file, text) in sources {
        files::write(&folder.join(file), text)?;
    }
    println!(
        "{}",
        json!({"tokens": tokens_seconds, "format": format_seconds, "megabytes": megabytes})
    );
    Ok(())
}

/// Runs openapi-to-rust, which also formats its output, so its time includes
/// both. Its document includes the parts of other files.
fn openapi_to_rust(tool: &Path, document: &Path, folder: &Path) -> anyhow::Result<()> {
    let bundled = folder.join("document.json");
    let document = repository::load(document)?.to_written_json();
    files::write(&bundled, document.to_string())?;
    let peak = memory::Peak::of_children(std::process::id());
    let began = Instant::now();
    let generated = others::openapi_to_rust(tool, &bundled, folder);
    let seconds = began.elapsed().as_secs_f64();
    let megabytes = peak.megabytes();
    generated?;
    files::write(&folder.join("lib.rs"), compile::CLIENT)?;
    println!(
        "{}",
        json!({"tokens": seconds, "format": null, "megabytes": megabytes})
    );
    Ok(())
}
