//! The pages of users and organizations, for administrators.

use accord_server::mail::outbox;

use super::signed_in;
use crate::accounts::count;
use crate::harness::{Server, both_databases, commands};
use crate::identity::browser::{Browser, Page};
use crate::identity::client::PASSWORD;

const BEN: &str = "ben@north.example";
const HEAD: &str =
    "emailAddress,firstName,lastName,language,hubOrganizationId,setPassword,collab\n";

/// Renames a table, so that no statement finds it under its earlier name.
async fn rename(server: &Server, from: &str, to: &str) {
    let statement = format!("ALTER TABLE {from} RENAME TO {to}");
    server.write(move |tx| tx.execute(&statement, &[])).await;
}

/// Fills the form for a new user and sends it.
async fn create(browser: &mut Browser, changes: &[(&str, &str)]) -> Page {
    let form = browser.get("/ui/v1/users/new").await;
    let once = form.field("once").unwrap_or_default().to_owned();
    let mut fields = vec![
        ("once", once.as_str()),
        ("email", "Mira@North.example"),
        ("first_name", "Mira"),
        ("middle_name", ""),
        ("last_name", "Lund"),
        ("organization", "3104"),
        ("language", "en"),
        ("mail", "yes"),
        ("workplace", ""),
        ("projects", ""),
    ];
    for (name, value) in changes {
        fields.retain(|(one, _)| one != name);
        fields.push((name, value));
    }
    browser.submit("/ui/v1/users/new", &fields).await
}

both_databases! {
    async fn an_administrator_sees_the_users_of_their_organizations(server: Server) {
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/users").await;
        for part in ["North Works", "North Archive", "ana@north.example", BEN, "aria-current=\"page\">Users</a>"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert!(!page.body.contains("South Yards"), "{}", page.body);
        assert_eq!(page.body.matches("state active").count(), 2);
        commands::succeed(&server, &["users", "disable", BEN]).await;
        let page = browser.get("/ui/v1/users?organization=3104").await;
        assert!(page.body.contains("Users of organization 3104") && page.body.contains("Disabled"), "{}", page.body);
        let page = browser.get("/ui/v1/users?organization=3190").await;
        assert!(page.body.contains("No users.") && !page.body.contains(BEN), "{}", page.body);
        for organization in ["4210", "x"] {
            assert_eq!(browser.get(&format!("/ui/v1/users?organization={organization}")).await.status, 404);
        }
    }

    async fn a_long_list_of_users_has_pages(server: Server) {
        let copy = "INSERT INTO hub_users (id, email, email_address, first_name, last_name, language, organization_id, \
            communication_email, created_at) SELECT $1, $1, $1, first_name, last_name, language, organization_id, $1, \
            created_at FROM hub_users WHERE id = 'ben'";
        server.write(move |tx| {
            for number in 10..65 {
                tx.execute(copy, accord_server::params![format!("c{number}@north.example")])?;
            }
            Ok(())
        }).await;
        let mut browser = signed_in(&server).await;
        let page = browser.get("/ui/v1/users").await;
        assert!(page.body.contains("c57@") && !page.body.contains("c58@"), "{}", page.body);
        let page = browser.get("/ui/v1/users?organization=&after=c57%40north.example").await;
        assert!(page.body.contains("c58@") && page.body.contains("c64@"), "{}", page.body);
        assert!(!page.body.contains("More users") && page.body.contains("No password yet"), "{}", page.body);
    }

    async fn a_created_user_gets_a_mail_and_a_profile_and_the_form_works_once(server: Server) {
        let mut browser = signed_in(&server).await;
        let form = browser.get("/ui/v1/users/new").await;
        assert!(form.body.contains("<option value=\"72:5202\""), "{}", form.body);
        assert!(!form.body.contains("79:5290") && !form.body.contains("5310"), "closed, and of others");
        let once = form.field("once").unwrap().to_owned();
        let more = [("once", once.as_str()), ("workplace", "72:5202"), ("projects", "QUAY-7, MOON")];
        for _ in 0..2 {
            let page = create(&mut browser, &more).await;
            assert_eq!(page.status, 200, "{}", page.body);
            for part in ["Mira Lund", "Mira@North.example", "is on its way", "Not invited to unknown projects: MOON."] {
                assert!(page.body.contains(part), "{part}: {}", page.body);
            }
        }
        assert_eq!(count(&server, "hub_users").await, 3);
        assert_eq!(count(&server, "collab_profiles").await, 2);
        let mails = server.read(|tx| outbox::list(tx, None, 100)).await.readable;
        let mut kinds: Vec<_> = mails.iter().map(|mail| mail.about.kind()).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, ["invited", "set-password"]);
        let page = create(&mut browser, &[("once", &once), ("first_name", "Nora")]).await;
        assert!(page.status == 409 && page.body.contains("This form was used before"), "{}", page.body);
        let listed = commands::json(&server, &["audit", "list", "--action", "accounts."]).await;
        let actions: Vec<_> = listed.as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["accounts.user.created", "accounts.profile.created"], "{listed}");
        assert_eq!(listed[0]["actor"], "user:ana");
    }

    async fn a_wrong_value_of_a_user_is_a_message_and_creates_nothing(server: Server) {
        let mut browser = signed_in(&server).await;
        for (field, value, status, problem) in [
            ("email", "nobody", 400, "id=\"email-problem\""),
            ("email", "ANA@north.example", 400, "is already a hub username."),
            ("first_name", "", 400, "id=\"first_name-problem\""),
            ("organization", "4210", 403, "You do not administer this organization."),
            ("organization", "9999", 400, "Hub organization 9999 does not exist."),
            ("organization", "3190", 400, "Organization 3190 is closed."),
            ("workplace", "71:9", 400, "has no collab organization 9."),
            ("projects", "LOCK-1", 400, "A project needs a collab organization."),
        ] {
            let page = create(&mut browser, &[(field, value)]).await;
            assert_eq!(page.status, status, "{field}={value}: {}", page.body);
            assert!(page.body.contains(problem), "{field}={value}: {}", page.body);
        }
        for (field, value) in [("workplace", "x"), ("organization", "x"), ("once", "")] {
            assert_eq!(create(&mut browser, &[(field, value)]).await.status, 400, "{field}");
        }
        assert_eq!(count(&server, "hub_users").await, 2);
    }

    async fn rows_are_imported_once_and_failed_ones_come_back_with_their_reason(server: Server) {
        let mut browser = signed_in(&server).await;
        browser.get("/ui/v1/users/import").await;
        let rows = format!(
            "{HEAD}a@north.example,Ann,Lund,en,3104,true,72:5202:QUAY-7\n\
             b@north.example,Bo,Lund,nb,3104,false,\n\
             ben@north.example,Ben,Holm,en,3104,,\n\
             c@south.example,Cy,South,en,4210,,\nnobody,,Lund,en,3104,,\nd@north.example,D,Lund,en,3104,,71\n"
        );
        let page = browser.submit("/ui/v1/users/import", &[("rows", &rows)]).await;
        assert_eq!(page.status, 200, "{}", page.body);
        for part in [
            "<strong>2</strong> created", "<strong>0</strong> created before", "<strong>4</strong> failed",
            "ben@north.example is already a hub username.", "You do not administer this organization.",
            "emailAddress must", "collab: 71 is not of the form", "Correct the failed rows",
        ] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert_eq!(count(&server, "hub_users").await, 4);
        // The failed rows are in the form, with the reason as another column.
        let (_, text) = page.body.split_once("aria-invalid").map_or(("", page.body.as_str()), |parts| parts);
        let text = text.split_once("<textarea").and_then(|(_, rest)| rest.split_once('>')).unwrap().1;
        let text = text.split("</textarea>").next().unwrap();
        assert!(text.contains("ben@north.example,Ben,,Holm") && !text.contains("a@north"), "{text}");
        let mended = text.replace("ben@north", "e@north").replace("&#34;", "\"");
        let page = browser.submit("/ui/v1/users/import", &[("rows", &mended)]).await;
        assert!(page.body.contains("<strong>1</strong> created<"), "{}", page.body);
        let page = browser.submit("/ui/v1/users/import", &[("rows", &rows)]).await;
        assert!(page.body.contains("<strong>2</strong> created before"), "{}", page.body);
        assert_eq!(count(&server, "hub_users").await, 5);
        assert_eq!(count(&server, "collab_profiles").await, 2);
        // No browser shortens a text that is longer than the form expects.
        assert!(!page.body.split("<textarea").nth(1).unwrap().split('>').next().unwrap().contains("maxlength"));
        for (text, problem) in [("", "has no rows"), ("x\ny\n", "cannot be read"), (HEAD, "has no rows")] {
            let page = browser.submit("/ui/v1/users/import", &[("rows", text)]).await;
            assert!(page.status == 400 && page.body.contains(problem), "{text}: {}", page.body);
        }
    }

    async fn an_import_that_stops_reports_the_users_that_it_has_created(server: Server) {
        let mut browser = signed_in(&server).await;
        browser.get("/ui/v1/users/import").await;
        let rows = format!(
            "{HEAD}a@north.example,Ann,Lund,en,3104,,\nb@north.example,Bo,Lund,en,3104,,72:5202\n\
             c@north.example,Cy,Lund,en,3104,,\n"
        );
        rename(&server, "collab_profiles", "aside").await;
        let page = browser.submit("/ui/v1/users/import", &[("rows", &rows)]).await;
        rename(&server, "aside", "collab_profiles").await;
        for part in ["<strong>1</strong> created<", "<strong>2</strong> failed", "The service failed before this row was done."] {
            assert!(page.status == 200 && page.body.contains(part), "{part}: {}", page.body);
        }
        let page = browser.submit("/ui/v1/users/import", &[("rows", &rows)]).await;
        for part in ["<strong>2</strong> created<", "<strong>1</strong> created before"] {
            assert!(page.body.contains(part), "{part}: {}", page.body);
        }
        assert_eq!(count(&server, "hub_users").await, 5);
    }

    async fn a_user_who_administers_nothing_sees_and_creates_nobody(server: Server) {
        let mut browser = Browser::signed_in(&server, BEN, PASSWORD).await;
        let page = browser.get("/ui/v1/users").await;
        assert!(page.status == 200 && page.body.contains("You administer no organization"), "{}", page.body);
        assert!(!page.body.contains("ana@north.example") && !page.body.contains("href=\"/ui/v1/users\""), "{}", page.body);
        for path in ["/ui/v1/users/new", "/ui/v1/users/import"] {
            let page = browser.get(path).await;
            assert!(page.status == 403 && page.body.contains("You administer no organization"), "{}", page.body);
        }
        assert_eq!(create(&mut browser, &[("once", "once")]).await.status, 403);
        let rows = format!("{HEAD}a@north.example,Ann,Lund,en,3104,,\n");
        assert_eq!(browser.submit("/ui/v1/users/import", &[("rows", &rows)]).await.status, 403);
        assert_eq!(count(&server, "hub_users").await, 2);
        for path in ["/ui/v1/users", "/ui/v1/users/new", "/ui/v1/users/import"] {
            let page = Browser::new(&server).get(path).await;
            assert_eq!((page.status, page.header("location")), (303, "/ui/v1/signin?to=users"));
        }
    }
}
