//! Things that a confined child must not be able to do, one operation each.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::process::Stdio;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Resource, Signal, getpid, getrlimit, kill_process, setsid, test_kill_process};

/// `done` with what was learnt, or `refused` with the operating system's error.
pub(crate) fn probe(operation: &str, arguments: &[&str]) -> String {
    match attempt(operation, arguments) {
        Ok(learnt) if learnt.is_empty() => "done".to_owned(),
        Ok(learnt) => format!("done {learnt}"),
        Err(error) => format!("refused {:?}: {error}", error.kind()),
    }
}

#[expect(clippy::print_stdout, reason = "what a probe prints is its result")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

fn attempt(operation: &str, arguments: &[&str]) -> io::Result<String> {
    let done = |result: io::Result<()>| result.map(|()| String::new());
    match (operation, arguments) {
        ("read", [path]) => fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into()),
        ("list", [path]) => fs::read_dir(path).map(|entries| entries.count().to_string()),
        ("write", [path]) => done(fs::write(path, "written")),
        ("append", [path]) => {
            done(OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(b"appended")))
        }
        // Opened for reading only, so that nothing but the truncation itself can be refused.
        ("truncate", [path]) => done(OpenOptions::new().read(true).custom_flags(libc::O_TRUNC).open(path).map(drop)),
        ("remove", [path]) => done(fs::remove_file(path)),
        ("rename", [from, to]) => done(fs::rename(from, to)),
        ("link", [from, to]) => done(fs::hard_link(from, to)),
        ("symlink", [target, path]) => done(std::os::unix::fs::symlink(target, path)),
        ("directory", [path]) => done(fs::create_dir(path)),
        ("block-device", [path]) => done(make_block_device(path)),
        ("fifo", [path]) => done(mknodat(CWD, *path, FileType::Fifo, Mode::RWXU, 0).map_err(io::Error::from)),
        ("device-command", [path]) => {
            fs::File::open(path).and_then(|device| Ok(rustix::io::ioctl_fionread(device)?.to_string()))
        }
        ("tcp", [address]) => done(TcpStream::connect(address).map(drop)),
        ("tcp-listen", []) => done(TcpListener::bind("127.0.0.1:0").map(drop)),
        ("udp", [address]) => {
            done(UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.send_to(b"hello", address)).map(drop))
        }
        ("unix", [path]) => done(UnixStream::connect(path).map(drop)),
        ("datagram", [path]) => done(crate::call::datagram(path)),
        ("unix-datagram-pair", []) => done(UnixDatagram::pair().map(drop)),
        ("unix-stream-pair", []) => done(UnixStream::pair().map(drop)),
        ("abstract", [name]) => {
            done(SocketAddr::from_abstract_name(name).and_then(|address| UnixStream::connect_addr(&address)).map(drop))
        }
        ("memory", [pid]) => fs::File::open(format!("/proc/{pid}/mem"))
            .and_then(|mut memory| memory.read(&mut [0]))
            .map(|_| String::new()),
        ("signal", [pid]) => done(test_kill_process(parse(pid)?).map_err(io::Error::from)),
        ("call", [number, arguments @ ..]) => crate::call::call(parse_number(number)?, arguments),
        ("watch", [path]) => done(watch(path)),
        ("thread", []) => std::thread::spawn(|| "ran".to_owned()).join().map_err(|_| io::ErrorKind::Other.into()),
        ("take", [mebibytes]) => take(parse_number(mebibytes)?),
        ("take-behind", [mebibytes]) => take_behind(parse_number(mebibytes)?),
        ("above", []) => above(),
        ("status", []) => fs::read_to_string("/proc/self/status"),
        ("network-namespace", []) => fs::read_link("/proc/self/ns/net").map(|link| link.display().to_string()),
        ("join-network", [pid]) => done(join_network(pid)),
        ("descriptors", []) => descriptors(),
        ("core-limit", []) => Ok(format!("{:?}", getrlimit(Resource::Core).maximum)),
        ("environment", []) => Ok(format!("{:?}", std::env::vars_os().collect::<Vec<_>>())),
        ("stdin", []) => io::stdin().read(&mut [0]).map(|count| format!("{count} bytes")),
        ("kill-self", []) => done(kill_process(getpid(), Signal::TERM).map_err(io::Error::from)),
        ("flood", [bytes]) => flood(parse_number(bytes)?),
        ("linger", [file]) => linger(file),
        ("lingering", [file]) => stay(file),
        ("multiply", [file]) => multiply(file),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

fn parse_number(text: &str) -> io::Result<usize> {
    text.parse().map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn parse(pid: &str) -> io::Result<Pid> {
    pid.parse().ok().and_then(Pid::from_raw).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// The number 7:0 is the first loop device; making the node needs no such device to exist.
fn make_block_device(path: &str) -> io::Result<()> {
    Ok(mknodat(CWD, path, FileType::BlockDevice, Mode::RWXU, rustix::fs::makedev(7, 0))?)
}

fn join_network(pid: &str) -> io::Result<()> {
    let namespace = fs::File::open(format!("/proc/{pid}/ns/net"))?;
    Ok(rustix::thread::move_into_link_name_space(namespace.as_fd(), Some(rustix::thread::LinkNameSpaceType::Network))?)
}

fn watch(path: &str) -> io::Result<()> {
    let watcher = rustix::fs::inotify::init(rustix::fs::inotify::CreateFlags::empty())?;
    rustix::fs::inotify::add_watch(&watcher, path, rustix::fs::inotify::WatchFlags::CREATE)?;
    Ok(())
}

/// Fills memory, and stays with it for a while.
fn take(mebibytes: usize) -> io::Result<String> {
    let mut held = Vec::new();
    for _ in 0..mebibytes {
        held.push(vec![1_u8; 1 << 20]);
    }
    std::thread::sleep(Duration::from_secs(5));
    Ok(held.len().to_string())
}

/// The same in a second thread, after the first one ended.
fn take_behind(mebibytes: usize) -> io::Result<String> {
    std::thread::spawn(move || {
        // The other thread has time to end.
        std::thread::sleep(Duration::from_millis(50));
        take(mebibytes)
    });
    crate::call::end_thread()
}

/// The numbers of all processes above this one, and what of them can be read.
fn above() -> io::Result<String> {
    let mut said = "tried".to_owned();
    let mut pid = parent_of("self")?;
    while pid != "0" {
        said.push_str(&format!(" {pid}"));
        for file in ["environ", "mem", "maps"] {
            if fs::File::open(format!("/proc/{pid}/{file}")).and_then(|mut file| file.read(&mut [0])).is_ok() {
                said.push_str(&format!(" readable {file}"));
            }
        }
        pid = parent_of(&pid)?;
    }
    Ok(said)
}

fn parent_of(pid: &str) -> io::Result<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let parent = stat.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(1));
    Ok(parent.unwrap_or("0").to_owned())
}

/// The open descriptors but the one that lists them.
fn descriptors() -> io::Result<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc/self/fd")? {
        let entry = entry?;
        if let Ok(target) = fs::read_link(entry.path())
            && !target.ends_with("fd")
        {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found.sort();
    Ok(found.join(" "))
}

fn flood(bytes: usize) -> io::Result<String> {
    let line = [b"x".repeat(79), b"\n".to_vec()].concat();
    let mut out = io::stdout().lock();
    for _ in 0..bytes / line.len() {
        out.write_all(&line)?;
    }
    Ok("flooded".to_owned())
}

/// Leaves a daemon behind: a new session, a process whose parent is gone, and nothing but
/// `/dev/null` open.
fn linger(file: &str) -> io::Result<String> {
    let own = std::env::current_exe()?;
    std::process::Command::new("/bin/sh")
        .args(["-c", "\"$0\" probe lingering \"$1\" & exit 0"])
        .arg(own)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    while !fs::exists(file)? {
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(String::new())
}

/// The daemon: leaves its session, says that it did, stays. The test finds it by its arguments.
fn stay(file: &str) -> io::Result<String> {
    setsid()?;
    fs::write(file, "")?;
    std::thread::sleep(Duration::from_secs(100));
    Ok(String::new())
}

/// Hops from process to process as fast as it can: each starts the next in a session of its own
/// and ends. Appends to `file` at every hop.
fn multiply(file: &str) -> io::Result<String> {
    let _ = setsid();
    OpenOptions::new().append(true).create(true).open(file)?.write_all(b".")?;
    std::process::Command::new(std::env::current_exe()?)
        .args(["probe", "multiply", file])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(String::new())
}
