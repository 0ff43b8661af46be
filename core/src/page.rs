//! A page as the arrays that `flat` wrote, read again.

use crate::flat::HEADER;

/// The code of a text node.
pub const TEXT: u16 = 0;

pub struct Page<'b> {
    pub tag: &'b [u16],
    pub parent: &'b [i32],
    pub end: &'b [i32],
    pub depth: &'b [i32],
    /// The node of each attribute, in document order.
    pub attribute_node: &'b [i32],
    attribute_name: &'b [i32],
    text_end: &'b [i32],
    value_end: &'b [i32],
    texts: &'b str,
    values: &'b str,
    names: &'b [u8],
    /// How many text nodes stand before each node.
    texts_before: &'b [i32],
}

impl<'b> Page<'b> {
    /// Return the page of a block, given as its numbers of 32 and of 16 bits and as its
    /// bytes, and what reads texts in UTF-8; None where it is no block.
    pub fn new(
        numbers: &'b [i32],
        halves: &'b [u16],
        bytes: &'b [u8],
        as_text: fn(&'b [u8]) -> &'b str,
    ) -> Option<Page<'b>> {
        let mut header = [0; HEADER];
        for (place, &number) in header.iter_mut().zip(numbers.get(..HEADER)?) {
            *place = number as usize;
        }
        let (nodes, attributes, texts) = (header[0], header[1], header[2]);
        let mut columns = Columns { numbers, at: HEADER };
        let parent = columns.next(nodes)?;
        let end = columns.next(nodes)?;
        let depth = columns.next(nodes)?;
        let texts_before = columns.next(nodes)?;
        let attribute_node = columns.next(attributes)?;
        let attribute_name = columns.next(attributes)?;
        let text_end = columns.next(texts)?;
        let value_end = columns.next(attributes)?;

        let tags_at = 4 * columns.at;
        let texts_at = tags_at + 2 * nodes;
        let tag = halves.get(tags_at / 2..texts_at / 2)?;
        let values_at = texts_at + header[6];
        let names_at = values_at + header[7];
        Some(Page {
            texts_before,
            tag,
            parent,
            end,
            depth,
            attribute_node,
            attribute_name,
            text_end,
            value_end,
            texts: as_text(bytes.get(texts_at..values_at)?),
            values: as_text(bytes.get(values_at..names_at)?),
            names: bytes.get(names_at..names_at + header[8])?,
        })
    }

    pub fn len(&self) -> usize {
        self.tag.len()
    }

    /// Return the text of a text node.
    pub fn text(&self, node: usize) -> &'b str {
        part(self.texts, self.text_end, self.texts_before[node] as usize)
    }

    /// Return the value of an attribute, by its position in the table.
    pub fn value(&self, position: usize) -> &'b str {
        part(self.values, self.value_end, position)
    }

    /// Return the same in bytes.
    pub fn value_bytes(&self, position: usize) -> &'b [u8] {
        self.value(position).as_bytes()
    }

    /// Copy texts or values of attributes, each with a zero behind it; return how long they
    /// are. None where there is none of a number, or no place for all.
    pub fn copy_parts(&self, are_values: bool, numbers: &[i64], out: &mut [u8]) -> Option<usize> {
        let (parts, ends) = if are_values {
            (self.values, self.value_end)
        } else {
            (self.texts, self.text_end)
        };
        let mut written = 0;
        for &number in numbers {
            let number = usize::try_from(number).ok().filter(|&number| number < ends.len())?;
            let part = part(parts, ends, number).as_bytes();
            let place = out.get_mut(written..written + part.len() + 1)?;
            place[..part.len()].copy_from_slice(part);
            place[part.len()] = 0;
            written += part.len() + 1;
        }
        Some(written)
    }

    /// Return the number of the name of attributes; -1 where the page has none of it.
    pub fn name_number(&self, name: &str) -> i32 {
        let mut names = self.names.split(|&byte| byte == 0);
        let number = names.position(|known| known == name.as_bytes());
        number.map_or(-1, |number| number as i32)
    }

    /// Return the position of a node's attribute, by the number of its name.
    pub fn attribute_of(&self, node: usize, name: i32) -> Option<usize> {
        let node = node as i32;
        let start = self.attribute_node.partition_point(|&other| other < node);
        let own = self.attribute_node[start..].iter().take_while(|&&other| other == node);
        let mut names = self.attribute_name[start..].iter().take(own.count());
        names.position(|&other| other == name).map(|at| start + at)
    }

    /// Return the positions of all attributes of a name, in document order.
    pub fn attributes<'p>(&'p self, name: &str) -> impl Iterator<Item = usize> + 'p {
        let wanted = self.name_number(name);
        let names: &'p [i32] = self.attribute_name;
        names.iter().enumerate().filter_map(move |(position, &name)| (name == wanted).then_some(position))
    }

    /// Return the bits that a table has for the tag of each node; tags beyond the known
    /// ones share the last.
    pub fn tag_bits(&self, table: &[u8]) -> Option<Vec<u8>> {
        let last = table.len().checked_sub(1)?;
        Some(self.tag.iter().map(|&tag| table[(tag as usize).min(last)]).collect())
    }

    /// Return a node's parent, and for the root itself.
    pub fn parent_or_root(&self, node: usize) -> usize {
        self.parent[node].max(0) as usize
    }
}

struct Columns<'b> {
    numbers: &'b [i32],
    at: usize,
}

impl<'b> Columns<'b> {
    fn next(&mut self, count: usize) -> Option<&'b [i32]> {
        let column = self.numbers.get(self.at..self.at.checked_add(count)?);
        self.at += count;
        column
    }
}

#[inline]
fn part<'b>(text: &'b str, ends: &[i32], number: usize) -> &'b str {
    // A zero stands between two parts.
    let start = number.checked_sub(1).map_or(0, |before| ends[before] as usize + 1);
    &text[start..ends[number] as usize]
}
