//! The console, from outside: as browsers without scripts see it, and in a browser.

mod account;
mod browser;
mod clients;
mod frame;
mod grants;
mod key_changes;
mod keys;
mod operations;
mod operator_users;
mod patterns;
mod playground;
mod policies;
mod usage;
mod users;

use serde_json::Value;

use crate::harness::{Server, commands};
use crate::identity::browser::{Browser, Page};
use crate::identity::client::{ANA, PASSWORD};
use crate::inference::client::COMPARTMENT;

/// A browser in which the demo's administrator is signed in.
async fn signed_in(server: &Server) -> Browser {
    Browser::signed_in(server, ANA, PASSWORD).await
}

/// The clients, with whether each is disabled. A demo registers a key of its robot after the start.
pub async fn clients(server: &Server) -> Vec<(String, bool)> {
    let listed = commands::json(server, &["clients", "list"]).await;
    let row = |one: &Value| {
        let id = one["id"].as_str().unwrap().to_owned();
        (id, one["disabled"].as_bool().unwrap())
    };
    listed.as_array().unwrap().iter().map(row).collect()
}

/// The fields of the form for a new key, as the page has them.
fn new_key_fields<'a>(name: &'a str, once: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("once", once),
        ("name", name),
        ("compartment", COMPARTMENT),
        ("one", "key-one"),
        ("one_day", ""),
        ("second", "yes"),
        ("two", "key-two"),
        ("two_day", ""),
        ("description", ""),
        ("tags", ""),
    ]
}

/// Creates a key, and returns the page with its secrets.
async fn create(browser: &mut Browser, name: &str) -> Page {
    let form = browser.get("/ui/v1/keys/new").await;
    let once = form.field("once").expect("a token").to_owned();
    let page = browser
        .submit("/ui/v1/keys/new", &new_key_fields(name, &once))
        .await;
    assert_eq!(page.status, 200, "{}", page.body);
    page
}

/// The secrets that a page shows.
fn secrets(page: &Page) -> Vec<String> {
    let texts = page.body.split("sk-").skip(1);
    let texts = texts.map(|rest| format!("sk-{}", rest.split('<').next().unwrap_or_default()));
    texts.filter(|text| text.len() == 65).collect()
}

/// The address of the key that a page links to.
fn key_address(page: &Page) -> String {
    let (_, rest) = page.body.split_once("href=\"/ui/v1/keys/apikey.").unwrap();
    format!("/ui/v1/keys/apikey.{}", rest.split('"').next().unwrap())
}
