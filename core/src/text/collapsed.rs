//! Texts one by one, white space collapsed (the reference: `templates/matching/page_texts.py`).

use crate::page::{Page, TEXT};
use crate::text::plain::push_words;
use crate::text::tables::TextTables;

/// Write the chosen texts that are not blank, each with a zero behind it, and the nodes that
/// they are of; return how many. The bytes that they take go to `size`. None where there is
/// no place for all.
pub fn write(
    page: &Page,
    tables: &TextTables,
    chosen: &[u8],
    nodes: &mut [i32],
    out: &mut [u8],
    size: &mut [i64],
) -> Option<usize> {
    let characters = &tables.characters;
    let mut collapsed = Vec::with_capacity(out.len() / 4);
    let mut count = 0;
    for (node, &tag) in page.tag.iter().enumerate() {
        if tag != TEXT || chosen[node] == 0 {
            continue;
        }
        let text = page.text(node);
        let first = collapsed.len();
        if text.is_ascii() {
            let words = text.as_bytes().split(|&byte| characters.is_blank(char::from(byte)));
            push_words(&mut collapsed, first, words);
        } else {
            let words = text.split(|character| characters.is_blank(character));
            push_words(&mut collapsed, first, words.map(str::as_bytes));
        }
        if collapsed.len() > first || text.is_empty() {
            collapsed.push(0);
            *nodes.get_mut(count)? = node as i32;
            count += 1;
        }
    }
    out.get_mut(..collapsed.len())?.copy_from_slice(&collapsed);
    *size.first_mut()? = collapsed.len() as i64;
    Some(count)
}
