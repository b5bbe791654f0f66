//! The interface that the four documents have to hold, row by row.
//!
//! The rows are what was asked for before there was a document: every
//! operation, field, type, header, status, media type, limit and label. A
//! document may say more, and it may say it with more care (an email address
//! where a string was asked for), but a row that stands in no document is a
//! failure. `cargo test -p accord --test contract interface -- --nocapture`
//! shows where each stands.

mod page;
mod rows;

use page::Page;

#[test]
fn every_row_of_the_interface_stands_in_a_document() {
    let mut page = Page::default();
    rows::accounts(page.area("accounts"));
    rows::inference(page.area("inference"));
    rows::identity(page.area("identity"));
    rows::patterns(page.area("patterns"));
    for (says, stands_at) in &page.found {
        println!("{says:72} {stands_at}");
    }
    assert!(
        page.missing.is_empty(),
        "not found:\n{}",
        page.missing.join("\n")
    );
    assert!(page.found.len() > 150, "only {} rows", page.found.len());
}
