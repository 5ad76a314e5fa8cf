//! `wasi:io/poll`: waiting for several things at once, as long as the call lasts and no longer.

use crate::fs::{Files, Stop};
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::sync::io::poll::{Host, HostPollable, Pollable};
use wasmtime_wasi_io::bindings::wasi::io::poll as inner;

impl Host for Files {
    fn poll(&mut self, pollables: Vec<Resource<Pollable>>) -> wasmtime::Result<Vec<u32>> {
        self.count("poll")?;
        // There are no more than handles; a list that is longer names some of them again.
        if pollables.len() > self.most_handles() {
            return Err(wasmtime::Error::new(Stop::Handles));
        }
        let wait_deadline = self.wait_deadline();
        wait_deadline.wait(inner::Host::poll(&mut self.table, pollables))?
    }
}

impl HostPollable for Files {
    fn ready(&mut self, pollable: Resource<Pollable>) -> wasmtime::Result<bool> {
        self.count("pollable.ready")?;
        let wait_deadline = self.wait_deadline();
        wait_deadline.wait(inner::HostPollable::ready(&mut self.table, pollable))?
    }

    fn block(&mut self, pollable: Resource<Pollable>) -> wasmtime::Result<()> {
        self.count("pollable.block")?;
        let wait_deadline = self.wait_deadline();
        wait_deadline.wait(inner::HostPollable::block(&mut self.table, pollable))?
    }

    fn drop(&mut self, pollable: Resource<Pollable>) -> wasmtime::Result<()> {
        inner::HostPollable::drop(&mut self.table, pollable)
    }
}
