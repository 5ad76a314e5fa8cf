//! A run of the binary that is looked at, and stopped, while it works.

use bailiwick_tests::{Answer, World, binary, cache};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};

pub(crate) struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
}

impl Running {
    pub(crate) fn start(world: &World, arguments: &[&str]) -> Self {
        let mut child = Command::new(binary())
            .args(arguments)
            .current_dir(world.base())
            .env_remove("BAILIWICK_MODEL")
            .env("BAILIWICK_STATE_DIR", world.state())
            .env("BAILIWICK_CACHE_DIR", cache())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, said: String::new() }
    }

    /// Waits until it says a line with these words; false when it ended without.
    pub(crate) fn says(&mut self, words: &str) -> bool {
        loop {
            let before = self.said.len();
            if self.stderr.read_line(&mut self.said).unwrap() == 0 {
                return false;
            }
            if self.said[before..].contains(words) {
                return true;
            }
        }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        // It may have ended just now.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Waits for its end. A signal that ended it is 128 and its number.
    pub(crate) fn end(mut self) -> Answer {
        use std::os::unix::process::ExitStatusExt;
        let mut stdout = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        self.stderr.read_to_string(&mut self.said).unwrap();
        let status = self.child.wait().unwrap();
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap());
        Answer { code, stdout, stderr: self.said.clone() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
