//! The way by tags to every element (the reference: `templates/clusters/sketch.py`).

use crate::hashing::mix;
use crate::page::Page;

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Write for every chosen element a number for its path: that of its parent and one step
/// more; 0 for all other nodes. Return 0; None where a tag has no number.
pub fn write(page: &Page, chosen: &[u8], tag_hashes: &[u64], hashes: &mut [u64]) -> Option<usize> {
    for (node, &tag) in page.tag.iter().enumerate() {
        hashes[node] = 0;
        if chosen[node] == 0 {
            continue;
        }
        let above = hashes[page.parent_or_root(node)].wrapping_mul(GOLDEN);
        let path = above.wrapping_add(*tag_hashes.get(tag as usize)?);
        hashes[node] = mix(path.wrapping_sub(GOLDEN)); // `mix` adds it first
    }
    Some(0)
}
