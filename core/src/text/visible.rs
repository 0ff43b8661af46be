//! What a reader sees (the reference: `tree/visibility.py`).

use crate::page::{Page, TEXT};
use crate::text::counts::length;
use crate::text::hidden::hidden;
use crate::text::tables::{TextTables, SKIPPED};

/// What `write` gave.
pub struct Seen<'s> {
    pub visible: &'s [u8],
    pub lengths: &'s [i32],
}

/// Write for every node whether it is visible, and how many characters a visible text has
/// without white space at its ends.
pub fn write(page: &Page, tables: &TextTables, visible: &mut [u8], lengths: &mut [i32]) {
    let hidden = hidden(page, &tables.characters);
    let mut skipped_until = 0;
    for (node, &tag) in page.tag.iter().enumerate() {
        if node >= skipped_until && tables.tag(tag) & SKIPPED != 0 {
            skipped_until = page.end[node] as usize;
        }
        let is_visible = node >= skipped_until && !hidden[node];
        visible[node] = u8::from(is_visible);
        lengths[node] = if is_visible && tag == TEXT {
            let text = tables.characters.strip(page.text(node));
            length(text) as i32
        } else {
            0
        };
    }
}
