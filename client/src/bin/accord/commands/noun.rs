//! A noun alone lists: `accord keys` is `accord keys list`, with the same options.

use clap::{
    ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, error::ErrorKind,
    parser::ValueSource,
};
use std::marker::PhantomData;

/// The commands of a noun. Without one of them, the options are those of its list.
pub struct Noun<L, C> {
    /// The command.
    pub command: C,
    list: PhantomData<L>,
}

impl<L: Args, C: Subcommand + From<L>> Args for Noun<L, C> {
    fn augment_args(command: Command) -> Command {
        // The text of the noun, in place of that of its list.
        let about = command.get_about().cloned();
        let command = C::augment_subcommands(L::augment_args(command));
        let command = match about {
            Some(about) => command.about(about).long_about(None),
            None => command,
        };
        command
            .subcommand_required(false)
            .arg_required_else_help(false)
            .subcommand_negates_reqs(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<L: Args, C: Subcommand + From<L>> FromArgMatches for Noun<L, C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let command = match matches.subcommand_name() {
            Some(name) => {
                refuse_options_of_list::<L>(matches, name)?;
                C::from_arg_matches(matches)?
            }
            None => L::from_arg_matches(matches)?.into(),
        };
        Ok(Self {
            command,
            list: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Refuses an option of the list before another command, which would ignore it.
fn refuse_options_of_list<L: Args>(matches: &ArgMatches, name: &str) -> Result<(), Error> {
    let list = L::augment_args(Command::new("list"));
    let mut options = list.get_arguments();
    let given = options.find(|option| {
        matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
    });
    match given.and_then(|option| option.get_long()) {
        Some(option) => Err(Error::raw(
            ErrorKind::ArgumentConflict,
            format!("--{option} is before {name}; write it after {name}\n"),
        )),
        None => Ok(()),
    }
}
