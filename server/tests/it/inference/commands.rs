//! The operator's commands, beside a running service.

use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use accord_server::store::StoreError;
use serde_json::Value;

use super::client::{Key, Manager, chat};
use crate::harness::{Database, Server, both_databases, commands};

/// Runs `accord-server` on the service's database. Whether it succeeded, and
/// what it printed.
async fn run(server: &Server, arguments: &str) -> (bool, String) {
    let (success, printed, complaint) = commands::run(server, &words(arguments)).await;
    (success, printed + &complaint)
}

pub async fn succeed(server: &Server, arguments: &str) -> String {
    commands::succeed(server, &words(arguments)).await
}

async fn json(server: &Server, arguments: &str) -> Value {
    commands::json(server, &words(arguments)).await
}

fn words(arguments: &str) -> Vec<&str> {
    arguments.split(' ').collect()
}

/// Waits until the response to a call has this status. Returns how long that took.
async fn becomes(server: &Server, key: &Key, status: u16) -> Duration {
    let since = Instant::now();
    while chat(server, &key.one, "accord.echo").await.status != status {
        assert!(since.elapsed() < Duration::from_secs(60), "not {status}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    since.elapsed()
}

both_databases! {
    async fn an_operator_opens_a_compartment_and_limits_a_key(server: Server) {
        succeed(&server, "compartments set compartment.new --key-quota 5").await;
        let (made, complaint) = run(&server, "grants set compartment.none x manage").await;
        assert!(!made && complaint.contains("accord-server compartments set"), "{complaint}");
        succeed(&server, &format!("grants set compartment.new {ADMINISTRATOR} manage")).await;
        let grants = json(&server, "grants list").await;
        let is_new = |row: &&Value| row["resource"] == "compartment:compartment.new";
        assert_eq!(grants.as_array().unwrap().iter().find(is_new).unwrap()["verb"], "manage");
        let key = Manager::of(&server).await.new_key_in("compartment.new").await;
        let compartments = json(&server, "compartments list").await;
        let new = compartments.as_array().unwrap().iter().find(|row| row["id"] == "compartment.new");
        assert_eq!((&new.unwrap()["keys"], &new.unwrap()["key_quota"]), (&1.into(), &5.into()));

        // Nothing is allowed that no policy allows, and the command says so.
        becomes(&server, &key, 403).await;
        let explain = format!("policy explain {} accord.echo", key.id);
        assert!(succeed(&server, &explain).await.contains("may not call accord.echo"));
        succeed(&server, "policy allow new --compartment compartment.new --model accord.echo").await;
        becomes(&server, &key, 200).await;
        assert!(succeed(&server, &explain).await.contains("may call accord.echo"));
        succeed(&server, "policy check").await;

        // What one policy forbids, no other permits.
        let file = server.app().config.server.data_dir.join("policy.cedar");
        for id in [String::new(), "x".repeat(256)] {
            let allow = format!("policy allow {id} --model accord.echo");
            let (is_added, complaint) = run(&server, &allow).await;
            assert!(!is_added && complaint.contains("1 to 255 characters"), "{complaint}");
        }
        std::fs::write(&file, "forbid (principal, action, resource) when { resource.price > 1 };").unwrap();
        let add = format!("policy add closed {}", file.display());
        let (added, complaint) = run(&server, &add).await;
        assert!(!added && complaint.contains("price"), "{complaint}");
        std::fs::write(&file, "forbid (principal, action, resource) when { resource.family == \"accord\" };").unwrap();
        succeed(&server, &add).await;
        becomes(&server, &key, 403).await;
        assert!(succeed(&server, &explain).await.contains("closed forbids it"));
        let reasons = json(&server, &explain).await;
        let of = |id: &str| reasons.as_array().unwrap().iter().find(|row| row["policy"] == id).unwrap();
        assert_eq!((&of("closed")["decides"], &of("new")["decides"]), (&true.into(), &false.into()));
        assert_eq!((&of("new")["applies"], &of("policy.demo")["applies"]), (&true.into(), &false.into()));
        succeed(&server, "policy remove closed").await;
        becomes(&server, &key, 200).await;
        let (open, complaint) = run(&server, "policy allow everything").await;
        assert!(!open && complaint.contains("--compartment"), "{complaint}");
        succeed(&server, "policy allow lost --model accord.gone").await;
        let (sound, findings) = run(&server, "policy check").await;
        assert!(!sound && findings.contains("there is no model accord.gone"), "{findings}");
        succeed(&server, "policy remove lost").await;

        succeed(&server, &format!("limits set {} --requests-per-minute 1", key.id)).await;
        becomes(&server, &key, 429).await;
        let limits = json(&server, "limits list").await;
        assert_eq!(limits[0]["requests_per_minute"], 1);
        succeed(&server, &format!("limits clear {}", key.id)).await;
        becomes(&server, &key, 200).await;
        succeed(&server, "policy remove new").await;
        becomes(&server, &key, 403).await;

        let inference = &server.app().inference;
        inference.admission.write_usage(inference).await.unwrap();
        let usage = json(&server, &format!("usage --key {}", key.id)).await;
        assert_eq!(usage[0]["model"], "accord.echo");
        let table = succeed(&server, "usage").await;
        assert!(table.contains("accord.echo") && table.contains(&key.id), "{table}");
        let chart = succeed(&server, "usage --chart").await;
        assert!(chart.contains('█'), "{chart}");
        let csv = succeed(&server, "usage --csv").await;
        assert!(csv.starts_with("day,key,model,requests,errors,input_tokens,output_tokens\n"), "{csv}");
        assert!(csv.contains(&format!(",{},accord.echo,", key.id)), "{csv}");
        let trail = json(&server, "audit list --action inference.").await;
        let told: Vec<_> = trail.as_array().unwrap().iter()
            .filter(|event| event["origin"] == "console")
            .map(|event| event["action"].as_str().unwrap())
            .collect();
        let expected = [
            "compartment.set", "grant.set", "policy.added", "policy.added", "policy.removed",
            "policy.added", "policy.removed", "limits.set", "limits.cleared", "policy.removed",
        ];
        assert_eq!(told, expected.map(|action| format!("inference.{action}")));
        let models = json(&server, "models list").await;
        assert_eq!(models[0]["model"], "accord.echo");
    }

    async fn limits_apply_within_the_second_that_the_help_promises(server: Server) {
        for command in ["limits set", "limits clear"] {
            let help = succeed(&server, &format!("{command} --help")).await;
            let words: Vec<_> = help.split_whitespace().collect();
            let promised = "apply the change within a second";
            assert!(words.join(" ").contains(promised), "{help}");
        }
        let key = Manager::of(&server).await.new_key().await;
        becomes(&server, &key, 200).await;
        let mut fastest = Duration::MAX;
        // A busy machine may be slow now and then.
        for _ in 0..10 {
            succeed(&server, &format!("limits set {} --requests-per-minute 1", key.id)).await;
            let set = becomes(&server, &key, 429).await;
            succeed(&server, &format!("limits clear {}", key.id)).await;
            let cleared = becomes(&server, &key, 200).await;
            fastest = fastest.min(set.max(cleared));
            if fastest < Duration::from_secs(1) {
                return;
            }
        }
        panic!("the fastest change took {fastest:?}");
    }

    async fn a_negative_limit_is_an_error_that_names_the_option_and_the_range(server: Server) {
        for (command, place) in [
            ("limits set apikey.x --requests-per-minute -1", "--requests-per-minute <COUNT>"),
            ("limits set apikey.x --concurrent-calls -1", "--concurrent-calls <COUNT>"),
            ("limits set apikey.x --token-budget -1", "--token-budget <COUNT>"),
            ("limits api-key-count set main -1", "<COUNT>"),
            ("compartments set compartment.main --key-quota -1", "--key-quota <COUNT>"),
        ] {
            let (set, complaint) = run(&server, command).await;
            assert!(!set && complaint.contains(place), "{complaint}");
            assert!(complaint.contains("-1 is not in "), "{complaint}");
        }
    }

    async fn a_policy_is_tried_out_before_it_is_accepted(server: Server) {
        let file = server.app().config.server.data_dir.join("policy.cedar");
        let add = format!("policy add p {}", file.display());
        let nested = |depth: usize| format!("{}true{}", "(".repeat(depth), ")".repeat(depth));
        let refused = [
            (nested(100), "brackets"),
            (nested(20_000), "brackets"),
            (format!("true{}", " || true".repeat(3_000)), "operators"),
            ("9223372036854775807 + 1 == 2".to_owned(), "cannot be evaluated"),
        ];
        for (condition, cause) in refused {
            let text = format!("permit (principal, action, resource) when {{ {condition} }};");
            std::fs::write(&file, text).unwrap();
            let (added, complaint) = run(&server, &add).await;
            assert!(!added && complaint.contains(cause), "{complaint}");
        }
        let listed = json(&server, "policy list").await;
        assert_eq!(listed.as_array().unwrap().len(), 1);
        // A long list of models is a policy like any other.
        let models: Vec<_> = (0..1_000).map(|n| format!("resource == Model::\"m{n}\"")).collect();
        let text = format!("permit (principal, action, resource) when {{ {} }};", models.join(" || "));
        std::fs::write(&file, text).unwrap();
        succeed(&server, &add).await;
        let key = Manager::of(&server).await.new_key().await;
        becomes(&server, &key, 200).await;
    }
}

/// As an earlier version of this program left it behind.
#[tokio::test(flavor = "multi_thread")]
async fn usage_that_became_a_floating_point_number_is_listed_and_added_to() {
    let server = Server::start_with(Database::Sqlite, |_| {}).await;
    let key = Manager::of(&server).await.new_key().await;
    let inference = server.app().inference.clone();
    chat(&server, &key.one, "accord.echo").await.ok();
    inference.admission.write_usage(&inference).await.unwrap();
    let spoiled = server.app().store.write(|tx| {
        let sql = "UPDATE inference_usage SET input_tokens = 9223372036854775807 + input_tokens";
        tx.execute(sql, &[])
    });
    let spoiled: Result<u64, StoreError> = spoiled.await;
    assert_eq!(spoiled.unwrap(), 1);
    for arguments in ["usage", "usage --csv", "usage --chart"] {
        succeed(&server, arguments).await;
    }
    chat(&server, &key.one, "accord.echo").await.ok();
    inference.admission.write_usage(&inference).await.unwrap();
    let usage = json(&server, "usage").await;
    assert_eq!(
        (&usage[0]["requests"], &usage[0]["output_tokens"]),
        (&2.into(), &4.into())
    );
    assert_eq!(usage[0]["input_tokens"], 1_i64 << 48);
}
