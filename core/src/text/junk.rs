//! What chosen texts may have that is no content (the reference: `content/junk`): most pages
//! have nothing of most kinds, which one pass over their texts tells.

use crate::page::{Page, TEXT};
use crate::text::counts::length;
use crate::text::tables::{TextTables, BREAKING};
use crate::text::words::SignSearch;

/// Bits of a tag, as Python gives them.
const INLINE: u8 = 1;
const CODE: u8 = 2;

/// What the chosen texts of a page have.
#[derive(Default)]
pub struct Found {
    /// The groups of signs, as bits.
    pub groups: u64,
    /// By text, 1 where it is not blank, and 2 more where it may be nothing but numbers.
    pub kinds: Vec<u8>,
    /// Whether one is nothing but a sign for a link.
    pub has_link_signs: bool,
    /// The texts, by their number among the chosen ones, that end an inline element with the
    /// next text at the beginning of another one on the same line.
    pub neighbours: Vec<i32>,
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
    // Whether the text before may be the first of two neighbours.
    let mut is_open = false;
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
            if bits[node] & CODE != 0 {
                code_until = code_until.max(page.end[node] as usize);
            }
            continue;
        }
        if chosen[node] == 0 {
            is_open = false;
            continue;
        }
        let parent = page.parent_or_root(node);
        let is_inline = bits[parent] & INLINE != 0;
        if is_open && is_inline && parent + 1 == node && !is_border {
            found.neighbours.push(number - 1);
        }
        is_open = is_inline && page.end[parent] as usize == node + 1 && node >= code_until;
        is_border = false;
        number += 1;

        let text = tables.characters.strip(page.text(node));
        let may_be_numbers = may_be_numbers(text.as_bytes());
        found.kinds.push(u8::from(!text.is_empty()) | u8::from(may_be_numbers) << 1);
        if link_signs.contains(&text.as_bytes()) {
            found.has_link_signs |= length(page.text(node)) as i64 <= sought.max_link_sign;
        }
    }
    found
}

/// Return whether a text may be nothing but digits and white space.
fn may_be_numbers(text: &[u8]) -> bool {
    let can_be_number = |&byte: &u8| !byte.is_ascii() || !byte.is_ascii_graphic() || byte.is_ascii_digit();
    !text.is_empty() && text.iter().all(can_be_number)
}
