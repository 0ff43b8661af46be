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
            let text = page.text(node);
            (others, marks) = if text.is_ascii() {
                count(text.bytes().map(|byte| tables.characters.of_latin(byte)))
            } else {
                count(text.chars().map(|character| tables.characters.of(character)))
            };
        }
        non_space[node] = others;
        sentence_punctuation[node] = marks;
    }
}

/// Return the counts of a text, given the kinds of its characters.
#[inline(always)]
fn count(kinds: impl Iterator<Item = u16>) -> (i32, i32) {
    let (mut others, mut marks) = (0, 0);
    let mut before = 0;
    for bits in kinds {
        others += i32::from(bits & SPACE == 0);
        let is_inside = (before & ASCII_PUNCTUATION != 0) & (bits & LETTER_OR_DIGIT != 0);
        marks += i32::from(bits & PUNCTUATION != 0) - i32::from(is_inside);
        before = bits;
    }
    (others, marks)
}

/// Return the characters of all chosen texts.
pub fn characters(page: &Page, chosen: &[u8]) -> usize {
    let is_chosen = |node: &usize| page.tag[*node] == TEXT && chosen[*node] != 0;
    let lengths = (0..page.len()).filter(is_chosen).map(|node| length(page.text(node)));
    lengths.sum()
}

/// Return the number of characters of a text.
pub fn length(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().count()
}
