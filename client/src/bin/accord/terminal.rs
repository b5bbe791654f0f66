//! A terminal of tests.

use std::{
    io,
    sync::{Arc, Mutex},
};

/// A terminal of 60 columns, with the last written text.
#[derive(Debug, Clone, Default)]
pub struct Terminal(Arc<Mutex<String>>);

impl Terminal {
    /// The text in the last line.
    pub fn text(&self) -> String {
        self.0.lock().expect("no panic").clone()
    }
}

impl indicatif::TermLike for Terminal {
    fn width(&self) -> u16 {
        60
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.lock().expect("no panic").push_str(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.lock().expect("no panic").clear();
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
