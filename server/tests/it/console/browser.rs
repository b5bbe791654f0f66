//! The console in a browser, as `console.mjs` walks through it.

use accord_server::patterns::accelerators;
use accord_server::patterns::package::Package;

use crate::harness::{Server, both_databases, tools};
use crate::identity::client::{ANA, PASSWORD};

/// Adds an accelerator with every kind of dependency.
async fn add_accelerator(server: &Server) {
    let integration = |name: &str| {
        format!(
            "code = \"{name}\"\nname = \"{name} service\"\ntype = \"APPLICATION\"\nversion = \"01.00.0000\"\n"
        )
    };
    let manifest = r#"
        format = 1
        id = "5b0c7f3e-2b1a-4a3c-8a54-0f6c2b9d7e10"
        version = "1.2"
        name = "Invoice clerk"
        description = "Reads invoices, and books them in the ledger of the company."
        guidelines = "Ask before you book more than 1000."
        max_iteration = 12
        [[roles]]
        role = "ledger"
        connections = [{ code = "SAP", name = "The ledger of the holding company" }, { code = "DATEV", name = "DATEV" }]
        [[roles]]
        role = "archive"
        connections = []
    "#;
    let files = std::collections::BTreeMap::from_iter([
        ("accelerator.toml".to_owned(), manifest.into()),
        (
            "integrations/OCR.toml".to_owned(),
            integration("OCR").into_bytes(),
        ),
        (
            "integrations/BOOKING.toml".to_owned(),
            integration("BOOKING").into_bytes(),
        ),
    ]);
    let package = Package::from_files(&files).unwrap();
    let now = server.app().clock.now();
    let write = server
        .app()
        .store
        .write(move |tx| accelerators::add(tx, &package, false, "olga", now));
    write.await.unwrap();
}

both_databases! {
    async fn a_person_creates_a_key_calls_a_model_and_rotates_the_secrets(server: Server) {
        add_accelerator(&server).await;
        let printed = tools::node("console.mjs", &[
            tools::browser().to_str().unwrap(),
            &server.url(""),
            ANA,
            PASSWORD,
            &tools::pictures_of(&server),
            tools::folder("python/bin/python").to_str().unwrap(),
        ]).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
    }
}
