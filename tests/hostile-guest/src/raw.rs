//! Calls below the generated bindings: handles that are only numbers, strings that are only bytes, flags with bits no
//! contract names.

#![expect(unsafe_code, reason = "these are the calls that no safe binding would let through")]

/// What the canonical ABI leaves of a `result<_, error-code>`: whether it is an error, and which.
pub(crate) type Returned = [u8; 8];

#[cfg(target_arch = "wasm32")]
mod imported {
    #[link(wasm_import_module = "wasi:filesystem/types@0.2.12")]
    unsafe extern "C" {
        #[link_name = "[method]descriptor.unlink-file-at"]
        pub(super) fn unlink_file_at(handle: u32, path: *const u8, length: usize, returned: *mut u8);
        #[link_name = "[method]descriptor.sync"]
        pub(super) fn sync(handle: u32, returned: *mut u8);
        #[link_name = "[method]descriptor.open-at"]
        pub(super) fn open_at(
            handle: u32,
            follow: i32,
            path: *const u8,
            length: usize,
            open: i32,
            rights: i32,
            returned: *mut u8,
        );
        #[link_name = "[resource-drop]descriptor"]
        pub(super) fn drop_descriptor(handle: u32);
    }
}

/// For the native build, which only checks that the crate compiles.
#[cfg(not(target_arch = "wasm32"))]
mod imported {
    pub(super) unsafe fn unlink_file_at(_: u32, _: *const u8, _: usize, _: *mut u8) {}
    pub(super) unsafe fn sync(_: u32, _: *mut u8) {}
    pub(super) unsafe fn open_at(_: u32, _: i32, _: *const u8, _: usize, _: i32, _: i32, _: *mut u8) {}
    pub(super) unsafe fn drop_descriptor(_: u32) {}
}

/// `unlink-file-at` with a path of any bytes.
pub(crate) fn unlink(handle: u32, path: &[u8]) -> Returned {
    unlink_at(handle, path.as_ptr(), path.len())
}

/// `unlink-file-at` with a path that need not be memory of the guest.
pub(crate) fn unlink_at(handle: u32, path: *const u8, length: usize) -> Returned {
    let mut returned = Returned::default();
    // SAFETY: the host reads the path with bounds checks and writes at most eight bytes.
    unsafe { imported::unlink_file_at(handle, path, length, returned.as_mut_ptr()) };
    returned
}

/// `sync` on any number.
pub(crate) fn sync(handle: u32) -> Returned {
    let mut returned = Returned::default();
    // SAFETY: the host writes at most eight bytes.
    unsafe { imported::sync(handle, returned.as_mut_ptr()) };
    returned
}

/// `open-at` with any bits as flags: follow, open, rights. The new handle, or the number of the error code.
pub(crate) fn open(handle: u32, path: &str, [follow, open, rights]: [i32; 3]) -> Result<u32, u8> {
    // The result has the alignment of the handle in it.
    let mut returned = [0_u32; 2];
    // SAFETY: the path is a string, and the host writes at most eight bytes.
    unsafe {
        imported::open_at(handle, follow, path.as_ptr(), path.len(), open, rights, returned.as_mut_ptr().cast());
    }
    let [tag, value] = returned;
    if tag & 0xff == 0 { Ok(value) } else { Err(value.to_le_bytes()[0]) }
}

/// Drops any number as if it were a descriptor.
pub(crate) fn drop_handle(handle: u32) {
    // SAFETY: a number that is no handle makes the host trap this guest, which is what is tried.
    unsafe { imported::drop_descriptor(handle) };
}
