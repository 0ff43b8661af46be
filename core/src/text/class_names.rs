//! The first class of every element, as threads compare them (the reference:
//! `sections/posts/thread_page.py`).

use crate::hashing::Numbering;
use crate::page::Page;
use crate::text::tables::TextTables;

/// Write a number for the first class of every node, digits, hyphens and underscores at its
/// end left out; 0 where nothing is left.
pub fn write(page: &Page, tables: &TextTables, numbers: &mut [i64]) {
    numbers.fill(0);
    let mut numbering = Numbering::expecting(256);
    numbering.number("");
    for position in page.attributes("class") {
        let value = page.value(position);
        let mut words = value.split(|character| tables.characters.is_blank(character));
        let first = words.find(|word| !word.is_empty()).unwrap_or("");
        let is_ending = |character: char| character.is_ascii_digit() || matches!(character, '-' | '_');
        let (number, _) = numbering.number(first.trim_end_matches(is_ending));
        numbers[page.attribute_node[position] as usize] = number as i64;
    }
}
