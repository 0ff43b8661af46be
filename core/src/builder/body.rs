//! Insertion mode "in body": text, comments and start tags.

use super::Flow::{self, Done};
use super::{has, Builder, Mode};
use crate::categories::{
    ENDS_PARAGRAPH, FORMATTING, HEADING, METADATA, NOT_FRAMESET, VOID,
};
use crate::dom::{Namespace, NONE};
use crate::scan::is_space;
use crate::tables::tag;
use crate::tokenizer::{Content, Span, Token};

impl Builder<'_> {
    pub fn in_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) => self.body_text(span),
            Token::Comment => self.insert_comment(),
            Token::StartTag { tag, self_closing } => self.body_start_tag(tag, self_closing),
            Token::EndTag { tag } => return self.body_end_tag(tag),
            Token::Doctype { .. } | Token::End => {}
        }
        Done
    }

    fn body_text(&mut self, span: Span) {
        let span = self.without_skipped_newline(span);
        self.reconstruct();
        self.note_frameset(span);
        self.insert_text(span);
    }

    /// Text that is seen means that the page is no frameset.
    pub fn note_frameset(&mut self, span: Span) {
        if self.may_be_frameset {
            let bytes = self.tokenizer.bytes(span);
            self.may_be_frameset = bytes.iter().all(|&byte| is_space(byte) || byte == 0);
        }
    }

    fn body_start_tag(&mut self, tag: u32, self_closing: bool) {
        use tag::*;
        if has(tag, NOT_FRAMESET)
            || (tag == INPUT && self.may_be_frameset && !self.is_hidden_input())
        {
            self.may_be_frameset = false;
        }
        match tag {
            HTML => self.merge_html_attributes(),
            BODY => self.second_body(),
            HEAD | CAPTION | COL | COLGROUP | FRAME | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            FRAMESET => self.replace_body(),
            TABLE => {
                if !self.is_quirky {
                    self.end_paragraph();
                }
                self.open_html(tag);
                self.mode = Mode::InTable;
            }
            SELECT if self.has_in_scope(SELECT) => self.pop_until(SELECT),
            SVG => self.open_foreign(tag, Namespace::Svg, self_closing),
            MATH => self.open_foreign(tag, Namespace::MathMl, self_closing),
            LI => self.list_item(tag, &[LI]),
            DD | DT => self.list_item(tag, &[DD, DT]),
            HR => {
                self.end_paragraph();
                if self.has_in_scope(SELECT) {
                    self.imply_end_tags(0);
                }
                self.insert_html(tag);
            }
            BUTTON => {
                if self.has_in_scope(BUTTON) {
                    self.imply_end_tags(0);
                    self.pop_until(BUTTON);
                }
                self.open_inline(tag);
            }
            OPTION | OPTGROUP => self.option(tag),
            RB | RTC | RP | RT => {
                if self.has_in_scope(RUBY) {
                    let except = if matches!(tag, RP | RT) { RTC } else { 0 };
                    self.imply_end_tags(except);
                }
                self.open_html(tag);
            }
            FORM => self.start_form(),
            INPUT => {
                if self.has_in_scope(SELECT) {
                    self.pop_until(SELECT);
                }
                self.reconstruct();
                self.insert_html(tag);
            }
            IMAGE => {
                self.reconstruct();
                self.insert_html(IMG);
            }
            PRE | LISTING => {
                self.end_paragraph();
                self.open_html(tag);
                self.skips_newline = true;
            }
            PLAINTEXT => {
                self.end_paragraph();
                self.open_html(tag);
                self.tokenizer.content = Content::Plain;
            }
            TEXTAREA => {
                self.open_text(tag, Content::Escapable);
                self.skips_newline = true;
            }
            IFRAME | NOEMBED => self.open_text(tag, Content::Raw),
            XMP => {
                self.end_paragraph();
                self.reconstruct();
                self.open_text(tag, Content::Raw);
            }
            TITLE | STYLE | NOFRAMES | SCRIPT | TEMPLATE => {
                self.head_content(tag);
            }
            A => {
                self.end_open_link();
                self.open_formatting(tag);
            }
            NOBR => {
                self.reconstruct();
                if self.has_in_scope(NOBR) {
                    if !self.adopt(NOBR) {
                        self.end_any_other(NOBR);
                    }
                    self.reconstruct();
                }
                let id = self.open_html(tag);
                self.add_formatting(id);
            }
            APPLET | MARQUEE | OBJECT => {
                self.open_inline(tag);
                self.add_marker();
            }
            _ if has(tag, METADATA) => {
                self.insert_html(tag);
            }
            _ if has(tag, HEADING) => {
                self.end_paragraph();
                if has(self.current_tag(), HEADING) {
                    self.pop();
                }
                self.open_html(tag);
            }
            _ if has(tag, ENDS_PARAGRAPH) => {
                self.end_paragraph();
                self.open_html(tag);
            }
            _ if has(tag, FORMATTING) => self.open_formatting(tag),
            _ if has(tag, VOID) => {
                self.reconstruct();
                self.insert_html(tag);
            }
            _ => self.open_inline(tag),
        }
    }

    fn open_inline(&mut self, tag: u32) {
        self.reconstruct();
        self.open_html(tag);
    }

    fn open_formatting(&mut self, tag: u32) {
        self.reconstruct();
        let id = self.open_html(tag);
        self.add_formatting(id);
    }

    fn second_body(&mut self) {
        let has_body = self.open.get(1).is_some_and(|open| open.tag == tag::BODY);
        if has_body && !self.is_tag_open(tag::TEMPLATE) {
            self.merge_attributes(self.open[1].id);
        }
    }

    /// A frameset stands in the place of a body in which nothing is to be seen.
    fn replace_body(&mut self) {
        let has_body = self.open.get(1).is_some_and(|open| open.tag == tag::BODY);
        if !self.may_be_frameset || !has_body {
            return;
        }
        self.dom.remove(self.open[1].id);
        while self.open.len() > 1 {
            self.pop();
        }
        self.open_html(tag::FRAMESET);
        self.mode = Mode::InFrameset;
    }

    /// A list item ends the one before it, unless another special element is between.
    fn list_item(&mut self, tag: u32, ended: &[u32]) {
        for index in (0..self.open.len()).rev() {
            let open = self.open[index];
            if ended.contains(&open.tag) {
                self.imply_end_tags(open.tag);
                self.pop_until(open.tag);
                break;
            }
            if open.is_special && !matches!(open.tag, tag::ADDRESS | tag::DIV | tag::P) {
                break;
            }
        }
        self.end_paragraph();
        self.open_html(tag);
    }

    fn option(&mut self, tag: u32) {
        if self.has_in_scope(tag::SELECT) {
            let except = if tag == tag::OPTION { tag::OPTGROUP } else { 0 };
            self.imply_end_tags(except);
        } else if self.current_tag() == tag::OPTION {
            self.pop();
        }
        self.open_inline(tag);
    }

    fn start_form(&mut self) {
        let in_template = self.is_tag_open(tag::TEMPLATE);
        if self.form != NONE && !in_template {
            return;
        }
        self.end_paragraph();
        let id = self.open_html(tag::FORM);
        if !in_template {
            self.form = id;
        }
    }

    /// A link ends the one that is open.
    fn end_open_link(&mut self) {
        let Some(link) = self.active_formatting(tag::A) else {
            return;
        };
        self.adopt(tag::A);
        self.remove_formatting(link);
        if let Some(index) = self.open_index(link) {
            self.remove_open(index);
        }
    }

    /// Return whether the last start tag, an input, is hidden. Asked only where it matters:
    /// the reference does not see it where the page has characters beyond Latin-1 and the
    /// word is in quotes, so such a page is declined.
    pub fn is_hidden_input(&mut self) -> bool {
        let name = self.tokenizer.attribute_names.find(b"type");
        let mut attributes = self.tokenizer.attributes.iter();
        let Some(kind) = attributes.find(|attribute| Some(attribute.name) == name) else {
            return false;
        };
        let value = self.tokenizer.bytes(kind.value);
        let is_hidden = value.eq_ignore_ascii_case(b"hidden");
        if is_hidden && kind.quoted && !is_latin_1(self.tokenizer.input) {
            self.is_declined = true;
        }
        is_hidden
    }
}

/// Return whether a text in UTF-8 has no character beyond U+00FF.
fn is_latin_1(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte < 0xc4)
}
