//! Nodes that the page itself hides (the reference: `tree/visibility.py`).

use crate::characters::Characters;
use crate::page::Page;
use crate::tables::tag;

/// Return which nodes are hidden by the `hidden` attribute or by an inline style.
pub fn hidden(page: &Page, characters: &Characters) -> Vec<bool> {
    let mut hidden = vec![false; page.len()];
    let mut hide = |attribute: usize| {
        let node = page.attribute_node[attribute] as usize;
        hidden[node] = node != 0 && u32::from(page.tag[node]) != tag::BODY;
    };
    page.attributes("hidden").for_each(&mut hide);
    for attribute in page.attributes("style") {
        if hides(page.value(attribute), characters) {
            hide(attribute);
        }
    }
    for node in 1..page.len() {
        hidden[node] |= hidden[page.parent_or_root(node)];
    }
    hidden
}

/// Return whether a style has `display: none` or `visibility: hidden`.
fn hides(style: &str, characters: &Characters) -> bool {
    let is_blank = |character: char| characters.is_blank(character);
    style.match_indices(':').any(|(colon, _)| {
        let property = style[..colon].trim_end_matches(is_blank);
        let value = style[colon + 1..].trim_start_matches(is_blank);
        let has = |name: &str, word: &str| {
            matches(property.chars().rev(), name.chars().rev()) && matches(value.chars(), word.chars())
        };
        has("display", "none") || has("visibility", "hidden")
    })
}

/// Return whether characters begin with a word in small letters, whatever their case.
fn matches(mut text: impl Iterator<Item = char>, word: impl Iterator<Item = char>) -> bool {
    for letter in word {
        let is_same = match text.next() {
            // Letters that Python's regular expressions take for i and s.
            Some('\u{130}' | '\u{131}') => letter == 'i',
            Some('\u{17f}') => letter == 's',
            Some(character) => character.to_ascii_lowercase() == letter,
            None => false,
        };
        if !is_same {
            return false;
        }
    }
    true
}
