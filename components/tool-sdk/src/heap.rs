//! The heap of a guest. It begins with the memory the instance starts with, so that a call that fits needs no
//! `memory.grow`: each one costs the host a change of page protection, which every other thread pays for too.

use core::alloc::Layout;
use core::arch::wasm32::{memory_grow, memory_size};
use core::ptr::NonNull;
use talc::base::{Talc, binning::Binning};
use talc::source::Source;
use talc::{cell::TalcSyncCell, wasm::WasmBinning};

const PAGE: usize = 64 * 1024;

#[global_allocator]
static HEAP: TalcSyncCell<Memory, WasmBinning> = TalcSyncCell::new_wasm(Memory { end: None });

unsafe extern "C" {
    /// Where the linker put the end of data and stack. Its address is what matters.
    static __heap_base: u8;
}

/// The linear memory: first what is left of it at the start, then what it grows by.
#[derive(Debug)]
struct Memory {
    end: Option<NonNull<u8>>,
}

// SAFETY: nothing here allocates.
unsafe impl Source for Memory {
    fn acquire<B: Binning>(heap: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        let Some(end) = heap.source.end else {
            let base = (&raw const __heap_base).cast_mut();
            let size = (memory_size::<0>() * PAGE).saturating_sub(base as usize);
            // SAFETY: from the end of data and stack to the end of memory nothing else is ever placed, since this is
            // the only allocator and the only one that grows the memory.
            heap.source.end = Some(unsafe { heap.claim(base, size) }.ok_or(())?);
            return Ok(());
        };
        // By half of what there is at least: few large steps instead of many small ones.
        let wanted = layout.size().saturating_add(layout.align()).saturating_add(PAGE) / PAGE + 1;
        let pages = wanted.max(memory_size::<0>() / 2);
        let before = match memory_grow::<0>(pages) {
            usize::MAX => memory_grow::<0>(wanted),
            before => before,
        };
        if before == usize::MAX {
            return Err(());
        }
        let new_end = (memory_size::<0>() * PAGE) as *mut u8;
        // SAFETY: the memory between the old end and the new one is new, and has no other owner.
        heap.source.end = Some(unsafe { heap.extend(end, new_end) });
        Ok(())
    }
}
