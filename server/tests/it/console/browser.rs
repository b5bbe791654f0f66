//! The console in a browser, as `console.mjs` walks through it.

use crate::harness::{both_databases, tools};
use crate::identity::client::{ANA, PASSWORD};

both_databases! {
    async fn a_person_creates_a_key_calls_a_model_and_rotates_the_secrets(server: Server) {
        let printed = tools::node("console.mjs", &[
            tools::browser().to_str().unwrap(),
            &server.url(""),
            ANA,
            PASSWORD,
            tools::pictures().to_str().unwrap(),
            tools::folder("python/bin/python").to_str().unwrap(),
        ]).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
    }
}
