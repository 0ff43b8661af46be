//! Texts as threads read them (the reference: `sections/posts/texts.py`).

use crate::page::{Page, TEXT};
use crate::text::tables::TextTables;
use crate::text::words::SignSearch;

/// Characters of languages without spaces, which have a word in two characters or so.
const WIDE: std::ops::RangeInclusive<char> = '\u{2e80}'..='\u{ffef}';

/// Where texts are written, one after the other.
pub struct Written<'o> {
    pub nodes: &'o mut [i32],
    pub words: &'o mut [i32],
    /// Whether a text is as short as a date, and has the signs of one or may have digits.
    pub may_be_dates: &'o mut [u8],
}

/// What dates are.
pub struct Dates<'d> {
    /// Signs that those without digits have.
    pub signs: &'d SignSearch,
    /// The characters of a long one.
    pub max_length: usize,
}

/// Write the texts that may be read and are not blank; return how many there are. None
/// where there is no place for all.
pub fn write(
    page: &Page,
    tables: &TextTables,
    is_read: &[u8],
    dates: &Dates,
    out: Written,
) -> Option<usize> {
    let mut count = 0;
    for node in (0..page.len()).filter(|&node| page.tag[node] == TEXT && is_read[node] != 0) {
        let text = tables.characters.strip(page.text(node));
        if text.is_empty() {
            continue;
        }
        *out.nodes.get_mut(count)? = node as i32;
        *out.words.get_mut(count)? = words(tables, text);
        *out.may_be_dates.get_mut(count)? = u8::from(dates.may_have(text));
        count += 1;
    }
    Some(count)
}

fn words(tables: &TextTables, text: &str) -> i32 {
    let parts = text.split(|character| tables.characters.is_blank(character));
    let words = parts.filter(|part| !part.is_empty()).count();
    if text.is_ascii() {
        return words as i32;
    }
    let wide = text.chars().filter(|character| WIDE.contains(character)).count();
    words.max(wide / 2) as i32
}

impl Dates<'_> {
    fn may_have(&self, text: &str) -> bool {
        if text.chars().take(self.max_length + 1).count() > self.max_length {
            return false;
        }
        let can_be_digit = |byte: u8| byte.is_ascii_digit() || !byte.is_ascii();
        text.bytes().any(can_be_digit) || self.signs.has_any(text)
    }
}
