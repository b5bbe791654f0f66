//! Tests of the language server: a client of the protocol drives the real process, and so does a
//! real editor.

mod checks;
mod editor;
mod navigation;
mod neovim;
mod protocol;
mod typing;
mod words;
