//! The operator's commands of accounts.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{ORGANIZATIONS, body_of, create, mira, user_id, with};
use crate::harness::{Server, both_databases, commands};

const ORGANIZATION: &str = r#"
[[organizations]]
id = 1
name = "East Mills AB"
trading_name = "East Mills"
city = "Lund"
state = "Scania"
country = "Sweden"
"#;

/// Waits until the data directory has this many mails, and returns their texts.
async fn mails(server: &Server, number: usize) -> Vec<String> {
    let directory = server.app().config.server.data_dir.join("mail");
    let since = Instant::now();
    loop {
        let files = std::fs::read_dir(&directory).into_iter().flatten();
        let paths = files.map(|file| file.unwrap().path());
        let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "eml"));
        let found: Vec<_> = paths
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        if found.len() == number {
            return found;
        }
        assert!(
            since.elapsed() < Duration::from_secs(60),
            "{} of {number}",
            found.len()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

both_databases! {
    async fn mail_is_listed_shown_resent_and_tested(server: Server) {
        let request = json!({"hubUser": with(mira(), json!({"setPassword": true}))});
        body_of(create(&server, &request).await, 200).await;
        let written = mails(&server, 1).await;
        assert!(written[0].contains("Mira.Lund@north.example"), "{}", written[0]);
        let listed = commands::json(&server, &["mail", "list"]).await;
        let [mail] = listed.as_array().unwrap().as_slice() else { panic!("{listed}") };
        let id = mail["id"].as_str().unwrap();
        let table = commands::succeed(&server, &["mail", "list"]).await;
        assert!(table.starts_with("MAIL ") && table.contains("set-password"), "{table}");
        assert!(table.contains(id), "{table}");
        let shown = commands::succeed(&server, &["mail", "show", id]).await;
        assert!(shown.contains("a link that only its recipient may know"), "{shown}");
        assert!(!shown.contains("token="), "{shown}");

        let text = commands::succeed(&server, &["mail", "resend", id]).await;
        assert!(text.starts_with("Queued again as "), "{text}");
        mails(&server, 2).await;
        let events = commands::json(&server, &["audit", "list", "--action", "accounts.mail."]).await;
        assert_eq!((&events[0]["action"], &events[0]["subject"]), (&json!("accounts.mail.resent"), &json!(id)));
        let listed = commands::json(&server, &["mail", "list"]).await;
        assert_eq!(listed.as_array().unwrap().len(), 2);
        let dead = commands::json(&server, &["mail", "list", "--state", "dead"]).await;
        assert_eq!(dead, json!([]));

        let text = commands::succeed(&server, &["mail", "test", "ops@north.example"]).await;
        assert!(text.starts_with("Sent to ops@north.example, no mail server: .eml files in "), "{text}");
        mails(&server, 3).await;
        for arguments in [["mail", "show", "nothing"], ["mail", "resend", "nothing"]] {
            let text = commands::fail(&server, &arguments).await;
            assert!(text.contains("there is no mail nothing; `mail list` lists them"), "{text}");
        }
        let text = commands::fail(&server, &["mail", "test", "no address"]).await;
        assert!(text.contains("error: address no address: "), "{text}");
    }

    async fn a_directory_is_shown_before_it_is_applied(server: Server) {
        let directory = tempfile::tempdir().unwrap();
        let (all, more) = (directory.path().join("all.toml"), directory.path().join("more.toml"));
        let (all, more) = (all.display().to_string(), more.display().to_string());
        let exported = commands::succeed(&server, &["export"]).await;
        std::fs::write(&all, &exported).unwrap();
        std::fs::write(&more, format!("{exported}{ORGANIZATION}")).unwrap();

        let plan = commands::succeed(&server, &["apply", "--dry-run", &more]).await;
        assert_eq!(plan, "+ organization 1\n1 to create, 0 to change, 0 to remove; \
                          19 unchanged, 0 not in the file\n");
        let text = commands::fail(&server, &["apply", &more]).await;
        assert!(text.contains("cannot ask for confirmation without a terminal; add --yes"), "{text}");
        assert_eq!(commands::succeed(&server, &["export"]).await, exported);

        let text = commands::succeed(&server, &["apply", "--yes", &more]).await;
        assert!(text.ends_with("Done.\n"), "{text}");
        let text = commands::succeed(&server, &["apply", "--yes", &more]).await;
        assert!(text.ends_with("Nothing to do.\n"), "{text}");
        // An organization that is not in the file stays without `--remove`.
        let text = commands::succeed(&server, &["apply", "--yes", &all]).await;
        assert!(text.contains("1 not in the file"), "{text}");
        let text = commands::succeed(&server, &["apply", "--yes", "--remove", &all]).await;
        assert!(text.starts_with("- organization 1\n"), "{text}");
        assert_eq!(commands::succeed(&server, &["export"]).await, exported);

        // A new owner is recorded as `design-instances set` records it.
        let owner = "name = \"design-eu-1\"\norganization = ";
        let (before, after) = (format!("{owner}3104\n"), format!("{owner}4210\n"));
        assert!(exported.contains(&before), "{exported}");
        std::fs::write(&more, exported.replace(&before, &after)).unwrap();
        commands::succeed(&server, &["apply", "--yes", &more]).await;
        let owned = ["audit", "list", "--action", "patterns.instance.owned"];
        let events = commands::json(&server, &owned).await;
        let [event] = events.as_array().unwrap().as_slice() else { panic!("{events}") };
        assert_eq!((&event["subject"], &event["detail"]), (&json!("design-eu-1"), &json!("organization 4210")));

        std::fs::write(&more, format!("{exported}{}", ORGANIZATION.replace("city", "town"))).unwrap();
        let text = commands::fail(&server, &["apply", "--yes", &more]).await;
        assert!(text.contains("more.toml") && text.contains("town"), "{text}");
        let text = commands::fail(&server, &["apply", "nowhere.toml"]).await;
        assert!(text.contains("nowhere.toml"), "{text}");
    }

    async fn administrators_are_added_and_removed_for_several_organizations(server: Server) {
        // A user that the API created becomes an administrator, and is removed again.
        body_of(create(&server, &json!({"hubUser": mira()})).await, 200).await;
        let text = commands::succeed(&server, &["administrators", "add", "MIRA.lund@north.example", "3104", "4210"]).await;
        assert_eq!(text, "Mira.Lund@north.example administers 3104, 4210.\n");
        let mira = user_id(&server, "mira.lund@north.example").await;
        let token = server.token(&mira, "accounts.read").await;
        let organizations = async || {
            let request = server.http().get(server.url(ORGANIZATIONS)).bearer_auth(&token);
            let all = body_of(request.send().await.unwrap(), 200).await;
            all.as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(organizations().await, [3104, 4210]);
        let listed = commands::json(&server, &["administrators", "list"]).await;
        assert_eq!(listed.as_array().unwrap().len(), 4, "{listed}");
        let text = commands::succeed(&server, &["administrators", "remove", &mira, "4210"]).await;
        assert_eq!(text, "Mira.Lund@north.example no longer administers 4210.\n");
        assert_eq!(organizations().await, [3104]);
        for (arguments, expected) in [
            (["add", &mira, "3104"], "is already administrator"),
            (["remove", &mira, "4210"], "is not an administrator"),
            (["add", "nobody@north.example", "3104"], "there is no user nobody@north.example"),
            (["add", &mira, "1"], "there is no hub organization 1"),
        ] {
            let text = commands::fail(&server, &[&["administrators"], arguments.as_slice()].concat()).await;
            assert!(text.contains(expected), "{text}");
        }
        let events = commands::succeed(&server, &["audit", "list"]).await;
        for action in ["accounts.administrator.added", "accounts.administrator.removed"] {
            assert!(events.contains(action), "{events}");
        }
    }
}
