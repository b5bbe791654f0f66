//! Changes of a pattern: locks, etags, and writers who meet.

use accord_server::patterns::catalog::{self, Project};
use accord_server::patterns::change::{self, Change, ChangeError, Values};
use accord_server::patterns::demo::INSTANCE;
use accord_server::patterns::error::PatternError;
use accord_server::patterns::pattern::{self, Pattern};
use accord_server::store::{StoreError, Tx};
use reqwest::Method;
use serde_json::json;

use super::{body_of, create, problem, request, send, triage};
use crate::harness::{Server, both_databases, commands};

const ID: &str = "ORDER_TRIAGE|01.00.0000";
const PATH: &str = "/ORDER_TRIAGE%7C01.00.0000";

fn project(tx: &mut Tx<'_>) -> Result<Project, PatternError> {
    catalog::project(tx, INSTANCE, "RETAIL")
}

async fn current(server: &Server) -> Pattern {
    let found = server.app().store.read(|tx| {
        let project = project(tx)?;
        pattern::find(tx, &project, ID)
    });
    found.await.unwrap()
}

/// Adds one to the pattern's maximum, if it is still as `seen`.
async fn add_one(server: &Server, seen: &Pattern) -> Result<Pattern, ChangeError> {
    let values = Values {
        max_iteration: Some(seen.max_iteration + 1),
        ..Values::default()
    };
    let (change, revision) = (Change::Set(values), seen.revision);
    let now = server.app().clock.now();
    let write = server.app().store.write(move |tx| {
        let project = project(tx)?;
        change::apply(tx, &project, ID, &change, Some(revision), "ops", now)
    });
    write.await
}

async fn delete_if(server: &Server, etag: &str) -> reqwest::Response {
    let request = request(server, Method::DELETE, PATH).await;
    request.header("if-match", etag).send().await.unwrap()
}

both_databases! {
    async fn of_writers_that_meet_none_loses_its_update(server: Server) {
        let made = body_of(create(&server, &triage()).await, 200).await;
        let writers = (0..8).map(|_| async {
            let mut told_to_look_again = 0;
            for _ in 0..5 {
                loop {
                    let seen = current(&server).await;
                    match add_one(&server, &seen).await {
                        Ok(_) => break,
                        Err(ChangeError::Stale(_)) => told_to_look_again += 1,
                        Err(error) => panic!("{error}"),
                    }
                }
            }
            told_to_look_again
        });
        let again: i32 = futures::future::join_all(writers).await.into_iter().sum();
        let last = current(&server).await;
        let first = made["maxIteration"].as_i64().unwrap();
        assert_eq!((i64::from(last.max_iteration), last.revision), (first + 40, 41));
        assert!(again > 0, "writers never met");
        assert_eq!((last.updated.1.as_str(), last.created.1.as_str()), ("ops", "ana"));
    }

    async fn an_etag_changes_with_the_pattern_and_guards_its_deletion(server: Server) {
        let created = create(&server, &triage()).await;
        let first = created.headers()["etag"].to_str().unwrap().to_owned();
        assert_eq!(send(&server, Method::GET, PATH).await.headers()["etag"], first);
        let seen = current(&server).await;
        add_one(&server, &seen).await.unwrap();
        let second = send(&server, Method::GET, PATH).await.headers()["etag"].to_str().unwrap().to_owned();
        assert_ne!(first, second);
        let weak = format!("W/{second}");
        for stale in [first.as_str(), &weak, "x", "\"20\""] {
            problem(delete_if(&server, stale).await, 412, "PATTERN-412").await;
        }
        let listed = format!("{first}, {second}");
        assert_eq!(delete_if(&server, &listed).await.status(), 200);
        problem(delete_if(&server, "*").await, 404, "PATTERN-404").await;
        create(&server, &triage()).await;
        problem(delete_if(&server, &first).await, 412, "PATTERN-412").await;
        assert_eq!(delete_if(&server, "*").await.status(), 200);
    }

    async fn a_locked_pattern_stays_until_it_is_unlocked(server: Server) {
        create(&server, &triage()).await;
        let place = [INSTANCE, "RETAIL", ID];
        let command = |words: &[&'static str], options: &[&'static str]| [words, &place, options].concat();
        let text = commands::succeed(&server, &command(&["patterns", "lock"], &[])).await;
        assert!(text.starts_with("ORDER_TRIAGE|01.00.0000 has revision 2 and is locked by "), "{text}");
        let read = body_of(send(&server, Method::GET, PATH).await, 200).await;
        assert_eq!(read["lockedFlag"], true);
        assert!(read["lockedBy"].is_string() && read["lockedDate"].is_string(), "{read}");
        let refused = problem(send(&server, Method::DELETE, PATH).await, 409, "LOCK-409").await;
        assert_eq!(refused["title"], "Agent pattern locked");
        let seen = current(&server).await;
        assert!(matches!(add_one(&server, &seen).await, Err(ChangeError::Locked { .. })));
        // Whoever has locked it may change it.
        commands::succeed(&server, &command(&["patterns", "set"], &["--max-iteration", "7", "--name", "Triage"])).await;
        let text = commands::fail(&server, &command(&["patterns", "set"], &["--name", "x", "--revision", "2"])).await;
        assert!(text.contains("has changed. Read it again"), "{text}");
        commands::fail(&server, &command(&["patterns", "set"], &[])).await;
        let text = commands::fail(&server, &command(&["patterns", "set"], &["--name", "a\u{202E}b"])).await;
        assert!(text.contains("--name must have 1 to 255 characters"), "{text}");
        let listed = commands::json(&server, &["patterns", "list", INSTANCE, "RETAIL"]).await;
        assert_eq!((&listed[0]["name"], &listed[0]["max_iteration"]), (&json!("Triage"), &json!(7)));
        // The lock of another user.
        server.app().store.write(|tx| {
            let sql = "UPDATE agent_patterns SET locked_by = 'somebody else'";
            tx.execute(sql, &[]).map(drop)
        }).await.unwrap_or_else(|error: StoreError| panic!("{error}"));
        let text = commands::fail(&server, &command(&["patterns", "unlock"], &[])).await;
        assert!(text.contains("is locked by somebody else"), "{text}");
        commands::succeed(&server, &command(&["patterns", "unlock"], &["--force"])).await;
        let unlocked = current(&server).await;
        assert!(unlocked.lock.is_none() && unlocked.updated.1 != "somebody else", "{:?}", unlocked.updated);
        let read = body_of(send(&server, Method::GET, PATH).await, 200).await;
        assert_eq!((&read["lockedFlag"], read.get("lockedBy")), (&json!(false), None));
        assert_eq!(send(&server, Method::DELETE, PATH).await.status(), 200);
    }
}
