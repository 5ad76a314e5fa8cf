//! From the kernel's errors to those of `wasi:filesystem`.

use rustix::io::Errno;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;

pub(crate) fn code(errno: Errno) -> ErrorCode {
    match errno {
        Errno::ACCESS => ErrorCode::Access,
        // `openat2` says so when a path would leave the directory.
        Errno::XDEV | Errno::PERM => ErrorCode::NotPermitted,
        Errno::NOENT => ErrorCode::NoEntry,
        Errno::EXIST => ErrorCode::Exist,
        Errno::NOTDIR => ErrorCode::NotDirectory,
        Errno::ISDIR => ErrorCode::IsDirectory,
        Errno::NOTEMPTY => ErrorCode::NotEmpty,
        Errno::LOOP => ErrorCode::Loop,
        Errno::NAMETOOLONG => ErrorCode::NameTooLong,
        Errno::INVAL => ErrorCode::Invalid,
        Errno::BADF => ErrorCode::BadDescriptor,
        Errno::BUSY => ErrorCode::Busy,
        Errno::FBIG => ErrorCode::FileTooLarge,
        Errno::NOSPC => ErrorCode::InsufficientSpace,
        Errno::DQUOT => ErrorCode::Quota,
        Errno::ROFS => ErrorCode::ReadOnly,
        Errno::NXIO | Errno::NODEV => ErrorCode::NoSuchDevice,
        Errno::NOMEM => ErrorCode::InsufficientMemory,
        Errno::MLINK => ErrorCode::TooManyLinks,
        Errno::OVERFLOW => ErrorCode::Overflow,
        Errno::TXTBSY => ErrorCode::TextFileBusy,
        Errno::NOSYS | Errno::OPNOTSUPP => ErrorCode::Unsupported,
        _ => ErrorCode::Io,
    }
}
