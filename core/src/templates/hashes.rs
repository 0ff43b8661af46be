//! A hash for every subtree of a page (the reference: `templates/matching/page_view.py`).

const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const MIX: u64 = 0xD6E8_FEB8_6659_FD93;

/// Write for every page node a polynomial over the slice of its subtree, given what each
/// node is by itself. Return 0; None where an array is too short.
pub fn write(ends: &[i32], own: &[u64], hashes: &mut [u64]) -> Option<usize> {
    let size = ends.len();
    if own.len() != size || hashes.len() != size {
        return None;
    }
    // Powers, and the polynomial from each node to the end of the page.
    let mut powers = Vec::with_capacity(size + 1);
    let mut power = 1u64;
    for _ in 0..=size {
        powers.push(power);
        power = power.wrapping_mul(BASE);
    }
    let mut to_end = vec![0u64; size + 1];
    for node in (0..size).rev() {
        let end = ends[node] as usize;
        let subtree = end.checked_sub(node)?;
        let mut value = own[node] ^ (subtree as u64).wrapping_mul(BASE);
        value = value.wrapping_mul(MIX);
        value ^= value >> 29;
        to_end[node] = value.wrapping_add(to_end[node + 1].wrapping_mul(BASE));
        let behind = to_end.get(end)?.wrapping_mul(powers[subtree]);
        hashes[node] = to_end[node].wrapping_sub(behind);
    }
    Some(0)
}
