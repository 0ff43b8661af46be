//! Tree construction after the HTML standard: one handler for each insertion mode.
//!
//! The reference is the parser that the Python side uses without this core (turbohtml
//! 1.15), also where it differs from the standard; such places say "as the reference".
//! What it does past its own bounds is not imitated: such a page is declined.

mod body;
mod body_ends;
mod foreign;
mod formatting;
mod head;
mod insertion;
mod outside;
mod stack;
mod table;

pub use foreign::adjusted_element;

use crate::categories;
use crate::dom::{Dom, Namespace, NodeId, DOCUMENT, NONE};
use crate::tables::tag;
use crate::tokenizer::{Attribute, Content, Span, Token, Tokenizer};
use stack::Open;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    InFrameset,
    AfterFrameset,
    AfterBody,
    AfterAfterBody,
    AfterAfterFrameset,
}

impl Mode {
    fn is_in_table(self) -> bool {
        use Mode::*;
        matches!(self, InTable | InTableBody | InRow | InCell | InCaption)
    }
}

/// What comes after a handler.
pub enum Flow {
    Done,
    /// The same token, or what is left of it, in the mode that is now set.
    Again(Token),
}

use Flow::{Again, Done};

/// Open elements beyond which a page is declined: the reference stops nesting at 512.
const MOST_OPEN: usize = 500;
/// Formatting elements beyond which a page is declined; real pages have under 50.
const MOST_FORMATTING: usize = 2_000;

/// The attributes of second `<html>` and `<body>` tags.
struct Merged {
    id: NodeId,
    names: HashSet<u32>,
    added: Vec<Attribute>,
}

/// Bytes of a page that have one node, as most pages have it or more.
const BYTES_A_NODE: usize = 48;

pub struct Builder<'a> {
    pub tokenizer: Tokenizer<'a>,
    pub dom: Dom,
    mode: Mode,
    /// The mode to return to from `Mode::Text`.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    open: Vec<Open>,
    open_paragraphs: usize,
    /// Active formatting elements; `NONE` is a marker.
    formatting: Vec<NodeId>,
    head: NodeId,
    form: NodeId,
    is_quirky: bool,
    may_be_frameset: bool,
    is_fostering: bool,
    /// Whether a line break that comes next is left out.
    skips_newline: bool,
    has_zeros: bool,
    /// Two for each name of an attribute: as MathML and as SVG write it, once asked for.
    adjusted_names: Vec<u32>,
    merged: Vec<Merged>,
    most_nodes: usize,
    is_declined: bool,
}

impl<'a> Builder<'a> {
    pub fn new(input: &'a [u8], most_nodes: usize) -> Builder<'a> {
        Builder {
            tokenizer: Tokenizer::new(input),
            dom: Dom::expecting(input.len() / BYTES_A_NODE),
            mode: Mode::Initial,
            original_mode: Mode::InBody,
            template_modes: Vec::new(),
            open: Vec::new(),
            open_paragraphs: 0,
            formatting: Vec::new(),
            head: NONE,
            form: NONE,
            is_quirky: false,
            may_be_frameset: true,
            is_fostering: false,
            skips_newline: false,
            has_zeros: input.contains(&0),
            adjusted_names: Vec::new(),
            merged: Vec::new(),
            most_nodes,
            is_declined: false,
        }
    }

    /// Read the whole page. Return its root, or None where the page is declined.
    pub fn build(&mut self) -> Option<NodeId> {
        loop {
            self.tokenizer.sections_allowed = self.current_namespace() != Namespace::Html;
            let token = self.tokenizer.next();
            match token {
                Token::End => break,
                Token::Text(_) => {}
                _ => self.skips_newline = false,
            }
            self.process(token);
            if self.is_declined || self.dom.nodes.len() > self.most_nodes {
                return None;
            }
        }
        let root = self.complete();
        self.finish_merging();
        Some(root)
    }

    fn process(&mut self, token: Token) {
        let mut token = token;
        loop {
            if self.uses_foreign_rules(token) && self.in_foreign_content(token) {
                return;
            }
            if self.common_rules(&mut token) {
                return;
            }
            let flow = match self.mode {
                Mode::Initial => self.initial(token),
                Mode::BeforeHtml => self.before_html(token),
                Mode::BeforeHead => self.before_head(token),
                Mode::InHead => self.in_head(token),
                Mode::InHeadNoscript => self.in_head_noscript(token),
                Mode::AfterHead => self.after_head(token),
                Mode::InBody => self.in_body(token),
                Mode::Text => self.in_text(token),
                Mode::InTable => self.in_table(token),
                Mode::InCaption => self.in_caption(token),
                Mode::InColumnGroup => self.in_column_group(token),
                Mode::InTableBody => self.in_table_body(token),
                Mode::InRow => self.in_row(token),
                Mode::InCell => self.in_cell(token),
                Mode::InTemplate => self.in_template(token),
                Mode::InFrameset => self.in_frameset(token),
                Mode::AfterFrameset => self.after_frameset(token),
                Mode::AfterBody => self.after_body(token),
                Mode::AfterAfterBody => self.after_after_body(token),
                Mode::AfterAfterFrameset => self.after_after_frameset(token),
            };
            match flow {
                Done => return,
                Again(same) => token = same,
            }
        }
    }

    /// Do what is the same in many modes; return whether that was all.
    fn common_rules(&mut self, token: &mut Token) -> bool {
        match *token {
            Token::EndTag { tag: tag::TEMPLATE } if self.mode >= Mode::InHead => {
                self.end_template();
                true
            }
            Token::StartTag { tag: tag::TEMPLATE, .. }
                if self.mode.is_in_table() || self.mode == Mode::InColumnGroup =>
            {
                self.start_template();
                true
            }
            Token::StartTag { tag, .. } if self.mode.is_in_table() => {
                self.end_select_in_table(tag);
                false
            }
            Token::Doctype { .. } => self.mode != Mode::Initial,
            _ => false,
        }
    }

    /// A part of a table ends a `<select>` that is open in it, as the reference.
    fn end_select_in_table(&mut self, tag: u32) {
        use tag::*;
        let is_part = matches!(tag, CAPTION | TABLE | TBODY | TFOOT | THEAD | TR | TD | TH);
        if is_part && self.has_in_scope(SELECT) {
            self.pop_until(SELECT);
            self.mode = self.appropriate_mode();
            if self.mode.is_in_table() {
                self.end_select_in_table(tag);
            }
        }
    }

    /// Return the mode that the open elements call for.
    fn appropriate_mode(&self) -> Mode {
        use tag::*;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.namespace != Namespace::Html {
                continue;
            }
            let is_last = index == 0;
            match open.tag {
                TD | TH if !is_last => return Mode::InCell,
                TR => return Mode::InRow,
                TBODY | THEAD | TFOOT => return Mode::InTableBody,
                CAPTION => return Mode::InCaption,
                COLGROUP => return Mode::InColumnGroup,
                TABLE => return Mode::InTable,
                TEMPLATE => return self.template_modes.last().copied().unwrap_or(Mode::InBody),
                HEAD if !is_last => return Mode::InHead,
                BODY => return Mode::InBody,
                FRAMESET => return Mode::InFrameset,
                HTML if self.head == NONE => return Mode::BeforeHead,
                HTML => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }

    /// Read the text of the element that was just opened in another way than markup.
    fn read_text_as(&mut self, content: Content) {
        self.tokenizer.content = content;
        self.original_mode = self.mode;
        self.mode = Mode::Text;
    }

    fn in_text(&mut self, token: Token) -> Flow {
        if let Token::Text(span) = token {
            let span = self.without_skipped_newline(span);
            self.insert_text(span);
            return Done;
        }
        self.pop();
        self.mode = self.original_mode;
        Done
    }

    /// Return text without the line break at its start if that is to be left out.
    fn without_skipped_newline(&mut self, span: Span) -> Span {
        let skips = std::mem::replace(&mut self.skips_newline, false);
        if skips && self.tokenizer.bytes(span).first() == Some(&b'\n') {
            return part(span, 1, span.len);
        }
        span
    }

    /// Give the page the elements that every page has, and return its root.
    fn complete(&mut self) -> NodeId {
        let root = match self.dom.child_with_tag(DOCUMENT, tag::HTML) {
            Some(root) => root,
            None => self.add_implied(DOCUMENT, tag::HTML),
        };
        if self.dom.child_with_tag(root, tag::FRAMESET).is_none() {
            for part in [tag::HEAD, tag::BODY] {
                if self.dom.child_with_tag(root, part).is_none() {
                    self.add_implied(root, part);
                }
            }
        }
        root
    }

    fn add_implied(&mut self, parent: NodeId, tag: u32) -> NodeId {
        let id = self.dom.add_element(tag, Namespace::Html);
        self.dom.append(parent, id);
        id
    }
}

/// Return a part of a text.
fn part(span: Span, start: u32, end: u32) -> Span {
    Span {
        start: span.start + start,
        len: end - start,
        in_pool: span.in_pool,
    }
}

fn has(tag: u32, category: u16) -> bool {
    categories::has(tag, category)
}
