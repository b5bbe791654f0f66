//! The program's allocator.
//!
//! A model call allocates about a hundred times; mimalloc takes half as long for it as the
//! allocators of most systems. The wrapper requests an alignment only above that of C, which
//! every allocation has: a request for alignment takes time.
#![expect(unsafe_code, reason = "an allocator hands out memory without types")]

use std::alloc::{GlobalAlloc, Layout};

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc,
    mi_zalloc_aligned,
};

/// What each allocation of this size, or of a larger one, is aligned to: C's
/// `max_align_t`.
const ALIGNED: usize = 16;

/// mimalloc.
pub struct Mimalloc;

/// Whether an allocation of this size is aligned by itself.
fn is_aligned(size: usize, layout: Layout) -> bool {
    layout.align() <= ALIGNED && layout.align() <= size
}

// SAFETY: each function is mimalloc's own for the same purpose, which keeps the contract
// of this trait: null when there is no memory, and a `realloc` that keeps the content.
// What `mi_malloc` returns is aligned for whatever fits into it, up to `ALIGNED`.
unsafe impl GlobalAlloc for Mimalloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size and any power of two.
        unsafe {
            match is_aligned(layout.size(), layout) {
                true => mi_malloc(layout.size()),
                false => mi_malloc_aligned(layout.size(), layout.align()),
            }
        }
        .cast()
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: any size and any power of two.
        unsafe {
            match is_aligned(layout.size(), layout) {
                true => mi_zalloc(layout.size()),
                false => mi_zalloc_aligned(layout.size(), layout.align()),
            }
        }
        .cast()
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: the caller got it here.
        unsafe { mi_free(pointer.cast()) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller got it here.
        unsafe {
            match is_aligned(size, layout) {
                true => mi_realloc(pointer.cast(), size),
                false => mi_realloc_aligned(pointer.cast(), size, layout.align()),
            }
        }
        .cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_gives_is_aligned_and_keeps_its_content() {
        for align in [1, 2, 4, 8, 16, 32, 64, 4096] {
            for size in (1..200).chain([1000, 1025, 5000, 100_001]) {
                let layout = Layout::from_size_align(size, align).expect("a layout");
                // SAFETY: used within its size, and given back as what it is.
                unsafe {
                    let first = Mimalloc.alloc_zeroed(layout);
                    assert!(
                        !first.is_null() && first.align_offset(align) == 0,
                        "{layout:?}"
                    );
                    assert!((0..size).all(|at| *first.add(at) == 0), "{layout:?}");
                    first.write_bytes(7, size);
                    let longer = Mimalloc.realloc(first, layout, 3 * size);
                    assert!(
                        !longer.is_null() && longer.align_offset(align) == 0,
                        "{layout:?}"
                    );
                    assert!((0..size).all(|at| *longer.add(at) == 7), "{layout:?}");
                    let layout = Layout::from_size_align(3 * size, align).expect("a layout");
                    let second = Mimalloc.alloc(layout);
                    assert!(
                        !second.is_null() && second.align_offset(align) == 0,
                        "{layout:?}"
                    );
                    Mimalloc.dealloc(second, layout);
                    Mimalloc.dealloc(longer, layout);
                }
            }
        }
    }
}
