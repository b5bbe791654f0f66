//! A noun alone lists, an empty list says so, and each command has a manual page.

use crate::command::{command, stderr, stdout};
use crate::script::{JSON, Script};
use accord_testing::FakeAccord;
use std::{process::Output, time::Duration};

async fn accord(address: &str, arguments: &[&str]) -> Output {
    let mut command = command(address);
    let command = command.args(["--token", "t", "--api-key", "sk"]);
    command.args(arguments).output().await.expect("it runs")
}

/// The commands in a help.
fn commands(help: &str) -> Vec<String> {
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let named = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = named.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// The required options of a list.
fn options(noun: &str) -> &'static [&'static str] {
    match noun {
        "keys" => &["--compartment", "compartment.demo"],
        "patterns" => &["--instance", "design-eu-1", "--project", "RETAIL"],
        _ => &[],
    }
}

#[tokio::test]
async fn a_noun_alone_lists() {
    let fake = FakeAccord::start().await;
    let mut lists = Vec::new();
    for noun in commands(&stdout(&accord(fake.url(), &["--help"]).await)) {
        let help = stdout(&accord(fake.url(), &[&noun, "--help"]).await);
        if !commands(&help).contains(&"list".to_owned()) {
            continue;
        }
        for json in [&[][..], &["--json"]] {
            let alone = accord(fake.url(), &[json, &[&noun], options(&noun)].concat()).await;
            let list = [json, &[&noun, "list"], options(&noun)].concat();
            let listed = accord(fake.url(), &list).await;
            assert!(listed.status.success(), "{noun}: {}", stderr(&listed));
            assert!(alone.status.success(), "{noun}: {}", stderr(&alone));
            assert_eq!(stdout(&alone), stdout(&listed), "{noun}");
        }
        lists.push(noun);
    }
    assert_eq!(lists, ["orgs", "apps", "keys", "models", "patterns"]);
}

#[tokio::test]
async fn a_noun_alone_needs_the_options_of_its_list_and_other_commands_take_none_of_them() {
    let fake = FakeAccord::start().await;
    for (arguments, words) in [
        (&["keys"][..], "--compartment <ID>"),
        (&["patterns", "--project", "p"], "--instance <NAME>"),
        (
            &["keys", "--name", "a", "get", "apikey.local.a"],
            "--name is before get; write it after get",
        ),
        (
            &["keys", "--json", "gett"],
            "unrecognized subcommand 'gett'",
        ),
    ] {
        let output = accord(fake.url(), arguments).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    // A variable for the list is one for the other commands, too.
    let mut command = command(fake.url());
    let command = command.args(["--token", "t", "patterns", "get", "A|01.00.0000"]);
    let command = command.args(["--project", "RETAIL"]);
    let output = command.env("ACCORD_INSTANCE", "design-eu-1").output().await;
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[tokio::test]
async fn an_empty_list_says_what_is_missing_and_how_to_create_it() {
    let script = Script::serve(|request| {
        let body = match request {
            keys if keys.contains("/apikeys") => r#"{"items":[]}"#,
            models if models.contains("/models") => r#"{"object":"list","data":[]}"#,
            _ => "[]",
        };
        (Duration::ZERO, (JSON, body.to_owned()))
    })
    .await;
    for (noun, words) in [
        ("keys", "no API keys; `accord keys create NAME"),
        ("models", "No model is listed for this API key; "),
        ("orgs", "no organization; the operator adds"),
        ("apps", "no application instance; the operator adds"),
    ] {
        let output = accord(&script.address, &[&[noun], options(noun)].concat()).await;
        assert!(output.status.success(), "{noun}: {}", stderr(&output));
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
        let json = [&["--json", noun], options(noun)].concat();
        assert_eq!(stdout(&accord(&script.address, &json).await), "[]\n");
    }
    let output = accord(&script.address, &["chat", "Hi"]).await;
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains("no policy lets it call one, or the region has none"),
        "{said}"
    );
}

#[tokio::test]
async fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a directory");
    let pages = folder.path().join("man1");
    let arguments = ["man", pages.to_str().expect("a path")];
    let output = accord("http://127.0.0.1:1", &arguments).await;
    assert!(output.status.success(), "{}", stderr(&output));
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).expect("a page");
    assert!(page("accord.1").contains("accord\\-keys(1)"));
    assert!(page("accord-keys-create.1").contains("\\-\\-compartment"));
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let output = accord(
        "http://127.0.0.1:1",
        &["man", file.to_str().expect("a path")],
    )
    .await;
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("cannot be written"),
        "{}",
        stderr(&output)
    );
}
