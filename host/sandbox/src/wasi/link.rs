//! Which interface is answered by what.

use super::View;
use crate::capabilities::Part;
use crate::fs::{self, Files};
use crate::http;
use crate::rich;
use crate::state::{HasFiles, State};
use wasmtime::component::{HasData, Linker};
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, random, sockets, sync};
use wasmtime_wasi::sockets::{WasiSockets, WasiSocketsCtxView};
use wasmtime_wasi_io::bindings::wasi::io;

/// Names the part of the state that clocks, random bytes and the environment come from.
struct HasWorld;

impl HasData for HasWorld {
    type Data<'a> = View<'a>;
}

fn files(state: &mut State) -> &mut Files {
    &mut state.files
}

fn world(state: &mut State) -> View<'_> {
    View { files: &mut state.files, world: &mut state.world }
}

fn no_sockets(state: &mut State) -> WasiSocketsCtxView<'_> {
    WasiSocketsCtxView { ctx: &mut state.world.sockets, table: &mut state.files.table }
}

/// Links one part, whole.
pub(crate) fn add(part: Part, linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let l = linker;
    match part {
        Part::Files => {
            sync::filesystem::types::add_to_linker::<State, HasFiles>(l, files)?;
            filesystem::preopens::add_to_linker::<State, HasFiles>(l, files)?;
        }
        Part::Directories => fs::link_directories(l)?,
        Part::Notices => rich::link(l, |state| &mut state.notices)?,
        Part::Http => http::link(l, |state| state.requests.view(&mut state.files.table))?,
        Part::Io => {
            io::error::add_to_linker::<State, HasFiles>(l, files)?;
            sync::io::poll::add_to_linker::<State, HasFiles>(l, files)?;
            sync::io::streams::add_to_linker::<State, HasFiles>(l, files)?;
        }
        Part::Clocks => {
            clocks::wall_clock::add_to_linker::<State, HasWorld>(l, world)?;
            clocks::monotonic_clock::add_to_linker::<State, HasWorld>(l, world)?;
        }
        Part::Random => {
            random::random::add_to_linker::<State, HasWorld>(l, world)?;
            random::insecure::add_to_linker::<State, HasWorld>(l, world)?;
            random::insecure_seed::add_to_linker::<State, HasWorld>(l, world)?;
        }
        Part::Environment => cli::environment::add_to_linker::<State, HasWorld>(l, world)?,
        Part::Rest => {
            cli::exit::add_to_linker::<State, HasFiles>(l, files)?;
            cli::stdin::add_to_linker::<State, HasFiles>(l, files)?;
            cli::stdout::add_to_linker::<State, HasFiles>(l, files)?;
            cli::stderr::add_to_linker::<State, HasFiles>(l, files)?;
            cli::terminal_input::add_to_linker::<State, HasFiles>(l, files)?;
            cli::terminal_output::add_to_linker::<State, HasFiles>(l, files)?;
            cli::terminal_stdin::add_to_linker::<State, HasFiles>(l, files)?;
            cli::terminal_stdout::add_to_linker::<State, HasFiles>(l, files)?;
            cli::terminal_stderr::add_to_linker::<State, HasFiles>(l, files)?;
            sockets::instance_network::add_to_linker::<State, HasFiles>(l, files)?;
            let options = sockets::network::LinkOptions::default();
            sockets::network::add_to_linker::<State, HasFiles>(l, &options, files)?;
            sockets::ip_name_lookup::add_to_linker::<State, HasFiles>(l, files)?;
            sockets::tcp_create_socket::add_to_linker::<State, HasFiles>(l, files)?;
            sync::sockets::udp_create_socket::add_to_linker::<State, HasFiles>(l, files)?;
            sync::sockets::tcp::add_to_linker::<State, WasiSockets>(l, no_sockets)?;
            sync::sockets::udp::add_to_linker::<State, WasiSockets>(l, no_sockets)?;
        }
    }
    Ok(())
}
