"""Formatting that Markdown can express: where its delimiters would not be read as such,
they are moved or left out.

CommonMark reads `**` as an opening or closing delimiter only where the characters on
both sides allow it ("flanking"), so `**Note:**text` shows its asterisks. Text must come
out as it went in; formatting may give way: punctuation moves out of it
(`**Note**:text`), and where that does not help the formatting of that stretch is
dropped.
"""

from __future__ import annotations

import unicodedata

from scythe.content.structures.outline import (
    Image,
    Mark,
    Marks,
    TextRun,
    join_runs,
    shared_marks,
)
from scythe.content.structures.switches import NOTE

_WRITTEN_AS_CODE = frozenset({"kbd", "samp"})
_MARKDOWN_TAGS = frozenset({"a", "strong", "em", "del", "code", "sub", "sup", NOTE})
_RAISED_TAGS = frozenset({"sub", "sup"})
_ASTERISK_TAGS = frozenset({"strong", "em"})
_DELIMITED_TAGS = frozenset({"strong", "em", "del"})


def expressible_runs(runs: list[TextRun], added: Marks = ()) -> list[TextRun]:
    """Return the runs with only such formatting as Markdown will read back, after
    adding some to all of them.
    """
    if not added and not any(run.marks for run in runs):
        return runs
    formatted = [_with_markdown_marks(run, added) for run in runs]
    return join_runs(_resolve_borders(join_runs(formatted)))


def _with_markdown_marks(run: TextRun, added: Marks) -> TextRun:
    marks: list[Mark] = list(added)
    for mark in run.marks:
        if mark.tag in _WRITTEN_AS_CODE:
            mark = Mark("code")
        if mark.tag not in _MARKDOWN_TAGS or mark in marks:
            continue
        if mark.tag in _RAISED_TAGS and _is_sign(run):
            continue
        if mark.tag == "a":
            mark = Mark("a", mark.attributes[:1])
        marks.append(mark)
    if _is_reference_definition(run, marks):
        marks.pop()
    return run._replace(marks=tuple(marks))


def _is_sign(run: TextRun) -> bool:
    """Return whether a run is a mark such as ® or †, which needs no raising: the tag
    would only stand in the way of a reader of the source.
    """
    if isinstance(run.content, Image):
        return False
    return not any(map(str.isalnum, run.content))


def _is_reference_definition(run: TextRun, marks: list[Mark]) -> bool:
    """Return whether code in a link would make its line a reference definition
    (`[a]: b`), which shows nothing at all.
    """
    if len(marks) < 2 or marks[-1].tag != "code":
        return False
    in_link = any(mark.tag == "a" for mark in marks)
    return in_link and "]:" in str(run.content)


def _resolve_borders(runs: list[TextRun]) -> list[TextRun]:
    """Return the runs with delimiters that are read as such.

    The walk is over the borders between runs; a change to the run before a border sends
    it back to the border before.
    """
    resolved: list[TextRun] = []
    pending = runs[::-1]
    while pending:
        right = pending.pop()
        if not resolved:
            resolved.append(right)
            continue

        left = resolved[-1]
        common = shared_marks(left.marks, right.marks)
        if _asterisks_clash(left, right, common):
            pending.append(_without_tags(right, common, _ASTERISK_TAGS))
        elif right.gap:
            resolved.append(right)
        elif not _closes_well(left, right, common):
            resolved.pop()
            pending.append(right)
            inside, *outside = _move_end_out(left, common)
            pending += [*outside, inside]
        elif not _opens_well(left, right, common):
            first, *others = _move_start_out(right, common)
            pending += [*others, first]
        else:
            resolved.append(right)
    return resolved


def _asterisks_clash(left: TextRun, right: TextRun, common: int) -> bool:
    """Return whether asterisks would open beside or within others with no space before
    them to show that they do not close.
    """
    opened = right.marks[common:]
    if not _has_tag(opened, _ASTERISK_TAGS):
        return False
    if right.gap == " " and opened[0].tag in _ASTERISK_TAGS:
        return False
    neighbours = left.marks[:common] if right.gap else left.marks
    return _has_tag(neighbours, _ASTERISK_TAGS)


def _has_tag(marks: Marks, tags: frozenset[str]) -> bool:
    return any(mark.tag in tags for mark in marks)


def _without_tags(run: TextRun, common: int, tags: frozenset[str]) -> TextRun:
    others = [mark for mark in run.marks[common:] if mark.tag not in tags]
    kept = (*run.marks[:common], *others)
    return run._replace(marks=kept)


def _closes_well(left: TextRun, right: TextRun, common: int) -> bool:
    """Return whether all that ends with `left` is read as ending there, text following
    without a space.
    """
    closed = left.marks[common:]
    opens_other = len(right.marks) > common
    if opens_other or not _has_tag(closed, _DELIMITED_TAGS):
        return True
    if _is_code_or_image(right):
        return True
    if _is_punctuation(str(right.content)[0]):
        return True
    if not _touches_delimiter(left, common):
        return False
    return _is_letter(str(left.content)[-1])


def _opens_well(left: TextRun, right: TextRun, common: int) -> bool:
    """Return whether all that begins with `right` is read as beginning there, text
    preceding without a space.
    """
    opened = right.marks[common:]
    closes_other = len(left.marks) > common
    if closes_other or not _has_tag(opened, _DELIMITED_TAGS):
        return True
    if _is_code_or_image(left):
        return True
    if _is_punctuation(str(left.content)[-1]):
        return True
    if not _touches_delimiter(right, common):
        return False
    return _is_letter(str(right.content)[0])


def _is_code_or_image(run: TextRun) -> bool:
    if isinstance(run.content, Image):
        return True
    return bool(run.marks) and run.marks[-1].tag == "code"


def _touches_delimiter(run: TextRun, common: int) -> bool:
    """Return whether the text of a run stands directly beside one delimiter."""
    if isinstance(run.content, Image):
        return False
    tags = {mark.tag for mark in run.marks[common:]}
    return tags <= _ASTERISK_TAGS or tags == {"del"}


def _move_end_out(run: TextRun, common: int) -> list[TextRun]:
    """Return a run and, outside its formatting, the punctuation at its end."""
    text = run.content
    if isinstance(text, Image) or not _touches_delimiter(run, common):
        return [_without_tags(run, common, _DELIMITED_TAGS)]
    stop = len(text)
    while stop and not _is_letter(text[stop - 1]):
        stop -= 1
    if not stop:
        return [_without_tags(run, common, _DELIMITED_TAGS)]

    punctuation = text[stop:]
    tail = punctuation.lstrip()
    gap = " " if len(tail) < len(punctuation) else ""
    inside = run._replace(content=text[:stop])
    outside = TextRun(gap, run.marks[:common], tail)
    return [inside, outside]


def _move_start_out(run: TextRun, common: int) -> list[TextRun]:
    """Return the punctuation at the start of a run, outside its formatting, and the
    run.
    """
    text = run.content
    if isinstance(text, Image) or not _touches_delimiter(run, common):
        return [_without_tags(run, common, _DELIMITED_TAGS)]
    start = 0
    while start < len(text) and not _is_letter(text[start]):
        start += 1
    if start == len(text):
        return [_without_tags(run, common, _DELIMITED_TAGS)]

    head = text[:start].rstrip()
    gap = " " if len(head) < start else ""
    common_marks = run.marks[:common]
    outside = TextRun(run.gap, common_marks, head)
    inside = run._replace(gap=gap, content=text[start:])
    return [outside, inside]


def _is_letter(character: str) -> bool:
    """Return whether a character is not punctuation by any reading: the versions of
    CommonMark differ about symbols.
    """
    return unicodedata.category(character)[0] in "LMN"


def _is_punctuation(character: str) -> bool:
    """Return whether a character is punctuation by every reading."""
    if unicodedata.category(character)[0] == "P":
        return True
    is_symbol = character.isascii() and not character.isalnum()
    return is_symbol and character.isprintable()
