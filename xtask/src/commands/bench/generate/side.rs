//! The generators that are compared, each run once in a process of its own.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow};
use dropforge::emit::client;
use dropforge::{Purpose, lower};
use proc_macro2::TokenStream;
use serde_json::json;

use crate::commands::corpus::{compile, memory};
use crate::project::{Origin, service};
use crate::{panics, repository};

/// A generator, and what it makes.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Side {
    Server,
    Client,
    /// Progenitor alone, on the document that the client gives to progenitor.
    Progenitor,
}

pub(super) const SIDES: [Side; 3] = [Side::Server, Side::Client, Side::Progenitor];

/// What progenitor's own documentation asks a user to depend on.
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

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Server => "server",
            Side::Client => "client",
            Side::Progenitor => "progenitor",
        }
    }

    /// The lines of dependencies of a package with its code.
    pub(super) fn dependencies(self) -> String {
        let origin = Origin::Path(repository::root());
        match self {
            Side::Server => origin.dependency("dropforge-runtime", &[]),
            Side::Client => origin.dependency("dropforge-client", &[]),
            Side::Progenitor => PROGENITOR.to_owned(),
        }
    }

    /// The root of its crate.
    pub(super) fn root(self) -> &'static str {
        match self {
            Side::Server => "main.rs",
            Side::Client | Side::Progenitor => "lib.rs",
        }
    }

    /// The file whose lines are counted.
    pub(super) fn generated(self) -> &'static str {
        match self {
            Side::Server => "server.rs",
            Side::Client | Side::Progenitor => "client.rs",
        }
    }
}

/// Generates one side, writes its files into a folder and prints its figures.
pub(super) fn generate(side: Side, document: &Path, folder: &Path) -> anyhow::Result<()> {
    let loaded = repository::load(document)?;
    let refused = |why: dropforge::document::Diagnostics| {
        anyhow!(
            "{} refuses the document:\n{}",
            side.name(),
            why.render(&loaded.source)
        )
    };
    // Progenitor begins where the lowered document is already there.
    let lowered = match side {
        Side::Progenitor => Some(client::lowered(&loaded).map_err(refused)?),
        Side::Server | Side::Client => None,
    };
    let began = Instant::now();
    let tokens = match (side, lowered) {
        (Side::Progenitor, Some(lowered)) => progenitor(lowered)?,
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
    let mut files = vec![(side.generated(), code)];
    match side {
        Side::Server => {
            let lowered = lower::lower(&loaded, "document").map_err(refused)?;
            files.push((
                "service.rs",
                service::service(&lowered.api, "crate::server"),
            ));
            files.push(("main.rs", compile::SERVER.to_owned()));
        }
        Side::Client | Side::Progenitor => files.push(("lib.rs", compile::CLIENT.to_owned())),
    }
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot empty the folder")?;
    }
    fs::create_dir_all(folder)?;
    for (file, text) in files {
        fs::write(folder.join(file), text)?;
    }
    println!(
        "{}",
        json!({"tokens": tokens_seconds, "format": format_seconds, "megabytes": megabytes})
    );
    Ok(())
}

fn progenitor(lowered: serde_json::Value) -> anyhow::Result<TokenStream> {
    let mut settings = progenitor::GenerationSettings::new();
    settings.with_interface(progenitor::InterfaceStyle::Builder);
    let document = serde_json::from_value(lowered).context("openapiv3 cannot read it")?;
    // Progenitor asserts what it cannot make anything of.
    panics::catch(|| progenitor::Generator::new(&settings).generate_tokens(&document))
        .map_err(|panic| anyhow!("progenitor panicked: {panic}"))?
        .context("progenitor refuses the document")
}
