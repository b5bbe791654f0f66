//! `accord users import`, the program, against a service.
//!
//! `ACCORD_IMPORT_ROWS` says how many rows; without it, a few hundred.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use accord_server::accounts::demo::ADMINISTRATOR;
use serde_json::Value;
use tokio::process::Command;

use super::count;
use crate::harness::{Database, Server, built, run_with};

fn import(program: &Path, server: &Server, token: &str, file: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(["--url", &server.url(""), "--json", "users", "import"])
        .arg(file)
        .env("ACCORD_TOKEN", token)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

#[test]
fn a_file_is_imported_once_however_often_it_is_interrupted() {
    run_with(async || {
        let rows = std::env::var("ACCORD_IMPORT_ROWS").ok();
        let rows: i64 = rows.map_or(300, |rows| rows.parse().unwrap());
        let program = built::program("accord").await;
        let server = Server::start(Database::Sqlite).await;
        let token = server.token(ADMINISTRATOR, "accounts.write").await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        let mut text = String::from(
            "emailAddress,firstName,lastName,language,hubOrganizationId,setPassword,collab\n",
        );
        for number in 0..rows {
            let collab = if number % 2 == 0 {
                "72:5202:QUAY-7"
            } else {
                ""
            };
            text += &format!("user-{number}@north.example,Mira,Lund,en,3104,false,{collab}\n");
        }
        std::fs::write(&file, &text).unwrap();

        // Killed as soon as some of it is done.
        let mut first = import(&program, &server, &token, &file).spawn().unwrap();
        let since = Instant::now();
        while count(&server, "hub_users").await < 2 + rows / 4 {
            assert!(
                since.elapsed() < Duration::from_secs(300),
                "nothing is imported"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        first.kill().await.unwrap();
        let began = Instant::now();
        let second = import(&program, &server, &token, &file)
            .output()
            .await
            .unwrap();
        let complaint = String::from_utf8(second.stderr).unwrap();
        assert!(second.status.success(), "{complaint}");
        let summary: Value = serde_json::from_slice(&second.stdout).unwrap();
        let number = |name: &str| summary[name].as_i64().unwrap();
        assert_eq!(number("failed"), 0, "{summary}");
        assert_eq!(number("created") + number("done_before"), rows, "{summary}");
        assert!(number("done_before") > 0, "{summary}");
        assert_eq!(count(&server, "hub_users").await, 2 + rows);
        assert_eq!(count(&server, "collab_profiles").await, 1 + (rows + 1) / 2);
        println!("{summary} in {:?}", began.elapsed());

        // What fails is told with its reason, and the rest is done.
        text += "user-0@north.example,Another,Person,en,3104,false,\n";
        text += "new@north.example,New,Person,en,9999,false,\n";
        text += "good@north.example,Good,Person,en,3104,false,\n";
        std::fs::write(&file, &text).unwrap();
        let third = import(&program, &server, &token, &file)
            .output()
            .await
            .unwrap();
        assert!(!third.status.success());
        let summary: Value = serde_json::from_slice(&third.stdout).unwrap();
        assert_eq!(
            (&summary["created"], &summary["failed"]),
            (&1.into(), &2.into())
        );
        let report =
            std::fs::read_to_string(directory.path().join("people.csv.failed.csv")).unwrap();
        for reason in [
            "user-0@north.example is already a hub username",
            "Hub organization 9999 does not exist",
        ] {
            assert!(report.contains(reason), "{report}");
        }
        // The report can be mended and imported.
        let mended = directory.path().join("mended.csv");
        let text = report.replace("9999", "3104").replace("user-0@", "other@");
        std::fs::write(&mended, text).unwrap();
        let fourth = import(&program, &server, &token, &mended)
            .output()
            .await
            .unwrap();
        assert!(
            fourth.status.success(),
            "{}",
            String::from_utf8_lossy(&fourth.stderr)
        );
        assert_eq!(count(&server, "hub_users").await, 2 + rows + 3);
        server
    });
}
