//! What Python describes of texts: kinds of characters and sets of tags.
//!
//! `scythe.tree.compiled.texts` writes the sections, in this order.

use crate::characters::Characters;
use crate::sections::Sections;

/// Bits of a tag.
pub const SKIPPED: u8 = 1;
pub const BREAKING: u8 = 1 << 1;
pub const PREFORMATTED: u8 = 1 << 2;

pub struct TextTables {
    pub characters: Characters,
    tags: Vec<u8>,
}

impl TextTables {
    /// Return the tables of a description; None where it is of another form.
    pub fn new(description: &[u8]) -> Option<TextTables> {
        let mut sections = Sections { rest: description };
        let characters = Characters::new(&sections.numbers(u16::from_ne_bytes)?)?;
        let tags = sections.next()?.to_vec();
        let is_whole = !tags.is_empty() && sections.rest.is_empty();
        is_whole.then_some(TextTables { characters, tags })
    }

    /// Return the bits of a tag; those beyond the known ones share the last.
    #[inline]
    pub fn tag(&self, tag: u16) -> u8 {
        self.tags[(tag as usize).min(self.tags.len() - 1)]
    }
}
