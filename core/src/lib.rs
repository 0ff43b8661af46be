//! The compiled core of Scythe: from the text of a page to the arrays of a `Tree`.
//!
//! Optional. The Python in `scythe.tree.parse` is its reference: the same tree with and
//! without it. Further calls over the same arrays belong beside `scythe_parse`.
//!
//! Nothing here recurses over depth or is unsafe but this module, which is the border.

mod builder;
mod categories;
mod doctype;
mod dom;
mod flat;
mod names;
mod references;
mod scan;
mod script;
mod tables;
mod tokenizer;

use std::borrow::Cow;
use std::panic::catch_unwind;
use std::slice;

/// The version of the interface: Python uses a library of its own version only.
pub const INTERFACE: u32 = 1;

/// Longer pages are declined: positions are numbers of 32 bits.
const LONGEST: usize = 1 << 28;
/// Nodes under construction beyond which a page is declined, as a multiple of those that
/// a tree may have.
const SPARE_NODES: usize = 4;

/// Return the block that `flat` describes, of a page in UTF-8; None where the page is for
/// the reference.
pub fn parse(page: &[u8], max_nodes: usize) -> Option<Vec<u8>> {
    if page.len() > LONGEST {
        return None;
    }
    let input = with_line_feeds(page);
    let most_nodes = max_nodes.saturating_mul(SPARE_NODES).saturating_add(1 << 16);
    let mut builder = builder::Builder::new(&input, most_nodes);
    let root = builder.build()?;
    Some(flat::block(&builder, root, max_nodes))
}

/// Return a page whose lines end in line feeds only.
fn with_line_feeds(page: &[u8]) -> Cow<'_, [u8]> {
    let first = scan::find(page, 0, |byte| byte == b'\r');
    if first == page.len() {
        return Cow::Borrowed(page);
    }
    let mut out = Vec::with_capacity(page.len());
    let mut start = 0;
    let mut at = first;
    while at < page.len() {
        out.extend_from_slice(&page[start..at]);
        out.push(b'\n');
        let is_pair = page.get(at + 1) == Some(&b'\n');
        start = at + 1 + usize::from(is_pair);
        at = scan::find(page, start, |byte| byte == b'\r');
    }
    out.extend_from_slice(&page[start.min(page.len())..]);
    Cow::Owned(out)
}

/// Return `INTERFACE`.
#[no_mangle]
pub extern "C" fn scythe_interface() -> u32 {
    INTERFACE
}

/// Parse a page of `length` bytes. Return the block and write its size; null where the
/// page is declined. The block is given back to `scythe_free`.
///
/// # Safety
///
/// `page` must be `length` readable bytes, `size` writable.
#[no_mangle]
pub unsafe extern "C" fn scythe_parse(
    page: *const u8,
    length: usize,
    max_nodes: usize,
    size: *mut usize,
) -> *mut u8 {
    let page = unsafe { slice::from_raw_parts(page, length) };
    let Ok(Some(block)) = catch_unwind(|| parse(page, max_nodes)) else {
        return std::ptr::null_mut();
    };
    unsafe { *size = block.len() };
    Box::into_raw(block.into_boxed_slice()).cast()
}

/// Free a block of `scythe_parse`.
///
/// # Safety
///
/// `block` and `size` must be what one call of `scythe_parse` gave.
#[no_mangle]
pub unsafe extern "C" fn scythe_free(block: *mut u8, size: usize) {
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(block, size)) });
}
