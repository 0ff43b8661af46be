//! Counts of kinds of characters for every text node (the reference:
//! `tree/characters.py`).

use crate::page::{Page, TEXT};
use crate::text::tables::TextTables;

const SPACE: u16 = 1;
const PUNCTUATION: u16 = 2;
const LETTER_OR_DIGIT: u16 = 4 | 8;
const ASCII_PUNCTUATION: u16 = 64;

/// Write for every chosen text node its characters other than white space, and its periods
/// and commas but for those inside a number, a URL or an abbreviation; 0 for other nodes.
pub fn write(
    page: &Page,
    tables: &TextTables,
    chosen: &[u8],
    non_space: &mut [i32],
    sentence_punctuation: &mut [i32],
) {
    for (node, &tag) in page.tag.iter().enumerate() {
        let (mut others, mut marks) = (0, 0);
        if tag == TEXT && chosen[node] != 0 {
            let mut is_after_ascii_mark = false;
            for character in page.text(node).chars() {
                let bits = tables.characters.of(character);
                others += i32::from(bits & SPACE == 0);
                marks -= i32::from(is_after_ascii_mark && bits & LETTER_OR_DIGIT != 0);
                marks += i32::from(bits & PUNCTUATION != 0);
                is_after_ascii_mark = bits & ASCII_PUNCTUATION != 0;
            }
        }
        non_space[node] = others;
        sentence_punctuation[node] = marks;
    }
}
