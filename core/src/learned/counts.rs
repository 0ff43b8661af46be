//! Totals of each block, which features of several groups are computed from (the
//! reference: `text_features.py`).

use std::borrow::Cow;

use crate::learned::outline::Outline;
use crate::learned::tables::{
    Tables, CJK, DIGIT, FORM, HEADING_SHIFT, LETTER, PUNCTUATION, SIGNS_SHIFT, SIGN_GROUPS, SPACE,
    STRONG, UPPER,
};
use crate::page::{Page, TEXT};
use crate::tables::tag;

/// Text nodes with as many characters are left to the reference, whose counters overflow.
const LONGEST_TEXT: usize = 1 << 21;

/// One number for each block in every row.
pub struct Counts<'p> {
    /// The text of each block, without white space around it.
    pub lines: Vec<Cow<'p, str>>,
    pub words: Vec<i64>,
    pub non_space: Vec<i64>,
    pub punctuation: Vec<i64>,
    pub sentences: Vec<i64>,
    pub digits: Vec<i64>,
    pub upper: Vec<i64>,
    /// Words in links.
    pub linked: Vec<i64>,
    /// Emphasised words.
    pub strong: Vec<i64>,
    pub links: Vec<i64>,
    pub images: Vec<i64>,
    pub forms: Vec<i64>,
    /// The level of the heading that the block stands in, 0 for none.
    pub heading: Vec<i64>,
    pub signs: [Vec<i64>; SIGN_GROUPS],
    /// Whether blocks are running text.
    pub is_long: Vec<bool>,
}

/// Return the totals; None where the reference must count.
pub fn count<'p>(page: &Page<'p>, tables: &Tables, outline: &Outline) -> Option<Counts<'p>> {
    let n = outline.len();
    let zeros = || vec![0; n];
    let mut counts = Counts {
        lines: Vec::with_capacity(n),
        words: zeros(),
        non_space: zeros(),
        punctuation: zeros(),
        sentences: zeros(),
        digits: zeros(),
        upper: zeros(),
        linked: zeros(),
        strong: zeros(),
        links: zeros(),
        images: zeros(),
        forms: zeros(),
        heading: zeros(),
        signs: [zeros(), zeros(), zeros(), zeros()],
        is_long: Vec::with_capacity(n),
    };
    count_elements(page, tables, outline, &mut counts);
    let marks = Marks::new(page, tables);
    let mut reader = Reader::default();
    for block in 0..n {
        let nodes = outline.nodes_of(block);
        let mut total = Totals::default();
        for (position, &node) in nodes.iter().enumerate() {
            let node = node as usize;
            let text = page.text(node);
            if text.len() >= LONGEST_TEXT {
                return None;
            }
            let words_before = total.words;
            let ended_sentence = reader.read(text, tables, &mut total);
            let of_sign = if position == 0 { block.max(1) - 1 } else { block };
            counts.sentences[of_sign] += i64::from(ended_sentence);
            let words = total.words - words_before;
            counts.linked[block] += if marks.is_linked(node) { words } else { 0 };
            counts.strong[block] += if marks.is_strong(node) { words } else { 0 };
        }
        counts.words[block] = total.words;
        counts.non_space[block] = total.non_space;
        counts.punctuation[block] = total.punctuation;
        counts.sentences[block] += total.sentences;
        counts.digits[block] = total.digits;
        counts.upper[block] = total.upper;
        for (group, &signs) in total.signs.iter().enumerate() {
            counts.signs[group][block] = signs;
        }
        counts.heading[block] = marks.heading(outline.first_node(block));
        counts.lines.push(line(page, tables, nodes));
    }
    if let Some(last) = counts.sentences.last_mut() {
        *last += i64::from(reader.after_punctuation); // nothing follows the last sign
    }
    let settings = &tables.settings;
    for (&words, &linked) in counts.words.iter().zip(&counts.linked) {
        let few_links = (linked as f64) < settings.long_linked_share * words as f64;
        counts.is_long.push(words >= settings.long_words && few_links);
    }
    Some(counts)
}

/// Count the elements that begin between the block before and each block.
fn count_elements(page: &Page, tables: &Tables, outline: &Outline, counts: &mut Counts) {
    let mut start = 0;
    for block in 0..outline.len() {
        let stop = outline.first_node(block);
        for &element in &page.tag[start..stop] {
            let code = u32::from(element);
            counts.links[block] += i64::from(code == tag::A);
            counts.images[block] += i64::from(code == tag::IMG);
            counts.forms[block] += i64::from(tables.tag(element) & FORM != 0);
        }
        start = stop;
    }
}

fn line<'p>(page: &Page<'p>, tables: &Tables, nodes: &[i32]) -> Cow<'p, str> {
    if let [node] = nodes {
        return Cow::Borrowed(tables.characters.strip(page.text(*node as usize)));
    }
    let texts = nodes.iter().map(|&node| page.text(node as usize));
    let joined: String = texts.collect();
    Cow::Owned(tables.characters.strip(&joined).to_owned())
}

/// What stands in links, in emphasis and in headings.
struct Marks {
    /// Bits of `LINKED` and `EMPHASISED`, and the level of the innermost heading.
    of_node: Vec<u8>,
}

const LINKED: u8 = 1 << 7;
const EMPHASISED: u8 = 1 << 6;

impl Marks {
    fn new(page: &Page, tables: &Tables) -> Marks {
        let mut of_node = vec![0_u8; page.len()];
        for (node, &element) in page.tag.iter().enumerate() {
            let parent = page.parent[node];
            let mut marks = if parent < 0 { 0 } else { of_node[parent as usize] };
            if element != TEXT {
                let bits = tables.tag(element);
                if u32::from(element) == tag::A {
                    marks |= LINKED;
                }
                if bits & STRONG != 0 {
                    marks |= EMPHASISED;
                }
                let heading = (bits >> HEADING_SHIFT) as u8;
                if heading != 0 {
                    marks = marks & (LINKED | EMPHASISED) | heading;
                }
            }
            of_node[node] = marks;
        }
        Marks { of_node }
    }

    fn is_linked(&self, node: usize) -> bool {
        self.of_node[node] & LINKED != 0
    }

    fn is_strong(&self, node: usize) -> bool {
        self.of_node[node] & EMPHASISED != 0
    }

    fn heading(&self, node: usize) -> i64 {
        i64::from(self.of_node[node] & !(LINKED | EMPHASISED))
    }
}

#[derive(Default)]
struct Totals {
    words: i64,
    non_space: i64,
    punctuation: i64,
    sentences: i64,
    digits: i64,
    upper: i64,
    signs: [i64; SIGN_GROUPS],
}

/// Reads text node after text node. A period ends a sentence unless a letter follows, also
/// in the next node; a word ends with its node.
#[derive(Default)]
struct Reader {
    after_punctuation: bool,
}

impl Reader {
    /// Count a text; return whether the sign before it, in another text, ended a sentence.
    fn read(&mut self, text: &str, tables: &Tables, total: &mut Totals) -> bool {
        if text.is_ascii() {
            let kinds = text.bytes().map(|byte| tables.characters.of_latin(byte));
            return self.read_kinds(kinds, total);
        }
        self.read_kinds(text.chars().map(|character| tables.character(character)), total)
    }

    /// Count a text, given the kinds of its characters.
    #[inline(always)]
    fn read_kinds(&mut self, mut characters: impl Iterator<Item = u16>, total: &mut Totals) -> bool {
        let mut in_word = false;
        let mut ended_sentence = false;
        if let Some(bits) = characters.next() {
            ended_sentence = self.after_punctuation && !is_latin(bits);
            in_word = self.count(bits, in_word, total);
        }
        for bits in characters {
            total.sentences += i64::from(self.after_punctuation && !is_latin(bits));
            in_word = self.count(bits, in_word, total);
        }
        ended_sentence
    }

    /// Count one character; return whether it is part of a word.
    #[inline(always)]
    fn count(&mut self, bits: u16, in_word: bool, total: &mut Totals) -> bool {
        let is_wordlike = bits & (LETTER | DIGIT) != 0;
        let is_punctuation = bits & PUNCTUATION != 0;
        total.words += i64::from((is_wordlike && !in_word) || bits & CJK != 0);
        total.non_space += i64::from(bits & SPACE == 0);
        total.punctuation += i64::from(is_punctuation);
        total.digits += i64::from(bits & DIGIT != 0);
        total.upper += i64::from(bits & UPPER != 0);
        self.after_punctuation = is_punctuation;
        let signs = usize::from(bits >> SIGNS_SHIFT) & ((1 << SIGN_GROUPS) - 1);
        if signs != 0 {
            for (group, count) in total.signs.iter_mut().enumerate() {
                *count += (signs >> group & 1) as i64;
            }
        }
        is_wordlike
    }
}

fn is_latin(bits: u16) -> bool {
    bits & (LETTER | DIGIT) != 0 && bits & CJK == 0
}
