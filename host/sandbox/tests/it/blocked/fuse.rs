//! A dead network filesystem: a FUSE filesystem in this process that answers everything but what it is told to hang
//! on, spoken in the kernel's own protocol (`linux/fuse.h`).

use std::collections::HashMap;
use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What every file holds.
pub(crate) const TEXT: &[u8] = b"from a slow disk\n";

const LOOKUP: u32 = 1;
const FORGET: u32 = 2;
const GETATTR: u32 = 3;
const OPEN: u32 = 14;
const READ: u32 = 15;
const STATFS: u32 = 17;
const RELEASE: u32 = 18;
const FLUSH: u32 = 25;
const INIT: u32 = 26;
const OPENDIR: u32 = 27;
const READDIR: u32 = 28;
const RELEASEDIR: u32 = 29;
const INTERRUPT: u32 = 36;
const BATCH_FORGET: u32 = 42;

/// The files by name, each with what hangs on it. Their numbers follow the root's, which is 1.
const FILES: [(&str, u32); 5] = [("good", 0), ("lookup", LOOKUP), ("open", OPEN), ("read", READ), ("close", FLUSH)];
const DIRECTORY: u64 = 10;

struct Shared {
    device: File,
    hanging: AtomicBool,
    held: AtomicUsize,
    /// Requests that wait, with their answers.
    waiting: Mutex<Vec<Vec<u8>>>,
}

/// The mounted filesystem.
pub(crate) struct DeadDisk {
    shared: Arc<Shared>,
    place: PathBuf,
}

impl DeadDisk {
    /// Mounts it at `place`, in the mount namespace of this process.
    pub(crate) fn mount(place: &Path) -> std::io::Result<Self> {
        let device = File::options().read(true).write(true).open("/dev/fuse")?;
        let options = format!("fd={},rootmode=40000,user_id=0,group_id=0", device.as_raw_fd());
        let text = |text: &str| CString::new(text).unwrap();
        let (source, target) = (text("dead"), text(place.to_str().unwrap()));
        let (kind, options) = (text("fuse"), text(&options));
        // SAFETY: five pointers to strings that live until the call returns.
        #[expect(unsafe_code, reason = "mounting has no safe interface here")]
        let mounted = unsafe {
            let flags = libc::MS_NOSUID | libc::MS_NODEV;
            libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast())
        };
        if mounted != 0 {
            return Err(std::io::Error::last_os_error());
        }
        let shared = Arc::new(Shared {
            device,
            hanging: AtomicBool::new(true),
            held: AtomicUsize::new(0),
            waiting: Mutex::default(),
        });
        let serving = shared.clone();
        std::thread::spawn(move || serve(&serving));
        Ok(Self { shared, place: place.to_owned() })
    }

    /// Requests that hang now.
    pub(crate) fn held(&self) -> usize {
        self.shared.held.load(Ordering::SeqCst)
    }

    /// Answers all that hang, and whatever comes from now on.
    pub(crate) fn revive(&self) {
        self.shared.hanging.store(false, Ordering::SeqCst);
        for answer in self.shared.waiting.lock().unwrap().drain(..) {
            self.shared.held.fetch_sub(1, Ordering::SeqCst);
            let _ = (&self.shared.device).write_all(&answer);
        }
    }

    /// Hangs again.
    pub(crate) fn die(&self) {
        self.shared.hanging.store(true, Ordering::SeqCst);
    }
}

impl Drop for DeadDisk {
    fn drop(&mut self) {
        self.revive();
        let place = CString::new(self.place.to_str().unwrap()).unwrap();
        // SAFETY: a pointer to a string that lives until the call returns.
        #[expect(unsafe_code, reason = "unmounting has no safe interface here")]
        // By force: a request that came in while the disk revived would keep its thread, and so this process, for ever.
        let _ = unsafe { libc::umount2(place.as_ptr(), libc::MNT_FORCE | libc::MNT_DETACH) };
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn serve(shared: &Shared) {
    let mut buffer = vec![0; 1 << 18];
    let by_number: HashMap<u64, u32> = FILES.iter().zip(2..).map(|((_, hangs), inode)| (inode, *hangs)).collect();
    // Ends when the filesystem is unmounted.
    while let Ok(length) = (&shared.device).read(&mut buffer) {
        let request = &buffer[..length];
        let (operation, unique, inode, body) =
            (number(request, 4), long(request, 8), long(request, 16), &request[40..]);
        let mut hangs_on = by_number.get(&inode).copied().unwrap_or(0);
        let answer: Result<Vec<u8>, i32> = match operation {
            FORGET | BATCH_FORGET | INTERRUPT => continue,
            INIT => Ok(init()),
            LOOKUP => {
                let name = std::str::from_utf8(&body[..body.len() - 1]).unwrap_or("");
                match FILES.iter().zip(2..).find(|((file, _), _)| *file == name) {
                    Some(((_, hangs), inode)) => {
                        hangs_on = *hangs;
                        Ok(entry(inode))
                    }
                    None if name == "directory" => Ok(entry(DIRECTORY)),
                    None => Err(libc::ENOENT),
                }
            }
            GETATTR => Ok([1_u64.to_ne_bytes().to_vec(), vec![0; 8], attributes(inode)].concat()),
            OPEN | OPENDIR => Ok(vec![0; 16]),
            READ => Ok(if long(body, 8) == 0 { TEXT.to_vec() } else { Vec::new() }),
            READDIR => {
                hangs_on = if inode == DIRECTORY { READDIR } else { 0 };
                Ok(Vec::new())
            }
            STATFS => Ok(vec![0; 80]),
            RELEASE | RELEASEDIR | FLUSH => Ok(Vec::new()),
            _ => Err(libc::ENOSYS),
        };
        let (error, content) = match answer {
            Ok(content) => (0, content),
            Err(errno) => (-errno, Vec::new()),
        };
        let mut reply = u32::try_from(16 + content.len()).unwrap().to_ne_bytes().to_vec();
        reply.extend(error.to_ne_bytes());
        reply.extend(unique.to_ne_bytes());
        reply.extend(content);
        let mut waiting = shared.waiting.lock().unwrap();
        if hangs_on == operation && shared.hanging.load(Ordering::SeqCst) {
            shared.held.fetch_add(1, Ordering::SeqCst);
            waiting.push(reply);
        } else {
            drop(waiting);
            let _ = (&shared.device).write_all(&reply);
        }
    }
}

fn init() -> Vec<u8> {
    let mut reply = Vec::new();
    for value in [7_u32, 31, 0, 0] {
        reply.extend(value.to_ne_bytes());
    }
    // Background requests, then the largest write and the grain of times.
    reply.extend([16_u16.to_ne_bytes(), 12_u16.to_ne_bytes()].concat());
    reply.extend([65536_u32.to_ne_bytes(), 1_u32.to_ne_bytes()].concat());
    reply.resize(64, 0);
    reply
}

/// Names and attributes stay valid for no time, so that the kernel asks each time.
fn entry(inode: u64) -> Vec<u8> {
    [inode.to_ne_bytes().to_vec(), vec![0; 32], attributes(inode)].concat()
}

fn attributes(inode: u64) -> Vec<u8> {
    let directory = inode == 1 || inode == DIRECTORY;
    let mode: u32 = if directory { 0o40755 } else { 0o100_644 };
    let mut attributes = Vec::new();
    for value in [inode, TEXT.len() as u64, 1, 0, 0, 0] {
        attributes.extend(value.to_ne_bytes());
    }
    for value in [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0] {
        attributes.extend(value.to_ne_bytes());
    }
    attributes
}
