"""The Markdown of a document in pieces of bounded size, for search indexes and language
models.

A chunk never crosses a heading, so that one can say where it stands. Tables and code
stay whole whatever their size: half a table answers no question. Lists are split between
items, paragraphs between sentences, and words only where a sentence is too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import asdict, dataclass, replace
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

from scythe.content.formats.markdown import blocks_to_markdown
from scythe.content.structures.outline import (
    Block,
    Container,
    InlinePiece,
    Leaf,
    leaf_text,
)
from scythe.errors import UsageError

Tokenizer = Callable[[str], Sized]
"""Gives the tokens of a text, such as `tiktoken.get_encoding("o200k_base").encode`."""

DEFAULT_SIZE = 512
"""Tokens that most embedding models read at once."""
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])(?=\s)|(?<=[\u3002\uff01\uff1f])")
_HUGE = 100_000
"""Characters of a paragraph whose chunks are filled to seven eighths, and which is split
less finely: a bound on work.
"""
_SPACES = re.compile(r"\s+")
_WORD_END = re.compile(r"(?=\s)|(?<=[\u3040-\u30ff\u3400-\u9fff])")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document that can stand for itself."""

    text: str
    """Markdown, with the heading of the section where the section begins."""
    headings: tuple[str, ...]
    """The headings it stands under, the outermost first."""
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """Return the chunk as plain data."""
        return {**asdict(self), "headings": list(self.headings)}


class _Part(NamedTuple):
    """A block, or a part of `source` that was too long."""

    source: Block
    block: Block


def words(text: str) -> list[str]:
    """Return the words and signs of a text, each CJK character for itself: the default
    tokenizer, close to the count of language models and free of any.
    """
    return _WORD.findall(text)


def split_into_chunks(
    blocks: Sequence[Block], max_tokens: int, tokenizer: Tokenizer
) -> list[Chunk]:
    """Return the chunks of an outline, in order; none has more than `max_tokens`, but
    for single tables and code blocks that have more by themselves.
    """
    if max_tokens < 1:
        raise UsageError(f"A chunk cannot have {max_tokens} tokens. Give at least 1.")
    splitter = _Splitter(max_tokens, tokenizer)
    chunks: list[Chunk] = []
    for headings, section in _sections(blocks):
        chunks += splitter.section_chunks(headings, section)
    return chunks


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Yield the stretches between headings, each with the headings above it and begun
    by its own.
    """
    path: list[tuple[int, str]] = []
    section: list[Block] = []
    for block in blocks:
        if isinstance(block, Leaf) and (level := _LEVELS.get(block.kind)):
            if section:
                yield _titles(path), section
            path = [above for above in path if above[0] < level]
            path.append((level, leaf_text(block)))
            section = []
        section.append(block)
    if section:
        yield _titles(path), section


def _titles(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path)


class _Waiting:
    """Parts that are in no chunk yet; they are made when they are asked for, since a
    paragraph may have a million words.
    """

    def __init__(self, parts: Iterator[_Part]) -> None:
        self._parts = parts
        self._made: list[_Part] = []

    def first(self, number: int) -> list[_Part]:
        """Return so many of the next parts, or all that are left."""
        missing = number - len(self._made)
        if missing > 0:
            self._made += islice(self._parts, missing)
        return self._made[:number]

    def drop(self, number: int) -> None:
        """Take so many of the next parts away."""
        del self._made[:number]


@dataclass(frozen=True)
class _Splitter:
    max_tokens: int
    tokenizer: Tokenizer

    def section_chunks(
        self, headings: tuple[str, ...], section: list[Block]
    ) -> Iterator[Chunk]:
        """Yield the chunks of a section, as few as one can make from left to right."""
        parts = _Waiting(self._section_parts(section))
        enough = self.max_tokens
        if any(map(_is_huge, section)):
            enough -= self.max_tokens // 8
        usual = 1
        while parts.first(1):
            usual, chunk = self._largest_chunk(headings, parts, usual, enough)
            yield chunk
            parts.drop(usual)

    def _largest_chunk(
        self, headings: tuple[str, ...], parts: _Waiting, usual: int, enough: int
    ) -> tuple[int, Chunk]:
        """Return how many of the next parts make a chunk, all that fit or the first
        number with `enough` tokens, at least one; and the chunk.

        More parts never have fewer tokens, so few numbers are tried: about as many as
        the chunk before has, ever further from it, then halves of what is in doubt.
        """
        fitting, best = 0, Chunk("", headings, 0)
        too_many: int | None = None
        number, step = usual, 1
        while too_many is None or too_many - fitting > 1:
            tried = parts.first(number)
            if len(tried) < number:
                too_many = len(tried) + 1
            number = len(tried)
            if number == fitting:
                break
            chunk = self._chunk(headings, tried)
            if chunk.tokens <= self.max_tokens or number == 1:
                fitting, best = number, chunk
                if enough <= chunk.tokens < self.max_tokens:
                    break
                number += step
            else:
                too_many = number
                number = max(number - step, fitting + 1)
            step *= 2
            if too_many is not None and fitting:
                number = (fitting + too_many) // 2
        return fitting, best

    def _chunk(self, headings: tuple[str, ...], parts: Sequence[_Part]) -> Chunk:
        text = _markdown(parts)
        return Chunk(text, headings, self._count(text))

    def _count(self, text: str) -> int:
        return len(self.tokenizer(text))

    def _section_parts(self, section: list[Block]) -> Iterator[_Part]:
        for block in section:
            for piece in self._split(block):
                yield _Part(block, piece)

    def _split(self, block: Block) -> Iterator[Block]:
        """Yield a block, or its parts where it is too long for one chunk and may be
        split.
        """
        if _is_huge(block):  # parts that fit in one chunk come together again
            fits = False
            block = _with_single_spaces(block)
        else:
            fits = self._count(blocks_to_markdown([block])) <= self.max_tokens
        if fits or not _may_split(block):
            yield block
        elif isinstance(block, Container):
            for number, child in enumerate(block.children):
                for piece in self._split(child):
                    start = block.start + number
                    yield replace(block, children=[piece], start=start)
        elif isinstance(block, Leaf):
            yield from self._split_paragraph(block)

    def _split_paragraph(self, leaf: Leaf) -> Iterator[Leaf]:
        """Yield the sentences of a paragraph that is too long, and of a sentence that
        is too long the words.
        """
        sentences = list(_split_leaf(leaf, _SENTENCE_END))
        for sentence in sentences:
            is_known = len(sentences) == 1
            markdown = "" if is_known else blocks_to_markdown([sentence])
            if not is_known and self._count(markdown) <= self.max_tokens:
                yield sentence
            else:
                yield from _split_leaf(sentence, _WORD_END, self._words_at_once(leaf))

    def _words_at_once(self, leaf: Leaf) -> int:
        """Return how many words of a paragraph stay together: one, but in paragraphs
        that no person wrote a few, since each part takes time.
        """
        return max(1, min(8, self.max_tokens // 64)) if _is_huge(leaf) else 1


def _is_huge(block: Block) -> bool:
    """Return whether a block is a paragraph that no person wrote."""
    if not isinstance(block, Leaf) or not _may_split(block):
        return False
    texts = [piece for _, piece in block.content if isinstance(piece, str)]
    return sum(map(len, texts)) > _HUGE


def _with_single_spaces(block: Block) -> Block:
    """Return a paragraph with each stretch of white space as one space, as it is shown:
    a page may have millions of them.
    """
    if not isinstance(block, Leaf):
        return block
    content: list[InlinePiece] = []
    for marks, piece in block.content:
        if isinstance(piece, str):
            content.append((marks, _SPACES.sub(" ", piece)))
        else:
            content.append((marks, piece))
    return replace(block, content=content)


def _may_split(block: Block) -> bool:
    if isinstance(block, Leaf):
        return block.kind == "p"
    return isinstance(block, Container)


def _split_leaf(leaf: Leaf, border: re.Pattern[str], every: int = 1) -> Iterator[Leaf]:
    """Yield a paragraph in parts that end where the pattern has a border, or at every
    so many-th of its borders. Formatting goes on in the next part.
    """
    content: list[InlinePiece] = []
    borders = 0
    for marks, piece in leaf.content:
        if not isinstance(piece, str):
            content.append((marks, piece))
            continue
        *ended, rest = border.split(piece)
        for text in ended:
            content.append((marks, text))
            borders += 1
            if borders % every == 0:
                yield replace(leaf, content=content)
                content = []
        content.append((marks, rest))
    yield replace(leaf, content=content)


def _markdown(parts: Sequence[_Part]) -> str:
    """Return the Markdown of parts, those of one block put together again."""
    blocks = []
    for _, of_block in groupby(parts, key=lambda part: id(part.source)):
        blocks.append(_joined([part.block for part in of_block]))
    return blocks_to_markdown(blocks)


def _joined(blocks: Sequence[Block]) -> Block:
    """Return the parts of one block as one."""
    first = blocks[0]
    if isinstance(first, Leaf):
        leaves = [block for block in blocks if isinstance(block, Leaf)]
        pieces = chain.from_iterable([leaf.content for leaf in leaves])
        return replace(first, content=list(_whole_texts(pieces)))
    if isinstance(first, Container):
        containers = [block for block in blocks if isinstance(block, Container)]
        children = [container.children for container in containers]
        return replace(first, children=list(chain.from_iterable(children)))
    return first


def _whole_texts(pieces: Iterable[InlinePiece]) -> Iterator[InlinePiece]:
    """Yield inline pieces, texts of one formatting that follow each other as one: a
    paragraph may have been split at every word.
    """

    def formatting(inline: InlinePiece) -> tuple[object, bool]:
        marks, piece = inline
        return marks, isinstance(piece, str)

    for _, group in groupby(pieces, key=formatting):
        alike = list(group)
        texts = [piece for _, piece in alike if isinstance(piece, str)]
        if texts:
            yield alike[0][0], "".join(texts)
        else:
            yield from alike
