//! Accord's own tool: `cargo xtask <command>`.
//!
//! One file per command. A command does its work through the libraries. Its exit code is 0
//! for success, 1 if the check failed, and 2 if the check could not run.

mod built;
mod color;
mod commands;
mod compile;
mod edited;
mod files;
mod format;
mod guided;
mod licenses;
mod links;
mod outcome;
mod output;
mod pages;
mod panics;
mod places;
mod project;
mod prose;
mod repository;
mod running;
mod times;
mod tools;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use outcome::Outcome;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bench(commands::bench::Arguments),
    Bundle(commands::bundle::Arguments),
    Check(commands::check::Arguments),
    Cluster(commands::cluster::Arguments),
    Corpus(commands::corpus::Arguments),
    Diff(commands::diff::Arguments),
    Format(commands::format::Arguments),
    Image(commands::image::Arguments),
    Judge(commands::judge::Arguments),
    Licenses(commands::licenses::Arguments),
    Lint(commands::lint::Arguments),
    Lsp(commands::lsp::Arguments),
    Mutate(commands::mutate::Arguments),
    New(commands::new::Arguments),
    Package(commands::package::Arguments),
    PackageDeb(commands::package_deb::Arguments),
    Pictures(commands::pictures::Arguments),
    Regenerate(commands::regenerate::Arguments),
    Release(commands::release::Arguments),
    Serve(commands::serve::Arguments),
    Test(commands::test::Arguments),
    Tour(commands::tour::Arguments),
    Watch(commands::watch::Arguments),
}

fn main() -> ExitCode {
    panics::hide_closed_output();
    let result = match Arguments::parse().command {
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Bundle(arguments) => commands::bundle::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Cluster(arguments) => commands::cluster::run(&arguments),
        Command::Corpus(arguments) => commands::corpus::run(&arguments),
        Command::Diff(arguments) => commands::diff::run(&arguments),
        Command::Format(arguments) => commands::format::run(&arguments),
        Command::Image(arguments) => commands::image::run(&arguments),
        Command::Judge(arguments) => commands::judge::run(&arguments),
        Command::Licenses(arguments) => commands::licenses::run(&arguments),
        Command::Lint(arguments) => commands::lint::run(&arguments, Arguments::command()),
        Command::Lsp(arguments) => commands::lsp::run(&arguments),
        Command::Mutate(arguments) => commands::mutate::run(&arguments),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Package(arguments) => commands::package::run(&arguments),
        Command::PackageDeb(arguments) => commands::package_deb::run(&arguments),
        Command::Pictures(arguments) => commands::pictures::run(&arguments),
        Command::Regenerate(arguments) => commands::regenerate::run(&arguments),
        Command::Release(arguments) => commands::release::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Test(arguments) => commands::test::run(&arguments),
        Command::Tour(arguments) => commands::tour::run(&arguments),
        Command::Watch(arguments) => commands::watch::run(&arguments),
    };
    match result {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Failure) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands whose texts are wider than clap's lines: those would break within a sentence or a command.
    fn wide(command: &clap::Command) -> Vec<String> {
        let texts = [command.get_after_help(), command.get_after_long_help()];
        let texts = texts.into_iter().flatten().map(ToString::to_string);
        let is_wide = |text: &str| text.lines().any(|line| line.chars().count() > 100);
        let own = texts.filter(|text| is_wide(text));
        let own = own.map(|_| command.get_name().to_owned());
        own.chain(command.get_subcommands().flat_map(wide))
            .collect()
    }

    #[test]
    fn the_texts_below_the_options_fit_100_columns() {
        assert_eq!(wide(&Arguments::command()), [""; 0]);
    }

    /// The commands of a page, in its blocks and in its sentences.
    fn commands(page: &str) -> Vec<String> {
        let prose = page.split("```").step_by(2);
        let code = prose.flat_map(|text| text.split('`').skip(1).step_by(2));
        // A comment may follow.
        let lines = page.lines().filter_map(|line| line.split(" #").next());
        let all = lines.chain(code);
        let all = all.map(|command| command.split_whitespace().collect::<Vec<_>>().join(" "));
        all.filter(|command| command.starts_with("cargo xtask "))
            .collect()
    }

    #[test]
    fn the_commands_of_the_pages_exist() {
        let mut count = 0;
        for page in prose::PAGES {
            let text = std::fs::read_to_string(repository::root().join(page)).expect("a page");
            for command in commands(&text) {
                count += 1;
                let names = command.trim_start_matches("cargo xtask ");
                if names.contains(", ") {
                    for name in names.split(", ") {
                        let known = Arguments::command().find_subcommand(name).is_some();
                        assert!(known, "{page}: {name}");
                    }
                } else if names != "<command>"
                    && let Err(error) = Arguments::try_parse_from(command.split(' ').skip(1))
                {
                    panic!("{page}: {command}: {error}");
                }
            }
        }
        assert!(count > 50, "{count} commands");
    }

    #[test]
    fn the_commands_of_a_page_are_in_blocks_and_sentences() {
        let page = "Run `cargo xtask\nlint` or `lint`.\n\n```sh\ncargo xtask test --fast  # x\n```\n\n`cargo xtask a`\n";
        let expected = [
            "cargo xtask test --fast",
            "cargo xtask lint",
            "cargo xtask a",
        ];
        assert_eq!(commands(page), expected);
    }
}
