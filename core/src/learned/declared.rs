//! Blocks that the head of the page repeats (the reference: `declared.py`).

use std::borrow::Cow;
use std::cell::Cell;

use crate::learned::tables::Settings;
use crate::text::lower::lower;

/// What the head declares, its texts in lower case.
pub struct Declared<'d> {
    pub title: &'d str,
    pub text: &'d str,
    /// A number for each fact that the reference reads of it.
    pub facts: &'d [f32],
}

pub struct Repeated {
    /// Headings that stand in the title.
    pub in_title: Vec<bool>,
    /// The block that has the most of the title.
    pub title_block: Option<usize>,
    /// Blocks that begin as the descriptions or the structured data have it.
    pub is_described: Vec<bool>,
}

/// Return what is repeated; None where a text has characters whose lower case depends on
/// their neighbours or on the version of Unicode.
pub fn compare(
    lines: &[Cow<str>],
    heading: &[i64],
    declared: &Declared,
    settings: &Settings,
) -> Option<Repeated> {
    let mut repeated = Repeated {
        in_title: vec![false; lines.len()],
        title_block: None,
        is_described: vec![false; lines.len()],
    };
    let title_length = declared.title.chars().count();
    let titled = Searched::new(declared.title);
    let described = Searched::new(declared.text);
    let mut best_size = 0;
    for (block, line) in lines.iter().enumerate() {
        if line.len() >= settings.min_title_heading {
            let length = length_up_to(line, title_length + 1);
            let is_heading = heading[block] > 0 && length >= settings.min_title_heading;
            let is_candidate = (settings.min_title..=settings.max_title).contains(&length);
            if length <= title_length && (is_heading || is_candidate) {
                let is_in_title = titled.has_lower(line)?;
                repeated.in_title[block] = is_heading && is_in_title;
                let bonus = if heading[block] > 0 { settings.max_title } else { 0 };
                let size = length + bonus;
                if is_in_title && is_candidate && size > best_size {
                    best_size = size;
                    repeated.title_block = Some(block);
                }
            }
        }
        if !declared.text.is_empty() {
            if let Some(start) = start(line, settings.compared_start) {
                repeated.is_described[block] = described.has_lower(start)?;
            }
        }
    }
    Some(repeated)
}

/// Return the number of characters, or a limit where there are at least as many.
fn length_up_to(text: &str, limit: usize) -> usize {
    text.chars().take(limit).count()
}

/// Return the first characters of a text that has so many.
fn start(text: &str, characters: usize) -> Option<&str> {
    if text.len() < characters {
        return None;
    }
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.nth(characters).map(|end| &text[..end])
}

/// A long text in which many others are looked for, most of which it does not have.
struct Searched<'d> {
    text: &'d str,
    /// A bit for what eight bytes at any place are mixed to.
    met: Vec<u64>,
    /// Where the last one was found: lines mostly stand in it in their order.
    last: Cell<usize>,
}

const MET_BITS: u32 = 16;

impl<'d> Searched<'d> {
    fn new(text: &'d str) -> Searched<'d> {
        let mut met = vec![0; 1 << (MET_BITS - 6)];
        for window in text.as_bytes().windows(8) {
            let bit = mixed(window);
            met[bit / 64] |= 1 << (bit % 64);
        }
        Searched {
            text,
            met,
            last: Cell::new(0),
        }
    }

    /// Return whether the text has another one in lower case; None where Python may see
    /// another lower case.
    fn has_lower(&self, wanted: &str) -> Option<bool> {
        let eight: Option<[u8; 8]> = wanted.as_bytes().get(..8).and_then(|first| first.try_into().ok());
        if let (true, Some(mut first)) = (wanted.is_ascii(), eight) {
            first.make_ascii_lowercase();
            if !self.may_have(&first) {
                return Some(false);
            }
        }
        let wanted = lower(wanted)?;
        Some(self.may_have(wanted.as_bytes()) && self.has(&wanted))
    }

    fn has(&self, wanted: &str) -> bool {
        let last = self.last.get();
        let behind = self.text[last..].find(wanted).map(|place| last + place);
        let found = behind.or_else(|| self.text.find(wanted));
        if let Some(place) = found {
            self.last.set(place);
        }
        found.is_some()
    }

    /// Return whether every eight bytes of a text were met.
    fn may_have(&self, wanted: &[u8]) -> bool {
        wanted.chunks_exact(8).all(|eight| {
            let bit = mixed(eight);
            self.met[bit / 64] >> (bit % 64) & 1 == 1
        })
    }
}

fn mixed(eight: &[u8]) -> usize {
    let mut number = [0; 8];
    number.copy_from_slice(eight);
    let mixed = u64::from_ne_bytes(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - MET_BITS)) as usize
}
