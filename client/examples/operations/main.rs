//! A call of every operation, against the fake service: `cargo run -p accord-client --example operations`.
//!
//! The documentation of the library shows these files. A test compares the calls with the documents, so that no operation
//! is missing.

mod accounts;
mod identity;
mod keys;
mod models;
mod patterns;

use accord_client::Accord;
use accord_testing::FakeAccord;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let fake = FakeAccord::start().await;
    call_all(&client(&fake)?).await?;
    for request in fake.requests() {
        let operation = request.operation.unwrap_or("unknown operation");
        println!("{operation}: {} {}", request.method, request.path);
    }
    Ok(())
}

/// A client with every credential. Its fake service accepts any.
fn client(fake: &FakeAccord) -> Result<Accord, accord_client::BuildError> {
    let builder = Accord::builder()
        .base_url(fake.url())
        .access_token("a-token")
        .api_key("sk-example")
        .client_credentials("my-service", "a-secret");
    builder.build()
}

/// Calls every operation once, and those with an event stream twice.
async fn call_all(accord: &Accord) -> Result<(), Box<dyn Error + Send + Sync>> {
    accounts::create_user(accord).await?;
    accounts::link_collab_profile(accord).await?;
    accounts::list_organizations(accord).await?;
    accounts::list_application_instances(accord).await?;

    identity::create_device_authorization(accord).await?;
    identity::create_token(accord, "a-refresh-token").await?;
    identity::introspect_token(accord, "a-token").await?;
    identity::revoke_token(accord, "a-refresh-token").await?;
    identity::get_jwk_set(accord).await?;
    identity::get_authorization_server_metadata(accord).await?;

    let key = "apikey.local.w3q7k2m5c4t6z1xh8n9b0d2f4g";
    keys::list_api_keys(accord).await?;
    keys::create_api_key(accord).await?;
    keys::get_api_key(accord, key).await?;
    keys::update_api_key(accord, key, "\"1\"").await?;
    keys::set_api_key_state(accord, key).await?;
    keys::renew_api_key(accord, key).await?;
    keys::change_api_key_compartment(accord, key).await?;
    keys::delete_api_key(accord, key).await?;
    keys::list_usage(accord).await?;

    models::list_models(accord).await?;
    models::get_model(accord, "accord.echo").await?;
    models::create_chat_completion(accord, "accord.echo", "Hello").await?;
    models::create_chat_completion_stream(accord, "accord.echo", "Hello").await?;
    models::create_response(accord, "accord.echo", "Hello").await?;
    models::create_response_stream(accord, "accord.echo", "Hello").await?;

    let accelerator = uuid::uuid!("3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01");
    patterns::list_patterns(accord, "ORDER").await?;
    patterns::create_pattern_from_accelerator(accord, accelerator).await?;
    patterns::get_pattern(accord, "ORDER_TRIAGE|01.00.0000").await?;
    patterns::delete_pattern(accord, "ORDER_TRIAGE|01.00.0000").await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use accord_client as client;
    use std::collections::BTreeSet;

    #[tokio::test]
    async fn every_operation_has_an_example_that_works() {
        let fake = FakeAccord::start().await;
        let accord = super::client(&fake).expect("a client");
        call_all(&accord).await.expect("the fake accepts all calls");
        let requests = fake.requests();
        let called = requests.iter().filter_map(|request| request.operation);
        let called: BTreeSet<&str> = called.collect();
        let areas = [
            client::accounts::OPERATIONS,
            client::identity::OPERATIONS,
            client::inference::OPERATIONS,
            client::patterns::OPERATIONS,
        ];
        let all = areas.into_iter().flatten();
        let (mut documented, mut streamed) = (BTreeSet::new(), 0);
        for operation in all {
            documented.insert(operation.id);
            streamed += usize::from(operation.streams);
        }
        assert_eq!(called, documented);
        let streams = requests
            .iter()
            .filter(|request| request.body["stream"] == true);
        assert_eq!(streams.count(), streamed);
    }

    #[tokio::test]
    async fn the_examples_return_what_the_service_sends() {
        let fake = FakeAccord::start().await;
        let accord = super::client(&fake).expect("a client");
        let names = accounts::list_organizations(&accord).await.expect("a list");
        assert!(!names.is_empty());
        let secret = keys::create_api_key(&accord).await.expect("a key");
        assert!(secret.is_some());
        for reply in [
            models::create_chat_completion(&accord, "accord.echo", "Hi")
                .await
                .ok(),
            models::create_chat_completion_stream(&accord, "accord.echo", "Hi")
                .await
                .ok(),
            models::create_response_stream(&accord, "accord.echo", "Hi")
                .await
                .ok(),
        ] {
            assert!(reply.is_some_and(|reply| !reply.is_empty()));
        }
    }
}
