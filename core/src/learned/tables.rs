//! What Python describes: kinds of characters, sets of tags, roles, constants.
//!
//! `scythe.content.methods.learned.compiled` writes the sections, in this order.

use crate::characters::Characters;
use crate::hashing::WordMap;
use crate::learned::logarithms::Logarithms;
use crate::sections::Sections;

/// Bits of a tag.
pub const UNREAD: u32 = 1;
pub const BREAKING: u32 = 1 << 1;
pub const BLOCK: u32 = 1 << 2;
pub const FORM: u32 = 1 << 3;
pub const STRONG: u32 = 1 << 4;
pub const UNIT: u32 = 1 << 5;
pub const LIST: u32 = 1 << 6;
pub const ROW: u32 = 1 << 7;
pub const CELL: u32 = 1 << 8;
pub const ITEM: u32 = 1 << 9;
pub const DEFINITION: u32 = 1 << 10;
/// From this bit on stands the level of a heading.
pub const HEADING_SHIFT: u32 = 16;

/// Bits of a character, the first as in `scythe.tree.characters`.
pub const SPACE: u16 = 1;
pub const PUNCTUATION: u16 = 2;
pub const LETTER: u16 = 4;
pub const DIGIT: u16 = 8;
pub const CJK: u16 = 16;
pub const UPPER: u16 = 32;
/// Four bits, one for each group of signs.
pub const SIGNS_SHIFT: u32 = 8;
pub const SIGN_GROUPS: usize = 4;
/// Three bits: the class of a character that ends a block.
pub const ENDING_SHIFT: u32 = 12;

pub struct Tables {
    pub characters: Characters,
    tags: Vec<u32>,
    /// Numbers of 64 bits in which the counters of all roles are packed.
    pub columns: usize,
    tag_roles: Vec<u64>,
    words: WordMap,
    word_roles: Vec<u64>,
    pub logarithms: Logarithms,
    /// Whether the C library here is that of the reference, to the last bit: where the core
    /// was built in another way, predictions are left to it.
    pub computes_alike: bool,
    pub settings: Settings,
    pub held_shares: Vec<f64>,
    pub neighbour_steps: Vec<f64>,
    pub windows: Vec<f64>,
}

/// The reference's constants.
pub struct Settings {
    pub levels: usize,
    pub upper_levels: usize,
    pub longest_name: usize,
    pub long_words: i64,
    pub long_linked_share: f64,
    pub short_words: i64,
    pub min_title: usize,
    pub max_title: usize,
    pub min_title_heading: usize,
    pub compared_start: usize,
    pub max_distance: i64,
    pub no_title: f32,
    pub no_heading: f32,
    pub near_level: usize,
    pub middle_level: usize,
    pub max_role_count: u8,
    pub roles: usize,
    pub max_blocks_per_cell: f64,
    pub max_blocks_per_item: f64,
    pub min_cells_per_row: f64,
    pub max_page_share: f64,
    /// Levels whose like siblings the page has a mean of.
    pub alike_levels: usize,
    /// What a block weighs beside its words.
    pub block_weight: f64,
}

impl Tables {
    /// Return the tables of a description; None where it is of another form.
    pub fn new(description: &[u8]) -> Option<Tables> {
        let mut sections = Sections { rest: description };
        let characters = sections.numbers(u16::from_ne_bytes)?;
        let tags = sections.numbers(u32::from_ne_bytes)?;
        let tag_roles = sections.numbers(u64::from_ne_bytes)?;
        let words = sections.next()?;
        let word_roles = sections.numbers(u64::from_ne_bytes)?;
        let logarithms = Logarithms::new(&mut sections)?;
        let samples = sections.numbers(f64::from_ne_bytes)?;
        let powers_of_samples = sections.numbers(f64::from_ne_bytes)?;
        let logs_of_samples = sections.numbers(f64::from_ne_bytes)?;
        let settings = Settings::new(&sections.numbers(f64::from_ne_bytes)?)?;
        let held_shares = sections.numbers(f64::from_ne_bytes)?;
        let neighbour_steps = sections.numbers(f64::from_ne_bytes)?;
        let windows = sections.numbers(f64::from_ne_bytes)?;

        let columns = (settings.roles + 7) / 8;
        let words = WordMap::new(words.split(|&byte| byte == 0));
        let is_whole = tag_roles.len() == columns * tags.len()
            && word_roles.len() == columns * words.len();
        is_whole.then_some(Tables {
            characters: Characters::new(&characters)?,
            tags,
            columns,
            tag_roles,
            words,
            word_roles,
            logarithms,
            computes_alike: are_alike(&samples, &powers_of_samples, |sample| (-sample).exp())
                && are_alike(&samples, &logs_of_samples, f64::ln_1p),
            settings,
            held_shares,
            neighbour_steps,
            windows,
        })
    }

    /// Return the bits of a character.
    #[inline]
    pub fn character(&self, character: char) -> u16 {
        self.characters.of(character)
    }

    /// Return the bits of a tag; those beyond the known ones share the last row.
    #[inline]
    pub fn tag(&self, tag: u16) -> u32 {
        self.tags[self.known(tag)]
    }

    /// Return the packed counters of a tag.
    pub fn roles_of_tag(&self, tag: u16) -> &[u64] {
        row(&self.tag_roles, self.known(tag), self.columns)
    }

    /// Return the packed counters of a word in lower case, if it has a role.
    pub fn roles_of_word(&self, word: &[u8]) -> Option<&[u64]> {
        let number = self.words.get(word)?;
        Some(row(&self.word_roles, number, self.columns))
    }

    fn known(&self, tag: u16) -> usize {
        (tag as usize).min(self.tags.len() - 1)
    }
}

/// Return whether numbers are what a function gives for samples.
fn are_alike(samples: &[f64], numbers: &[f64], function: impl Fn(f64) -> f64) -> bool {
    let is_same = |(&sample, number): (&f64, &f64)| function(sample).to_bits() == number.to_bits();
    samples.len() == numbers.len() && samples.iter().zip(numbers).all(is_same)
}

fn row(values: &[u64], number: usize, columns: usize) -> &[u64] {
    &values[number * columns..(number + 1) * columns]
}

impl Settings {
    fn new(values: &[f64]) -> Option<Settings> {
        let mut values = values.iter().copied();
        let mut next = || values.next();
        let settings = Settings {
            levels: next()? as usize,
            upper_levels: next()? as usize,
            longest_name: next()? as usize,
            long_words: next()? as i64,
            long_linked_share: next()?,
            short_words: next()? as i64,
            min_title: next()? as usize,
            max_title: next()? as usize,
            min_title_heading: next()? as usize,
            compared_start: next()? as usize,
            max_distance: next()? as i64,
            no_title: next()? as f32,
            no_heading: next()? as f32,
            near_level: next()? as usize,
            middle_level: next()? as usize,
            max_role_count: next()? as u8,
            roles: next()? as usize,
            max_blocks_per_cell: next()?,
            max_blocks_per_item: next()?,
            min_cells_per_row: next()?,
            max_page_share: next()?,
            alike_levels: next()? as usize,
            block_weight: next()?,
        };
        next().is_none().then_some(settings)
    }
}
