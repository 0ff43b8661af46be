//! Nodes of selected blocks (the reference: `content/methods/learned/method.py` and
//! `content/selection.py`).

use crate::characters::Characters;
use crate::page::{Page, TEXT};

/// The bit of tags that have no text and may be content, as Python gives it.
const TEXTLESS: u8 = 1;

/// Write which nodes are selected: the texts of selected blocks, and what has no text or
/// white space only between two of these. `text_nodes` are the texts of blocks in document
/// order, `is_selected` says of each whether its block is.
pub fn write(
    page: &Page,
    characters: &Characters,
    bits: &[u8],
    text_nodes: &[i32],
    is_selected: &[u8],
    nodes: &mut [u8],
) {
    let mut next = 0;
    let of = |text: usize| is_selected[text] != 0;
    for (node, place) in nodes.iter_mut().enumerate() {
        if text_nodes.get(next).is_some_and(|&text| text as usize == node) {
            *place = u8::from(of(next));
            next += 1;
            continue;
        }
        let is_between = next > 0 && next < text_nodes.len() && of(next - 1) && of(next);
        let can_be_content = if page.tag[node] == TEXT {
            is_between && is_blank(characters, page.text(node))
        } else {
            bits[node] & TEXTLESS != 0
        };
        *place = u8::from(is_between && can_be_content);
    }
}

/// Return what Python's `str.isspace` does.
fn is_blank(characters: &Characters, text: &str) -> bool {
    !text.is_empty() && characters.is_all_blank(text)
}
