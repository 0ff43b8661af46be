//! The text of chosen nodes, line by line (the reference: `tree/text.py`).

use crate::characters::Characters;
use crate::page::{Page, TEXT};
use crate::text::tables::{TextTables, BREAKING, PREFORMATTED};

/// Return the text of the chosen text nodes: one line a block, white space collapsed
/// except in preformatted text.
pub fn plain_text(page: &Page, tables: &TextTables, chosen: &[u8]) -> Vec<u8> {
    let mut lines = Lines {
        characters: &tables.characters,
        out: Vec::new(),
        line: String::new(),
        is_verbatim: false,
    };
    let mut open: Vec<usize> = Vec::new();
    let mut is_border = true;
    let mut preformatted_until = 0;
    for (node, &tag) in page.tag.iter().enumerate() {
        while open.last().is_some_and(|&end| end <= node) {
            open.pop();
            is_border = true;
        }
        if tag != TEXT {
            let bits = tables.tag(tag);
            let end = page.end[node] as usize;
            if bits & BREAKING != 0 {
                open.push(end);
                is_border = true;
            }
            if bits & PREFORMATTED != 0 {
                preformatted_until = preformatted_until.max(end);
            }
        } else if chosen[node] != 0 {
            if is_border {
                lines.end();
                lines.is_verbatim = node < preformatted_until;
                is_border = false;
            }
            lines.line.push_str(page.text(node));
        }
    }
    lines.end();
    lines.out
}

/// Return the text of the chosen text nodes in one line, white space collapsed.
pub fn one_line(page: &Page, tables: &TextTables, chosen: &[u8]) -> Vec<u8> {
    let mut lines = Lines {
        characters: &tables.characters,
        out: Vec::new(),
        line: String::new(),
        is_verbatim: false,
    };
    let is_chosen = |node: &usize| page.tag[*node] == TEXT && chosen[*node] != 0;
    for node in (0..page.len()).filter(is_chosen) {
        lines.line.push_str(page.text(node));
    }
    lines.end();
    lines.out
}

struct Lines<'c> {
    characters: &'c Characters,
    out: Vec<u8>,
    /// The line that is not ended.
    line: String,
    is_verbatim: bool,
}

impl Lines<'_> {
    /// End a line; one without text is left out.
    fn end(&mut self) {
        let start = self.out.len();
        if start > 0 {
            self.out.push(b'\n');
        }
        let first = self.out.len();
        if self.is_verbatim {
            let line = self.line.trim_matches('\n');
            let line = line.trim_end_matches(|character| self.characters.is_blank(character));
            self.out.extend_from_slice(line.as_bytes());
        } else {
            push_collapsed(&mut self.out, &self.line, self.characters);
        }
        if self.out.len() == first {
            self.out.truncate(start);
        }
        self.line.clear();
    }
}

/// Add a text, its words separated by one space each.
pub fn push_collapsed(out: &mut Vec<u8>, text: &str, characters: &Characters) {
    let text = characters.strip(text);
    if !text.is_ascii() {
        let words = text.split(|character| characters.is_blank(character));
        push_words(out, words.map(str::as_bytes));
    } else if is_collapsed(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        let bytes = text.as_bytes();
        push_words(out, bytes.split(|&byte| characters.is_blank(char::from(byte))));
    }
}

/// Return whether a text in ASCII has no white space but single spaces.
fn is_collapsed(text: &[u8]) -> bool {
    let behind = text.get(1..).unwrap_or(b"");
    let pairs = text.iter().zip(behind);
    !pairs.fold(false, |any, (&byte, &next)| any | (byte < b' ') | (byte == b' ') & (next == b' '))
}

fn push_words<'w>(out: &mut Vec<u8>, words: impl Iterator<Item = &'w [u8]>) {
    let first = out.len();
    for word in words.filter(|word| !word.is_empty()) {
        if out.len() > first {
            out.push(b' ');
        }
        out.extend_from_slice(word);
    }
}
