//! Insertion modes before the body.

use super::Flow::{self, Again, Done};
use super::{has, part, Builder, Mode};
use crate::categories::METADATA;
use crate::dom::DOCUMENT;
use crate::tables::tag;
use crate::tokenizer::{Content, Token};

impl Builder<'_> {
    pub fn initial(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) if self.is_space(span) => Done,
            Token::Comment => {
                self.insert_comment_in(DOCUMENT);
                Done
            }
            Token::Doctype { quirky } => {
                self.is_quirky = quirky;
                self.mode = Mode::BeforeHtml;
                Done
            }
            _ => {
                self.is_quirky = true;
                self.mode = Mode::BeforeHtml;
                Again(token)
            }
        }
    }

    pub fn before_html(&mut self, token: Token) -> Flow {
        match token {
            Token::Comment => {
                self.insert_comment_in(DOCUMENT);
                return Done;
            }
            Token::Text(span) if self.is_space(span) => return Done,
            Token::StartTag { tag: tag::HTML, .. } => {
                self.open_html(tag::HTML);
                self.mode = Mode::BeforeHead;
                return Done;
            }
            Token::EndTag { tag } if !opens_head(tag) => return Done,
            _ => {}
        }
        self.open_implied(tag::HTML);
        self.mode = Mode::BeforeHead;
        Again(token)
    }

    pub fn before_head(&mut self, token: Token) -> Flow {
        let mut token = token;
        match token {
            Token::Comment => {
                self.insert_comment();
                return Done;
            }
            Token::Text(span) => {
                let spaces = self.leading_spaces(span);
                if spaces == span.len {
                    return Done;
                }
                token = Token::Text(part(span, spaces, span.len));
            }
            Token::StartTag { tag: tag::HTML, .. } => {
                self.merge_html_attributes();
                return Done;
            }
            Token::StartTag { tag: tag::HEAD, .. } => {
                self.head = self.open_html(tag::HEAD);
                self.mode = Mode::InHead;
                return Done;
            }
            Token::EndTag { tag } if !opens_head(tag) => return Done,
            _ => {}
        }
        self.head = self.open_implied(tag::HEAD);
        self.mode = Mode::InHead;
        Again(token)
    }

    pub fn in_head(&mut self, token: Token) -> Flow {
        let mut token = token;
        match token {
            Token::Text(span) => {
                let rest = self.insert_leading_spaces(span);
                if rest.len == 0 {
                    return Done;
                }
                token = Token::Text(rest);
            }
            Token::Comment => {
                self.insert_comment();
                return Done;
            }
            Token::StartTag { tag, .. } => {
                if self.head_start_tag(tag) {
                    return Done;
                }
            }
            Token::EndTag { tag: tag::HEAD } => {
                self.pop();
                self.mode = Mode::AfterHead;
                return Done;
            }
            Token::EndTag { tag } if !opens_body(tag) => return Done,
            _ => {}
        }
        self.pop();
        self.mode = Mode::AfterHead;
        Again(token)
    }

    /// Take a start tag in the head; return whether it belongs there.
    fn head_start_tag(&mut self, tag: u32) -> bool {
        match tag {
            tag::HTML => self.merge_html_attributes(),
            tag::HEAD => {}
            tag::NOSCRIPT => {
                self.open_html(tag);
                self.mode = Mode::InHeadNoscript;
            }
            _ => return self.head_content(tag),
        }
        true
    }

    /// Insert an element that belongs into the head; return whether it is one.
    pub fn head_content(&mut self, tag: u32) -> bool {
        match tag {
            tag::TITLE => self.open_text(tag, Content::Escapable),
            tag::STYLE | tag::NOFRAMES => self.open_text(tag, Content::Raw),
            tag::SCRIPT => self.open_text(tag, Content::Script),
            tag::TEMPLATE => self.start_template(),
            _ if has(tag, METADATA) => {
                self.insert_html(tag);
            }
            _ => return false,
        }
        true
    }

    /// Insert an element whose text is not read as markup.
    pub fn open_text(&mut self, tag: u32, content: Content) {
        self.open_html(tag);
        self.read_text_as(content);
    }

    pub fn in_head_noscript(&mut self, token: Token) -> Flow {
        match token {
            Token::EndTag { tag: tag::NOSCRIPT } => {
                self.pop();
                self.mode = Mode::InHead;
                return Done;
            }
            Token::EndTag { tag: tag::BR } => {}
            Token::EndTag { .. } => return Done,
            Token::StartTag { tag: tag::HTML, .. } => {
                self.merge_html_attributes();
                return Done;
            }
            Token::Comment => {
                self.insert_comment();
                return Done;
            }
            // Text that only begins with white space leaves whole, as the reference.
            Token::Text(span) if self.is_space(span) => {
                self.insert_text(span);
                return Done;
            }
            Token::StartTag { tag, .. } => match tag {
                tag::BASEFONT | tag::BGSOUND | tag::LINK | tag::META => {
                    self.insert_html(tag);
                    return Done;
                }
                tag::STYLE | tag::NOFRAMES => {
                    self.open_text(tag, Content::Raw);
                    return Done;
                }
                tag::HEAD | tag::NOSCRIPT => return Done,
                _ => {}
            },
            _ => {}
        }
        self.pop();
        self.mode = Mode::InHead;
        Again(token)
    }

    pub fn after_head(&mut self, token: Token) -> Flow {
        let mut token = token;
        match token {
            Token::Text(span) => {
                let rest = self.insert_leading_spaces(span);
                if rest.len == 0 {
                    return Done;
                }
                token = Token::Text(rest);
            }
            Token::Comment => {
                self.insert_comment();
                return Done;
            }
            Token::StartTag { tag: tag::BODY, .. } => {
                self.open_html(tag::BODY);
                self.may_be_frameset = false;
                self.mode = Mode::InBody;
                return Done;
            }
            Token::StartTag { tag: tag::FRAMESET, .. } => {
                self.open_html(tag::FRAMESET);
                self.mode = Mode::InFrameset;
                return Done;
            }
            // A second <html> or <head> opens the body, as the reference.
            Token::StartTag { tag, .. } => {
                self.push(self.head);
                let belongs_into_head = self.head_content(tag);
                self.remove_head();
                if belongs_into_head {
                    return Done;
                }
            }
            Token::EndTag { tag } if !opens_body(tag) => return Done,
            _ => {}
        }
        self.open_implied(tag::BODY);
        self.mode = Mode::InBody;
        Again(token)
    }

    /// Take the head off the stack, on which it was put for one element.
    fn remove_head(&mut self) {
        if let Some(index) = self.open_index(self.head) {
            self.remove_open(index);
        }
    }

    /// Give the root the attributes of a second `<html>` tag.
    pub fn merge_html_attributes(&mut self) {
        if !self.is_tag_open(tag::TEMPLATE) {
            self.merge_attributes(self.open[0].id);
        }
    }
}

fn opens_head(tag: u32) -> bool {
    tag == tag::HEAD || opens_body(tag)
}

fn opens_body(tag: u32) -> bool {
    matches!(tag, tag::BODY | tag::HTML | tag::BR)
}
