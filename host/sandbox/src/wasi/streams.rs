//! `wasi:io/streams` and `/error`, over files that are open already, over the standard streams, and over whatever else
//! has put a stream of wasmtime-wasi into the table.

use crate::fs::{Files, file_errno};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, ReadWriteFlags};
use wasmtime::component::Resource;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::io::poll::Pollable;
use wasmtime_wasi::p2::bindings::sync::io::streams::{
    self, Host, HostInputStream, HostOutputStream, InputStream, OutputStream,
};
use wasmtime_wasi::p2::{StreamError, StreamResult, subscribe};
use wasmtime_wasi_io::bindings::wasi::io::{error, streams as inner};

/// Bytes that one read or write of a stream moves at most.
const MOST: usize = 256 << 10;

/// Where an input stream of ours comes from.
pub(crate) enum Input {
    /// Standard input: it has ended.
    Ended,
    /// A file that was opened for reading, from here on.
    File { handle: OwnedFd, position: u64 },
}

/// Where an output stream of ours goes to.
pub(crate) enum Output {
    /// Standard output or error.
    Said,
    /// A file that was opened for writing, from here on.
    File { handle: OwnedFd, position: u64 },
    /// The end of such a file, wherever it is by then.
    End { handle: OwnedFd },
}

/// Files never block, and neither does a stream that has ended or is dropped.
#[wasmtime_wasi_io::async_trait]
impl wasmtime_wasi::p2::Pollable for Input {
    async fn ready(&mut self) {}
}

#[wasmtime_wasi_io::async_trait]
impl wasmtime_wasi::p2::Pollable for Output {
    async fn ready(&mut self) {}
}

/// What a file operation behind a stream said, for `filesystem-error-code`.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("{}", .0.name())]
pub(crate) struct FileFailed(pub(crate) ErrorCode);

fn failed(errno: Errno) -> StreamError {
    StreamError::LastOperationFailed(wasmtime::Error::new(FileFailed(file_errno(errno))))
}

/// A guest asks for what it likes; it gets no more than this.
fn bounded(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX).min(MOST)
}

impl Files {
    /// Counts the call, which traps once the deadline has passed.
    fn stream(&mut self, operation: &'static str) -> StreamResult<()> {
        self.count(operation).map_err(|stop| StreamError::Trap(wasmtime::Error::new(stop)))
    }

    fn stop<T>(stopped: Result<StreamResult<T>, crate::fs::Stop>) -> StreamResult<T> {
        stopped.map_err(|stop| StreamError::Trap(wasmtime::Error::new(stop)))?
    }

    /// The stream, if it is ours.
    fn input(&mut self, stream: &Resource<InputStream>) -> Option<&mut Input> {
        self.table.get_mut(&Resource::<Input>::new_borrow(stream.rep())).ok()
    }

    fn output(&mut self, stream: &Resource<OutputStream>) -> Option<&mut Output> {
        self.table.get_mut(&Resource::<Output>::new_borrow(stream.rep())).ok()
    }

    /// `None` for a stream that is not ours.
    fn read_ours(&mut self, stream: &Resource<InputStream>, length: u64) -> Option<StreamResult<Vec<u8>>> {
        let (handle, position) = match self.input(stream)? {
            Input::Ended => return Some(Err(StreamError::Closed)),
            Input::File { handle, position } => (handle, position),
        };
        let mut bytes = Vec::with_capacity(bounded(length));
        if length == 0 {
            return Some(Ok(bytes));
        }
        let count = match rustix::io::pread(&*handle, rustix::buffer::spare_capacity(&mut bytes), *position) {
            Ok(0) => return Some(Err(StreamError::Closed)),
            Ok(count) => count as u64,
            Err(errno) => return Some(Err(failed(errno))),
        };
        *position += count;
        self.spent.read_bytes += count;
        Some(Ok(bytes))
    }

    /// Writes all of it.
    fn write_ours(&mut self, stream: &Resource<OutputStream>, bytes: &[u8]) -> Option<StreamResult<()>> {
        match self.output(stream)? {
            Output::Said => {
                self.said.take(bytes);
                Some(Ok(()))
            }
            Output::File { .. } | Output::End { .. } => Some(self.write_file(stream, bytes)),
        }
    }

    fn write_file(&mut self, stream: &Resource<OutputStream>, bytes: &[u8]) -> StreamResult<()> {
        if bytes.len() > MOST {
            return Err(StreamError::trap("more was written than `check-write` allows"));
        }
        let gap = match self.output(stream) {
            Some(Output::File { handle, position }) => {
                let size = rustix::fs::fstat(&*handle).map_err(failed)?.st_size;
                position.saturating_sub(u64::try_from(size).unwrap_or(0))
            }
            _ => 0,
        };
        let charged = self.charge(gap.saturating_add(bytes.len() as u64));
        charged.map_err(|error| match error.downcast() {
            Ok(code) => StreamError::LastOperationFailed(wasmtime::Error::new(FileFailed(code))),
            Err(trap) => StreamError::Trap(trap),
        })?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let written = match self.output(stream) {
                Some(Output::File { handle, position }) => {
                    let written = rustix::io::pwrite(&*handle, rest, *position).map_err(failed)?;
                    *position += written as u64;
                    written
                }
                Some(Output::End { handle }) => {
                    let pieces = [std::io::IoSlice::new(rest)];
                    rustix::io::pwritev2(&*handle, &pieces, 0, ReadWriteFlags::APPEND).map_err(failed)?
                }
                Some(Output::Said) | None => return Err(StreamError::Closed),
            };
            if written == 0 {
                return Err(failed(Errno::IO));
            }
            rest = &rest[written..];
        }
        Ok(())
    }
}

impl Host for Files {
    fn convert_stream_error(&mut self, error: StreamError) -> wasmtime::Result<streams::StreamError> {
        match error {
            StreamError::Closed => Ok(streams::StreamError::Closed),
            StreamError::LastOperationFailed(error) => {
                Ok(streams::StreamError::LastOperationFailed(self.table.push(error)?))
            }
            StreamError::Trap(trap) => Err(trap),
        }
    }
}

impl error::Host for Files {}

impl error::HostError for Files {
    /// Without the causes behind it, which are the host's.
    fn to_debug_string(&mut self, error: Resource<streams::Error>) -> wasmtime::Result<String> {
        Ok(self.table.get(&error)?.to_string())
    }

    fn drop(&mut self, error: Resource<streams::Error>) -> wasmtime::Result<()> {
        self.table.delete(error)?;
        Ok(())
    }
}

impl HostInputStream for Files {
    fn read(&mut self, stream: Resource<InputStream>, length: u64) -> StreamResult<Vec<u8>> {
        self.stream("input-stream.read")?;
        match self.read_ours(&stream, length) {
            Some(read) => read,
            None => inner::HostInputStream::read(&mut self.table, stream, bounded(length) as u64),
        }
    }

    fn blocking_read(&mut self, stream: Resource<InputStream>, length: u64) -> StreamResult<Vec<u8>> {
        self.stream("input-stream.blocking-read")?;
        if let Some(read) = self.read_ours(&stream, length) {
            return read;
        }
        let wait_deadline = self.wait_deadline();
        let length = bounded(length) as u64;
        Self::stop(wait_deadline.wait(inner::HostInputStream::blocking_read(&mut self.table, stream, length)))
    }

    fn skip(&mut self, stream: Resource<InputStream>, length: u64) -> StreamResult<u64> {
        self.read(stream, length).map(|bytes| bytes.len() as u64)
    }

    fn blocking_skip(&mut self, stream: Resource<InputStream>, length: u64) -> StreamResult<u64> {
        self.blocking_read(stream, length).map(|bytes| bytes.len() as u64)
    }

    fn subscribe(&mut self, stream: Resource<InputStream>) -> wasmtime::Result<Resource<Pollable>> {
        self.count("input-stream.subscribe")?;
        match self.input(&stream) {
            Some(_) => subscribe(&mut self.table, Resource::<Input>::new_borrow(stream.rep())),
            None => inner::HostInputStream::subscribe(&mut self.table, stream),
        }
    }

    fn drop(&mut self, stream: Resource<InputStream>) -> wasmtime::Result<()> {
        if self.input(&stream).is_some() {
            self.table.delete(Resource::<Input>::new_own(stream.rep()))?;
            return Ok(());
        }
        let wait_deadline = self.wait_deadline();
        wait_deadline.wait(inner::HostInputStream::drop(&mut self.table, stream))?
    }
}

impl HostOutputStream for Files {
    fn check_write(&mut self, stream: Resource<OutputStream>) -> StreamResult<u64> {
        self.stream("output-stream.check-write")?;
        match self.output(&stream) {
            Some(_) => Ok(MOST as u64),
            None => inner::HostOutputStream::check_write(&mut self.table, stream),
        }
    }

    fn write(&mut self, stream: Resource<OutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        self.stream("output-stream.write")?;
        match self.write_ours(&stream, &bytes) {
            Some(written) => written,
            None => inner::HostOutputStream::write(&mut self.table, stream, bytes),
        }
    }

    fn blocking_write_and_flush(&mut self, stream: Resource<OutputStream>, bytes: Vec<u8>) -> StreamResult<()> {
        self.stream("output-stream.blocking-write-and-flush")?;
        if let Some(written) = self.write_ours(&stream, &bytes) {
            return written;
        }
        let wait_deadline = self.wait_deadline();
        Self::stop(wait_deadline.wait(inner::HostOutputStream::blocking_write_and_flush(
            &mut self.table,
            stream,
            bytes,
        )))
    }

    fn write_zeroes(&mut self, stream: Resource<OutputStream>, length: u64) -> StreamResult<()> {
        if bounded(length) as u64 != length {
            return Err(StreamError::trap("more was written than `check-write` allows"));
        }
        self.write(stream, vec![0; bounded(length)])
    }

    fn blocking_write_zeroes_and_flush(&mut self, stream: Resource<OutputStream>, length: u64) -> StreamResult<()> {
        if bounded(length) as u64 != length {
            return Err(StreamError::trap("more was written than `check-write` allows"));
        }
        self.blocking_write_and_flush(stream, vec![0; bounded(length)])
    }

    fn flush(&mut self, stream: Resource<OutputStream>) -> StreamResult<()> {
        self.stream("output-stream.flush")?;
        match self.output(&stream) {
            Some(_) => Ok(()),
            None => inner::HostOutputStream::flush(&mut self.table, stream),
        }
    }

    fn blocking_flush(&mut self, stream: Resource<OutputStream>) -> StreamResult<()> {
        self.stream("output-stream.blocking-flush")?;
        if self.output(&stream).is_some() {
            return Ok(());
        }
        let wait_deadline = self.wait_deadline();
        Self::stop(wait_deadline.wait(inner::HostOutputStream::blocking_flush(&mut self.table, stream)))
    }

    fn subscribe(&mut self, stream: Resource<OutputStream>) -> wasmtime::Result<Resource<Pollable>> {
        self.count("output-stream.subscribe")?;
        match self.output(&stream) {
            Some(_) => subscribe(&mut self.table, Resource::<Output>::new_borrow(stream.rep())),
            None => inner::HostOutputStream::subscribe(&mut self.table, stream),
        }
    }

    fn splice(
        &mut self,
        stream: Resource<OutputStream>,
        from: Resource<InputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        let room = HostOutputStream::check_write(self, Resource::new_borrow(stream.rep()))?;
        let bytes = HostInputStream::read(self, from, length.min(room))?;
        let count = bytes.len() as u64;
        HostOutputStream::write(self, stream, bytes)?;
        Ok(count)
    }

    fn blocking_splice(
        &mut self,
        stream: Resource<OutputStream>,
        from: Resource<InputStream>,
        length: u64,
    ) -> StreamResult<u64> {
        // What is written at once is what one blocking write takes.
        let bytes = HostInputStream::blocking_read(self, from, length.min(4096))?;
        let count = bytes.len() as u64;
        HostOutputStream::blocking_write_and_flush(self, stream, bytes)?;
        Ok(count)
    }

    fn drop(&mut self, stream: Resource<OutputStream>) -> wasmtime::Result<()> {
        if self.output(&stream).is_some() {
            self.table.delete(Resource::<Output>::new_own(stream.rep()))?;
            return Ok(());
        }
        let wait_deadline = self.wait_deadline();
        wait_deadline.wait(inner::HostOutputStream::drop(&mut self.table, stream))?
    }
}
