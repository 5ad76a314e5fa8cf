//! `wasi:cli`: of an environment what was granted, and of the rest what a program without a person has.

use super::{Input, Output, View};
use crate::fs::Files;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::cli::{
    environment, exit, stderr, stdin, stdout, terminal_input, terminal_output, terminal_stderr, terminal_stdin,
    terminal_stdout,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream};

/// The guest ended itself instead of answering.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it ended itself with exit code {0}")]
pub(crate) struct Exit(pub(crate) u8);

impl environment::Host for View<'_> {
    fn get_environment(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        Ok(self.world.capabilities.environment.clone())
    }

    fn get_arguments(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn initial_cwd(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(None)
    }
}

impl exit::Host for Files {
    fn exit(&mut self, status: Result<(), ()>) -> wasmtime::Result<()> {
        self.exit_with_code(u8::from(status.is_err()))
    }

    fn exit_with_code(&mut self, code: u8) -> wasmtime::Result<()> {
        Err(wasmtime::Error::new(Exit(code)))
    }
}

impl stdin::Host for Files {
    fn get_stdin(&mut self) -> wasmtime::Result<Resource<DynInputStream>> {
        Ok(Resource::new_own(self.table.push(Input::Ended)?.rep()))
    }
}

impl stdout::Host for Files {
    fn get_stdout(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        Ok(Resource::new_own(self.table.push(Output::Said)?.rep()))
    }
}

impl stderr::Host for Files {
    fn get_stderr(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        stdout::Host::get_stdout(self)
    }
}

impl terminal_input::Host for Files {}

impl terminal_input::HostTerminalInput for Files {
    fn drop(&mut self, _: Resource<terminal_input::TerminalInput>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl terminal_output::Host for Files {}

impl terminal_output::HostTerminalOutput for Files {
    fn drop(&mut self, _: Resource<terminal_output::TerminalOutput>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl terminal_stdin::Host for Files {
    fn get_terminal_stdin(&mut self) -> wasmtime::Result<Option<Resource<terminal_input::TerminalInput>>> {
        Ok(None)
    }
}

impl terminal_stdout::Host for Files {
    fn get_terminal_stdout(&mut self) -> wasmtime::Result<Option<Resource<terminal_output::TerminalOutput>>> {
        Ok(None)
    }
}

impl terminal_stderr::Host for Files {
    fn get_terminal_stderr(&mut self) -> wasmtime::Result<Option<Resource<terminal_output::TerminalOutput>>> {
        Ok(None)
    }
}
