//! Accord's own tool: `cargo xtask <command>`.
//!
//! One file per command. A command does its work through the libraries. Its exit code is 0
//! for success, 1 if the check failed, and 2 if the check could not run.

mod built;
mod color;
mod commands;
mod compile;
mod edited;
mod format;
mod guided;
mod licenses;
mod links;
mod outcome;
mod panics;
mod places;
mod project;
mod prose;
mod repository;
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
    Check(commands::check::Arguments),
    Cluster(commands::cluster::Arguments),
    Bundle(commands::bundle::Arguments),
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
    let result = match Arguments::parse().command {
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Cluster(arguments) => commands::cluster::run(&arguments),
        Command::Bundle(arguments) => commands::bundle::run(&arguments),
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
