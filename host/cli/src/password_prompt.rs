//! Reads a line from the terminal without showing it.
//!
//! `rpassword` is not used: it leaves the terminal in its line mode, in which a line ends after 4,096 bytes and Ctrl-C ends the process
//! with the echo still off. It also has no limit on the length.

use crate::output;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use std::io::{Read as _, Result, Stdin};

/// Ctrl-C, Ctrl-D, Ctrl-U and the two keys that take a character back.
const INTERRUPT: u8 = 0x03;
const END: u8 = 0x04;
const ALL_BACK: u8 = 0x15;
const BACK: [u8; 2] = [0x08, 0x7f];

/// The terminal as it was, which it is again however reading ends.
struct Unseen {
    stdin: Stdin,
    before: Termios,
}

impl Unseen {
    fn begin() -> Result<Self> {
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin)?;
        let mut quiet = before.clone();
        // Key by key: a line of the terminal's own has 4096 characters at most, and Ctrl-C is to come here, or it would
        // end this process and leave the terminal without its echo.
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON | LocalModes::ISIG);
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Input from before the prompt was echoed, so it is not secret.
        tcsetattr(&stdin, OptionalActions::Flush, &quiet)?;
        Ok(Self { stdin, before })
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        let _ = tcsetattr(&self.stdin, OptionalActions::Drain, &self.before);
    }
}

/// Asks for a line and reads it from the terminal on stdin; `None` when it was broken off. Of a longer one than `most`
/// bytes there is one byte more.
///
/// # Errors
/// The terminal cannot be read or changed.
pub(crate) fn line(question: &str, most: usize) -> Result<Option<Vec<u8>>> {
    let terminal = Unseen::begin()?;
    output::progress(question);
    let mut typed = Vec::new();
    let mut keys = terminal.stdin.lock();
    loop {
        let mut key = [0];
        if keys.read(&mut key)? == 0 {
            return Ok(None);
        }
        match key[0] {
            b'\r' | b'\n' => return Ok(Some(typed)),
            INTERRUPT => return Ok(None),
            END if typed.is_empty() => return Ok(None),
            END => return Ok(Some(typed)),
            ALL_BACK => typed.clear(),
            key if BACK.contains(&key) => drop(typed.pop()),
            key if typed.len() <= most => typed.push(key),
            _ => {}
        }
    }
}
