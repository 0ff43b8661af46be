//! Looking for bytes, sixteen at a time.

pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

const BLOCK: usize = 16;

/// Return where `wanted` is true first from `start` on, or the length. `wanted` must be
/// so simple that the compiler asks it of a whole block at once.
#[inline(always)]
pub fn find(bytes: &[u8], start: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let mut at = start;
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let any = block.iter().fold(false, |any, &byte| any | wanted(byte));
        if any {
            break;
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..).unwrap_or(b"");
    match rest.iter().position(|&byte| wanted(byte)) {
        Some(offset) => at + offset,
        None => bytes.len(),
    }
}
