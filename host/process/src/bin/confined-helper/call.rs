//! Any system call, so that the tests can say by number what a child tries.

use std::ffi::CString;
use std::io;
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixDatagram;

/// Where a call may read and write. Larger than any structure of the calls that the tests name.
const BUFFER_BYTES: usize = 4096;

/// Makes the call. An argument is a number, `buffer` for the address of zeros, or `text=…` for that of a text.
pub(crate) fn call(number: usize, arguments: &[&str]) -> io::Result<String> {
    let mut buffer = vec![0_u8; BUFFER_BYTES];
    let mut texts = Vec::new();
    let mut given = [0_i64; 6];
    for (argument, place) in arguments.iter().zip(&mut given) {
        *place = if *argument == "buffer" {
            buffer.as_mut_ptr() as i64
        } else if let Some(text) = argument.strip_prefix("text=") {
            let text = CString::new(text)?;
            let address = text.as_ptr() as i64;
            texts.push(text);
            address
        } else {
            argument.parse().map_err(io::Error::other)?
        };
    }
    let [a, b, c, d, e, f] = given;
    let number = i64::try_from(number).map_err(io::Error::other)?;
    #[expect(unsafe_code, reason = "the calls that the tests name have no safe form")]
    // SAFETY: The tests name calls that read and write at most `BUFFER_BYTES` at the addresses given here, both of
    // which live until the end of this function.
    let result = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    if number == libc::SYS_clone && result == 0 {
        #[expect(unsafe_code, reason = "the other process must do nothing else")]
        // SAFETY: The call ends the process and does not return.
        unsafe {
            libc::_exit(0)
        }
    }
    drop(texts);
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result.to_string()) }
}

/// Makes a pair of raw sockets, which Linux takes for datagrams, and sends five bytes from one to a socket with a path.
pub(crate) fn datagram(path: &str) -> io::Result<()> {
    let mut pair = [0; 2];
    #[expect(unsafe_code, reason = "std makes pairs of datagrams under their own name alone")]
    // SAFETY: The call writes two descriptors to the array, which this process has not had before.
    let socket = unsafe {
        if libc::socketpair(libc::AF_UNIX, libc::SOCK_RAW, 0, pair.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        UnixDatagram::from_raw_fd(pair[0])
    };
    socket.send_to(b"hello", path).map(drop)
}

/// Ends the calling thread; the others go on.
pub(crate) fn end_thread() -> ! {
    loop {
        #[expect(unsafe_code, reason = "std ends all threads together")]
        // SAFETY: The call takes an integer. What this thread owns is never dropped, which leaks it and no more.
        unsafe {
            libc::syscall(libc::SYS_exit, 0)
        };
    }
}
