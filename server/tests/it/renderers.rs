//! The pages that others make of the published documents, in a browser.

use crate::harness::{Database, Server, run, tools};

#[test]
fn redoc_renders_the_documents_without_a_complaint() {
    renders("redoc");
}

#[test]
fn scalar_renders_the_documents_without_a_complaint() {
    renders("scalar");
}

#[test]
fn swagger_ui_renders_the_documents_without_a_complaint() {
    renders("swagger-ui");
}

#[test]
fn stoplight_elements_renders_the_documents_without_a_complaint() {
    renders("elements");
}

fn renders(renderer: &'static str) {
    run(Database::Sqlite, async move |server: Server| {
        let packages = tools::folder("renderers").join("node_modules");
        let packages = packages.canonicalize();
        let packages = packages.expect("not installed: cargo xtask test --only tools");
        let (browser, pictures) = (tools::browser(), tools::pictures());
        let arguments = [
            browser.to_str().unwrap(),
            &server.url(""),
            packages.to_str().unwrap(),
            &pictures,
            renderer,
        ];
        let printed = tools::node("renderers.mjs", &arguments).await;
        assert_eq!(printed.trim().lines().last(), Some("success"));
    });
}
