//! From text to tokens: tags, runs of text, and that there was a comment.
//!
//! A run of text is everything up to the next token, so a builder sees it whole. Text and
//! attribute values stay where they are in the input unless a character reference or a
//! zero byte changes them.

use crate::doctype;
use crate::names::{Names, TagNames};
use crate::references;
use crate::scan::{find, is_space};
use crate::script;

/// Bytes of the input, or of the pool where they had to be written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub len: u32,
    pub in_pool: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    pub name: u32,
    pub value: Span,
    /// Whether the value was in quotes.
    pub quoted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Text(Span),
    StartTag { tag: u32, self_closing: bool },
    EndTag { tag: u32 },
    Comment,
    Doctype { quirky: bool },
    End,
}

/// How text is read, which depends on the element it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Markup,
    /// Text with character references, up to the end tag.
    Escapable,
    /// Text up to the end tag.
    Raw,
    Script,
    /// Text up to the end of the page.
    Plain,
}

pub struct Tokenizer<'a> {
    pub input: &'a [u8],
    at: usize,
    pub content: Content,
    /// Whether `<![CDATA[` begins a section, as it does in SVG and MathML.
    pub sections_allowed: bool,
    pub tag_names: TagNames,
    pub attribute_names: Names,
    /// The attributes of the last start tag.
    pub attributes: Vec<Attribute>,
    /// Where text and values are that are not in the input as they are.
    pub pool: Vec<u8>,
    /// By attribute name, the last tag that had it.
    seen_in: Vec<u32>,
    tags: u32,
    last_start_tag: u32,
    scratch: Vec<u8>,
}

impl<'a> Tokenizer<'a> {
    pub fn new(input: &'a [u8]) -> Tokenizer<'a> {
        Tokenizer {
            input,
            at: 0,
            content: Content::Markup,
            sections_allowed: false,
            tag_names: TagNames::new(),
            attribute_names: Names::new(0),
            attributes: Vec::new(),
            pool: Vec::new(),
            seen_in: Vec::new(),
            tags: 0,
            last_start_tag: 0,
            scratch: Vec::new(),
        }
    }

    pub fn bytes(&self, span: Span) -> &[u8] {
        let from = if span.in_pool { &self.pool } else { self.input };
        &from[span.start as usize..(span.start + span.len) as usize]
    }

    pub fn next(&mut self) -> Token {
        let text = match self.content {
            Content::Markup => self.text(),
            Content::Escapable => self.escapable_text(),
            Content::Raw => self.raw_text(raw_text_end),
            Content::Script => self.raw_text(script::end),
            Content::Plain => {
                let start = self.at;
                self.at = self.input.len();
                self.replaced(start, self.at)
            }
        };
        if text.len > 0 {
            return Token::Text(text);
        }
        self.content = Content::Markup;
        self.markup()
    }

    fn peek(&self, offset: usize) -> Option<u8> {
        self.input.get(self.at + offset).copied()
    }

    // Text

    /// Return the text up to the next tag, comment or the like.
    fn text(&mut self) -> Span {
        let sections_allowed = self.sections_allowed;
        let mut run = Run::new(self);
        loop {
            run.at = find(run.input, run.at, |byte| byte == b'<' || byte == b'&');
            match run.peek(0) {
                None => break,
                Some(b'&') => run.reference(),
                Some(_) => match run.peek(1) {
                    Some(b'/') => match run.peek(2) {
                        None => run.at += 2,
                        Some(b'>') => run.skip(3),
                        Some(_) => break,
                    },
                    Some(b'!') => {
                        if !sections_allowed || !run.rest().starts_with(b"<![CDATA[") {
                            break;
                        }
                        run.section();
                    }
                    Some(b'?') => break,
                    Some(byte) if byte.is_ascii_alphabetic() => break,
                    _ => run.at += 1,
                },
            }
        }
        let at = run.at;
        let span = run.finish();
        self.at = at;
        span
    }

    /// Return the text of an element like `<title>`, up to its end tag.
    fn escapable_text(&mut self) -> Span {
        let name = self.tag_names.get(self.last_start_tag).to_vec();
        let mut run = Run::new(self);
        loop {
            run.at = find(run.input, run.at, |byte| {
                byte == b'<' || byte == b'&' || byte == 0
            });
            match run.peek(0) {
                None => break,
                Some(b'&') => run.reference(),
                Some(0) => run.replace_zero(),
                Some(_) if is_end_tag(run.rest(), &name) => break,
                Some(_) => run.at += 1,
            }
        }
        let at = run.at;
        let span = run.finish();
        self.at = at;
        span
    }

    /// Return the text of an element like `<style>`, up to where `end` says.
    fn raw_text(&mut self, end: fn(&[u8], usize, &[u8]) -> usize) -> Span {
        let start = self.at;
        let name = self.tag_names.get(self.last_start_tag);
        self.at = end(self.input, start, name);
        self.replaced(start, self.at)
    }

    /// Return a part of the input with U+FFFD for every zero.
    fn replaced(&mut self, start: usize, end: usize) -> Span {
        if !self.input[start..end].contains(&0) {
            return in_input(start, end);
        }
        let pool_start = self.pool.len();
        push_replaced(&mut self.pool, &self.input[start..end]);
        in_pool(pool_start, self.pool.len())
    }

    // Markup

    /// Read what is no text at the current position.
    fn markup(&mut self) -> Token {
        match self.peek(1) {
            None => Token::End,
            Some(b'!') => self.declaration(),
            Some(b'?') => self.instruction(),
            Some(b'/') if self.peek(2).is_some_and(|byte| byte.is_ascii_alphabetic()) => {
                self.at += 2;
                self.tag(true)
            }
            Some(b'/') => {
                self.at += 2;
                self.bogus_comment()
            }
            Some(_) => {
                self.at += 1;
                self.tag(false)
            }
        }
    }

    fn declaration(&mut self) -> Token {
        let rest = &self.input[self.at + 2..];
        if rest.starts_with(b"--") {
            self.at = comment_end(self.input, self.at + 4);
            return Token::Comment;
        }
        let word = rest.get(..7).unwrap_or(b"");
        if word.eq_ignore_ascii_case(b"doctype") {
            let (quirky, len) = doctype::read(&rest[7..]);
            self.at += 9 + len;
            return Token::Doctype { quirky };
        }
        self.at += 2;
        self.bogus_comment()
    }

    fn bogus_comment(&mut self) -> Token {
        self.at = past_bracket(self.input, self.at).unwrap_or(self.input.len());
        Token::Comment
    }

    /// Read a processing instruction. One that the page's end cuts off is none; what only
    /// begins like one is a comment.
    fn instruction(&mut self) -> Token {
        let start = self.at + 2;
        let rest = &self.input[start..];
        let begins = rest.first().map(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .count();
        let target = &rest[..length];
        let ends = rest.get(length).map(|byte| is_space(*byte) || matches!(byte, b'?' | b'>'));
        let is_cut_off = begins.is_none() || (begins == Some(true) && ends.is_none());
        let is_reserved = target.eq_ignore_ascii_case(b"xml")
            || target.eq_ignore_ascii_case(b"xml-stylesheet");
        let is_one = begins == Some(true) && ends == Some(true) && !is_reserved;
        match past_bracket(self.input, start) {
            Some(end) => {
                self.at = end;
                Token::Comment
            }
            None => {
                self.at = self.input.len();
                if is_cut_off || is_one {
                    Token::End
                } else {
                    Token::Comment
                }
            }
        }
    }

    /// Read a tag from its name on.
    fn tag(&mut self, is_end: bool) -> Token {
        let name_start = self.at;
        while self.peek(0).is_some_and(|byte| !ends_name(byte)) {
            self.at += 1;
        }
        let tag = {
            let name = lowercase(&self.input[name_start..self.at], &mut self.scratch);
            self.tag_names.intern(name)
        };
        self.attributes.clear();
        self.tags += 1;
        let Some(self_closing) = self.read_attributes() else {
            self.at = self.input.len();
            return Token::End;
        };
        if is_end {
            return Token::EndTag { tag };
        }
        self.last_start_tag = tag;
        Token::StartTag { tag, self_closing }
    }

    /// Read the attributes of a tag through its `>`, and return whether it closes itself;
    /// None where the page ends before.
    fn read_attributes(&mut self) -> Option<bool> {
        loop {
            while self.peek(0).is_some_and(is_space) {
                self.at += 1;
            }
            match self.peek(0)? {
                b'>' => {
                    self.at += 1;
                    return Some(false);
                }
                b'/' => {
                    self.at += 1;
                    if self.peek(0)? == b'>' {
                        self.at += 1;
                        return Some(true);
                    }
                }
                _ => self.read_attribute()?,
            }
        }
    }

    fn read_attribute(&mut self) -> Option<()> {
        let name_start = self.at;
        self.at += 1; // a leading equals sign is part of the name
        while self.peek(0).is_some_and(|byte| !ends_name(byte) && byte != b'=') {
            self.at += 1;
        }
        let name = {
            let name = lowercase(&self.input[name_start..self.at], &mut self.scratch);
            self.attribute_names.intern(name)
        };
        while self.peek(0).is_some_and(is_space) {
            self.at += 1;
        }
        let mut value = in_input(self.at, self.at);
        let mut quoted = false;
        if self.peek(0) == Some(b'=') {
            self.at += 1;
            while self.peek(0).is_some_and(is_space) {
                self.at += 1;
            }
            match self.peek(0)? {
                b'"' => {
                    quoted = true;
                    value = self.quoted_value(b'"')?;
                }
                b'\'' => {
                    quoted = true;
                    value = self.quoted_value(b'\'')?;
                }
                b'>' => {}
                _ => value = self.bare_value()?,
            }
        }
        self.add_attribute(Attribute { name, value, quoted });
        Some(())
    }

    /// Keep an attribute unless the tag has one of its name.
    fn add_attribute(&mut self, attribute: Attribute) {
        let index = attribute.name as usize;
        if index >= self.seen_in.len() {
            self.seen_in.resize(index + 1, 0);
        }
        if self.seen_in[index] != self.tags {
            self.seen_in[index] = self.tags;
            self.attributes.push(attribute);
        }
    }

    fn quoted_value(&mut self, quote: u8) -> Option<Span> {
        self.at += 1;
        let mut run = Run::in_attribute(self);
        loop {
            run.at = find(run.input, run.at, |byte| {
                byte == quote || byte == b'&' || byte == 0
            });
            match run.peek(0)? {
                b'&' => run.reference(),
                0 => run.replace_zero(),
                _ => break,
            }
        }
        let at = run.at;
        let span = run.finish();
        self.at = at + 1;
        Some(span)
    }

    fn bare_value(&mut self) -> Option<Span> {
        let mut run = Run::in_attribute(self);
        loop {
            match run.peek(0)? {
                b'&' => run.reference(),
                0 => run.replace_zero(),
                byte if is_space(byte) || byte == b'>' => break,
                _ => run.at += 1,
            }
        }
        let at = run.at;
        let span = run.finish();
        self.at = at;
        Some(span)
    }
}

/// Text under way: a part of the input as long as that is what it is, else in the pool.
struct Run<'r> {
    input: &'r [u8],
    pool: &'r mut Vec<u8>,
    at: usize,
    /// Input from here on is not in the pool yet.
    pending: usize,
    pool_start: usize,
    is_copied: bool,
    in_attribute: bool,
}

impl<'r> Run<'r> {
    fn new(tokenizer: &'r mut Tokenizer) -> Run<'r> {
        Run {
            input: tokenizer.input,
            at: tokenizer.at,
            pending: tokenizer.at,
            pool_start: tokenizer.pool.len(),
            pool: &mut tokenizer.pool,
            is_copied: false,
            in_attribute: false,
        }
    }

    fn in_attribute(tokenizer: &'r mut Tokenizer) -> Run<'r> {
        let mut run = Run::new(tokenizer);
        run.in_attribute = true;
        run
    }

    fn peek(&self, offset: usize) -> Option<u8> {
        self.input.get(self.at + offset).copied()
    }

    fn rest(&self) -> &'r [u8] {
        &self.input[self.at..]
    }

    fn copy_pending(&mut self) {
        self.pool.extend_from_slice(&self.input[self.pending..self.at]);
        self.is_copied = true;
    }

    /// Leave bytes of the input out.
    fn skip(&mut self, count: usize) {
        self.copy_pending();
        self.at += count;
        self.pending = self.at;
    }

    fn reference(&mut self) {
        match references::decode(self.rest(), self.in_attribute) {
            None => self.at += 1,
            Some((meaning, count)) => {
                self.skip(count);
                meaning.push_to(self.pool);
            }
        }
    }

    fn replace_zero(&mut self) {
        self.skip(1);
        self.pool.extend_from_slice("\u{fffd}".as_bytes());
    }

    /// Take the content of a `<![CDATA[` section.
    fn section(&mut self) {
        self.skip(9);
        loop {
            self.at = find(self.input, self.at, |byte| byte == b']');
            if self.rest().starts_with(b"]]>") {
                self.skip(3);
                return;
            }
            if self.at >= self.input.len() {
                return;
            }
            self.at += 1;
        }
    }

    fn finish(mut self) -> Span {
        if !self.is_copied {
            return in_input(self.pending, self.at);
        }
        self.copy_pending();
        in_pool(self.pool_start, self.pool.len())
    }
}

fn in_input(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        len: (end - start) as u32,
        in_pool: false,
    }
}

fn in_pool(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        len: (end - start) as u32,
        in_pool: true,
    }
}

fn push_replaced(out: &mut Vec<u8>, bytes: &[u8]) {
    for part in bytes.split_inclusive(|&byte| byte == 0) {
        match part.split_last() {
            Some((0, before)) => {
                out.extend_from_slice(before);
                out.extend_from_slice("\u{fffd}".as_bytes());
            }
            _ => out.extend_from_slice(part),
        }
    }
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

/// Return a name in lower case and without zeros, in `scratch` where that is not what it
/// is in the input.
fn lowercase<'n>(name: &'n [u8], scratch: &'n mut Vec<u8>) -> &'n [u8] {
    let differs = |byte: &u8| byte.is_ascii_uppercase() || *byte == 0;
    if !name.iter().any(differs) {
        return name;
    }
    scratch.clear();
    push_replaced(scratch, name);
    scratch.make_ascii_lowercase();
    scratch
}

/// Return whether an end tag of the name is at the start of `rest`.
pub fn is_end_tag(rest: &[u8], name: &[u8]) -> bool {
    let Some(written) = rest.get(2..2 + name.len()) else {
        return false;
    };
    rest.starts_with(b"</")
        && written.eq_ignore_ascii_case(name)
        && rest.get(2 + name.len()).is_some_and(|&byte| ends_name(byte))
}

fn raw_text_end(input: &[u8], start: usize, name: &[u8]) -> usize {
    let mut at = start;
    loop {
        at = find(input, at, |byte| byte == b'<');
        if at >= input.len() || is_end_tag(&input[at..], name) {
            return at;
        }
        at += 1;
    }
}

/// Return the position after the comment whose content begins at `start`.
fn comment_end(input: &[u8], start: usize) -> usize {
    let content = &input[start..];
    if content.starts_with(b">") {
        return start + 1;
    }
    if content.starts_with(b"->") {
        return start + 2;
    }
    let mut at = start;
    loop {
        at = find(input, at, |byte| byte == b'>');
        if at >= input.len() {
            return at;
        }
        let before = &input[start..at];
        at += 1;
        if before.ends_with(b"--") || before.ends_with(b"--!") {
            return at;
        }
    }
}

fn past_bracket(input: &[u8], start: usize) -> Option<usize> {
    let at = find(input, start, |byte| byte == b'>');
    (at < input.len()).then_some(at + 1)
}
