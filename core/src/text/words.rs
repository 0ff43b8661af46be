//! Words in the values of attributes and in texts: all that any step looks for, in one
//! pass. `scythe.tree.compiled.words` describes the groups.

use crate::page::{Page, TEXT};
use crate::sections::Sections;
use crate::text::automaton::{Automaton, MOST_GROUPS};

/// Groups of words, each of one attribute (the reference: `Tree.with_words`).
pub struct WordSearch {
    attributes: Vec<(String, Automaton)>,
}

impl WordSearch {
    /// Return the search for groups that each have two sections: an attribute, and words
    /// in small letters, separated by zeros. None where there are too many.
    pub fn new(description: &[u8]) -> Option<WordSearch> {
        let mut sections = Sections { rest: description };
        let mut names: Vec<&str> = Vec::new();
        let mut words: Vec<Vec<(&[u8], u64)>> = Vec::new();
        for group in 0.. {
            if sections.rest.is_empty() {
                break;
            }
            let name = std::str::from_utf8(sections.next()?).ok()?;
            let known = names.iter().position(|&known| known == name);
            let attribute = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(name);
                words.push(Vec::new());
            }
            words[attribute].extend(read_group(sections.next()?, group)?);
        }
        let mut attributes = Vec::new();
        for (name, words) in names.into_iter().zip(words) {
            attributes.push((name.to_owned(), Automaton::new(&words, true)?));
        }
        Some(WordSearch { attributes })
    }

    /// Return the positions of attributes whose values have words, and of which groups.
    pub fn find(&self, page: &Page) -> Vec<(u32, u64)> {
        let mut hits = Vec::new();
        for (name, automaton) in &self.attributes {
            for position in page.attributes(name) {
                let groups = automaton.groups(page.value(position));
                if groups != 0 {
                    hits.push((position as u32, groups));
                }
            }
        }
        hits
    }
}

/// Groups of signs in texts.
pub struct SignSearch {
    automaton: Automaton,
}

impl SignSearch {
    /// Return the search for groups of signs, each a section, separated by zeros; the first
    /// section is 1 where capitals count as small letters. None where there are too many.
    pub fn new(description: &[u8]) -> Option<SignSearch> {
        let mut sections = Sections { rest: description };
        let folds = sections.next()? == [1];
        let mut signs = Vec::new();
        for group in 0.. {
            if sections.rest.is_empty() {
                break;
            }
            signs.extend(read_group(sections.next()?, group)?);
        }
        Some(SignSearch {
            automaton: Automaton::new(&signs, folds)?,
        })
    }

    /// Return the groups that chosen texts have signs of.
    pub fn find(&self, page: &Page, chosen: &[u8]) -> u64 {
        let mut groups = 0;
        for (node, &tag) in page.tag.iter().enumerate() {
            if tag == TEXT && chosen[node] != 0 {
                groups |= self.automaton.groups(page.text(node));
            }
        }
        groups
    }
}

impl SignSearch {
    /// Return the elements with a bit of their tag whose text, all of it in one, has a sign.
    pub fn elements(&self, page: &Page, bits: &[u8], wanted: u8) -> Vec<i32> {
        let mut found = Vec::new();
        let mut text = String::new();
        // What stands in an element without signs has none.
        let mut without_until = 0;
        for node in (0..page.len()).filter(|&node| bits[node] & wanted != 0) {
            if node < without_until {
                continue;
            }
            text.clear();
            let end = page.end[node] as usize;
            let inside = node..end;
            for part in inside.filter(|&part| page.tag[part] == TEXT) {
                text.push_str(page.text(part));
            }
            if self.has_any(&text) {
                found.push(node as i32);
            } else {
                without_until = end;
            }
        }
        found
    }

    /// Return whether a text has any of the signs.
    pub fn has_any(&self, text: &str) -> bool {
        self.automaton.groups(text) != 0
    }
}

/// Return the words of a section with the bit of their group.
fn read_group(section: &[u8], group: u32) -> Option<Vec<(&[u8], u64)>> {
    let words = section.split(|&byte| byte == 0);
    (group < MOST_GROUPS).then(|| words.map(|word| (word, 1 << group)).collect())
}
