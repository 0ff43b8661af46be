//! What chosen texts may have that is no content (the reference: `content/junk`): most pages
//! have nothing of most kinds, which one pass over their texts tells.

use crate::page::{Page, TEXT};
use crate::text::counts::length;
use crate::text::tables::{TextTables, BREAKING};
use crate::text::words::SignSearch;

/// Bits of a tag, as Python gives them.
const INLINE: u8 = 1;
const CODE: u8 = 2;
const FIELD: u8 = 4;

/// What the chosen texts of a page have.
#[derive(Default)]
pub struct Found {
    /// The groups of signs, as bits.
    pub groups: u64,
    /// By text, 1 where it is not blank, 2 more where it may be nothing but numbers, 4 more
    /// where it may be the name of an icon, and 8 more where it is a sign for a link.
    pub kinds: Vec<u8>,
    /// Whether one is nothing but a sign for a link.
    pub has_link_signs: bool,
    /// The texts, by their number among the chosen ones, that end an inline element with the
    /// next text at the beginning of another one on the same line, and may be glued to it.
    pub neighbours: Vec<i32>,
    /// The texts that have the field of a form between them and the next text on the same
    /// line.
    pub labels: Vec<i32>,
}

/// What is looked for.
pub struct Sought<'s> {
    pub signs: &'s SignSearch,
    /// Signs for links, separated by zeros.
    pub link_signs: &'s [u8],
    /// Characters of a sign with the space around it.
    pub max_link_sign: i64,
}

pub fn find(page: &Page, tables: &TextTables, bits: &[u8], chosen: &[u8], sought: &Sought) -> Found {
    let mut found = Found {
        groups: sought.signs.find(page, chosen),
        ..Found::default()
    };
    let link_signs: Vec<&[u8]> = sought.link_signs.split(|&byte| byte == 0).collect();
    let mut open: Vec<usize> = Vec::new();
    let mut is_border = false;
    let mut code_until = 0;
    let mut number = 0;
    let mut is_behind_field = false;
    // The text before, where it may be the first of two neighbours.
    let mut before: Option<&[u8]> = None;
    for (node, &tag) in page.tag.iter().enumerate() {
        while open.last().is_some_and(|&end| end <= node) {
            open.pop();
            is_border = true;
        }
        if tag != TEXT {
            if tables.tag(tag) & BREAKING != 0 {
                open.push(page.end[node] as usize);
                is_border = true;
            }
            is_behind_field |= bits[node] & FIELD != 0;
            if bits[node] & CODE != 0 {
                code_until = code_until.max(page.end[node] as usize);
            }
            continue;
        }
        if chosen[node] == 0 {
            before = None;
            continue;
        }
        let parent = page.parent_or_root(node);
        let is_inline = bits[parent] & INLINE != 0;
        let whole = page.text(node);
        let is_first = is_inline && parent + 1 == node && !is_border;
        if is_first && before.is_some_and(|before| may_be_glued(before, whole.as_bytes())) {
            found.neighbours.push(number - 1);
        }
        let is_last = is_inline && page.end[parent] as usize == node + 1 && node >= code_until;
        before = is_last.then_some(whole.as_bytes());
        if is_behind_field && !is_border && number > 0 {
            found.labels.push(number - 1);
        }
        is_border = false;
        is_behind_field = false;
        number += 1;

        let text = tables.characters.strip(whole);
        let may_be_numbers = may_be_numbers(text.as_bytes());
        let may_be_icon = may_be_icon(text.as_bytes());
        let is_link_sign = link_signs.contains(&text.as_bytes())
            && length(whole) as i64 <= sought.max_link_sign;
        found.has_link_signs |= is_link_sign;
        let kind = u8::from(may_be_numbers) << 1 | u8::from(may_be_icon) << 2;
        found.kinds.push(u8::from(!text.is_empty()) | kind | u8::from(is_link_sign) << 3);
    }
    found
}

/// Return whether a text may be glued to the next: of characters beyond ASCII the reference
/// knows more.
fn may_be_glued(before: &[u8], after: &[u8]) -> bool {
    let ends_word = before.last().is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric());
    let is_start = |byte: &u8| !byte.is_ascii() || byte.is_ascii_uppercase() || byte.is_ascii_digit();
    before.len() > 1 && ends_word && after.first().is_some_and(is_start)
}

/// Return whether a text has nothing but what names of icons have.
fn may_be_icon(text: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    !text.is_empty() && text.iter().all(is_of_name)
}

/// Return whether a text may be nothing but digits and white space.
fn may_be_numbers(text: &[u8]) -> bool {
    let can_be_number = |&byte: &u8| !byte.is_ascii() || !byte.is_ascii_graphic() || byte.is_ascii_digit();
    !text.is_empty() && text.iter().all(can_be_number)
}
