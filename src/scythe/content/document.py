"""The result of an extraction: one selection of nodes, rendered on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scythe.content.options import DEFAULT_OPTIONS, ExtractOptions
from scythe.content.selection import Selection
from scythe.content.status import LIST_TYPES, Status
from scythe.tree.text import plain_text
from scythe.tree.tree import Bools, Tree

if TYPE_CHECKING:
    from scythe.content.dropped import DroppedRegion
    from scythe.content.formats.chunks import Chunk, Tokenizer
    from scythe.content.metadata import Metadata
    from scythe.content.metadata.metadata import MetadataReader
    from scythe.content.posts import ThreadPost
    from scythe.content.structures.media import Medium
    from scythe.content.structures.switches import SwitchedOutline
    from scythe.sections.record import Record
    from scythe.sections.span import Span

Origin = Literal["page", "embedded", "rendered"]


@dataclass(frozen=True, eq=False)
class Document:
    """The main content of a page with its metadata.

    Renderings and metadata are computed when they are first asked for, and their
    modules loaded then, so that an extraction to plain text costs no more than that.
    All renderings show the same selection.
    """

    method: str
    status: Status
    confidence: float
    page_type: str | None
    url: str | None
    cut: tuple[str, ...]
    """The limits that cut the page, empty where none did."""
    tree: Tree = field(repr=False)
    selection: Selection = field(repr=False)
    options: ExtractOptions = DEFAULT_OPTIONS
    """What was asked for: how the renderings are written."""
    rendered: bool = False
    """Whether the page was taken as a browser shows it, after its scripts had run."""
    note: str = ""
    """What the status leaves open, such as what an input is that is no page."""

    @property
    def _content_tree(self) -> Tree:
        """The tree that the selected nodes belong to."""
        return self.selection.tree or self.tree

    @property
    def _nodes(self) -> Bools:
        """The nodes that structured formats show."""
        selection = self.selection
        return selection.nodes if self.options.images else selection.text_nodes

    @cached_property
    def text(self) -> str:
        """The content as plain text, one line per block, without media: pictures and
        their captions.
        """
        nodes = self.selection.with_same_text.text_nodes
        return plain_text(self._content_tree, nodes)

    @cached_property
    def markdown(self) -> str:
        """The content as GitHub-flavoured Markdown under its title, behind
        `front_matter` where the options ask for it.
        """
        from scythe.content.formats.markdown import to_markdown

        tree, nodes = self._arranged
        title = self.title or ""
        content = to_markdown(tree, nodes, self.url, self.options, title)
        if self.options.front_matter:
            return f"{self.front_matter}\n{content}"
        return content

    def chunks(
        self, max_tokens: int | None = None, tokenizer: Tokenizer | None = None
    ) -> list[Chunk]:
        """Return the Markdown in pieces of at most `max_tokens` (512), each under its
        headings, with tables and code whole. `tokenizer` gives the tokens of a text;
        by default they are words and signs.
        """
        from scythe.content.formats.chunks import DEFAULT_SIZE, split_into_chunks, words

        size = DEFAULT_SIZE if max_tokens is None else max_tokens
        return split_into_chunks(self._outline.blocks, size, tokenizer or words)

    @cached_property
    def front_matter(self) -> str:
        """The metadata as YAML between two lines `---`."""
        from scythe.content.formats.front_matter import to_front_matter

        return to_front_matter(self.metadata, self.url)

    @cached_property
    def html(self) -> str:
        """The content as clean HTML under its title: structure and links, no scripts,
        styles or classes.
        """
        from scythe.content.formats.html import to_html

        tree, nodes = self._arranged
        title = self.title or ""
        return to_html(tree, nodes, self.url, self.options, title)

    @cached_property
    def xml(self) -> str:
        """The document as XML: metadata, then the content in the elements of `html`."""
        from scythe.content.formats.xml import to_xml

        values = {
            "url": self.url,
            **self.metadata.values(),
            "method": self.method,
            "status": str(self.status),
            "confidence": str(round(self.confidence, 4)),
            "page_type": self.page_type,
        }
        known = {name: value for name, value in values.items() if value}
        return to_xml(self._outline, known)

    @cached_property
    def tei(self) -> str:
        """The document in the format of the Text Encoding Initiative (TEI P5)."""
        from scythe.content.formats.tei import to_tei

        return to_tei(self._outline, self.metadata, self.url)

    @property
    def _outline(self) -> SwitchedOutline:
        from scythe.content.structures.switches import read_outline

        tree, nodes = self._arranged
        title = self.title or ""
        return read_outline(tree, nodes, self.url, self.options, title)

    @cached_property
    def _arranged(self) -> tuple[Tree, Bools]:
        """What structured formats show: the selection as the page has it, a thread post
        by post, a list item by item.
        """
        tree = self._content_tree
        nodes = self._nodes
        if self.selection.posts:
            from scythe.content.structures.arrangement import arrange_posts

            return arrange_posts(tree, nodes, self.selection.posts)
        listed = self._listed
        if listed:
            from scythe.content.structures.arrangement import arrange_records

            return arrange_records(tree, nodes, listed)
        return tree, nodes

    @cached_property
    def posts(self) -> tuple[ThreadPost, ...]:
        """The posts of a thread, in the order of the page; none of other pages."""
        from scythe.content.posts import read_posts

        return read_posts(self.tree, self.selection, self.url, self.options)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The records of a list page, with their fields and links, as `scythe.records`
        finds them without a browser; none of other pages.
        """
        if self.selection.page_type not in LIST_TYPES:
            return ()
        from scythe.content.listings import read_records

        return read_records(self.tree, self.selection, self.url)

    @property
    def _listed(self) -> tuple[Span, ...]:
        """The records that are written as items of a list."""
        if not self.records:
            return ()
        from scythe.content.listings import listed_spans

        return listed_spans(self.tree, self.selection, self.records)

    @cached_property
    def metadata(self) -> Metadata:
        """The metadata of the page, each value with its source."""
        return self._metadata_reader.read()

    @cached_property
    def _metadata_reader(self) -> MetadataReader:
        from scythe.content.metadata.metadata import MetadataReader

        return MetadataReader.of_page(self.tree, self.url)

    @cached_property
    def media(self) -> list[Medium]:
        """The pictures of the content with their captions, and what can be played
        there.
        """
        from scythe.content.structures.media import list_media

        return list_media(self._content_tree, self.selection.nodes, self.url)

    @property
    def title(self) -> str | None:
        """The title of the content, without the site's name. Renderings take no more of
        the metadata than that.
        """
        title = self._metadata_reader.title
        return title.value if title else None

    @property
    def author(self) -> str | None:
        """The author or authors, separated by commas."""
        return self.metadata.author

    @property
    def date(self) -> str | None:
        """The date of publication, else of the last change, as `YYYY-MM-DD`."""
        return self.metadata.published or self.metadata.modified

    @property
    def language(self) -> str | None:
        """The language tag that the page declares, such as `en` or `zh-CN`, else that
        its text shows; `metadata.sources` says which.
        """
        return self.metadata.language

    @property
    def origin(self) -> Origin:
        """Where the content was taken from: the page as it was given, the data that it
        carries for programs, or the page as a browser shows it.
        """
        if self.status == Status.EMBEDDED:
            return "embedded"
        return "rendered" if self.rendered else "page"

    @property
    def charset(self) -> str | None:
        """The charset that the page was decoded from; None for text given as such."""
        return self.tree.encoding

    @property
    def image(self) -> str | None:
        """The address of the lead image."""
        return self.metadata.image

    @cached_property
    def dropped(self) -> tuple[DroppedRegion, ...]:
        """The regions of the page that hold readable text and were left out, with the
        reason that their mark-up gives, in page order.
        """
        from scythe.content.dropped import find_dropped

        selected = self.selection.nodes
        if self.selection.tree is not None:
            selected = np.zeros(len(self.tree), dtype=bool)
        return find_dropped(self.tree, selected)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain data, in the order in which JSON output shows
        it. `dropped` is there where the options ask for it.
        """
        values = {
            "url": self.url,
            **self.metadata.to_dict(),
            "method": self.method,
            "status": str(self.status),
            "note": self.note,
            "origin": self.origin,
            "charset": self.charset,
            "confidence": round(self.confidence, 4),
            "page_type": self.page_type,
            "cut": list(self.cut),
            "text": self.text,
            "posts": [post.to_dict() for post in self.posts],
            "records": [record.as_json() for record in self.records],
            "markdown": self.markdown,
            "html": self.html,
            "media": [medium.to_dict() for medium in self.media],
        }
        if self.options.dropped:
            values["dropped"] = [region.to_dict() for region in self.dropped]
        return values
