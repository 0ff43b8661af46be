"""The records of a page in an exported spider."""

from __future__ import annotations

from typing import Any

from scythe.tree.tags import SKIPPED as SKIPPED_TAGS

SKIPPED = sorted(SKIPPED_TAGS.names)


def sibling_runs(heads: list[Any]) -> list[list[Any]]:
    """Return every head with its younger siblings up to the next head; the last run
    ends before a tag that no earlier run has.
    """
    records = []
    known: set[str] = set()
    for index, head in enumerate(heads):
        following = heads[index + 1] if index + 1 < len(heads) else None
        parent = head.getparent()
        if index == 0 or heads[index - 1].getparent() is not parent:
            known = set()
        is_last = following is None or following.getparent() is not parent

        record: list[Any] = [head, head.tail or ""]
        tags = {head.tag}
        node = head.getnext()
        while node is not None and node is not following:
            if isinstance(node.tag, str):
                if is_last and known and node.tag not in known:
                    break
                record.append(node)
                tags.add(node.tag)
            record.append(node.tail or "")
            node = node.getnext()
        known |= tags
        records.append(record)
    return records


def child_elements(parent: Any) -> list[Any]:
    """Return the child elements, without comments."""
    return [child for child in parent if isinstance(child.tag, str)]


def add_table_bodies(root: Any) -> None:
    """Add the `tbody` to tables that browsers add and lxml does not."""
    for table in list(root.iter("table")):
        body = None
        for child in child_elements(table):
            if child.tag != "tr":
                body = None
                continue
            if body is None:
                body = table.makeelement("tbody")
                table.insert(table.index(child), body)
            body.append(child)


def follow(root: Any, prefix: list[tuple[str, str]]) -> tuple[Any, int] | None:
    """Return where a path of tags leads: the element whose children are cut, and how
    many of them stand before the first record.
    """
    parent, passed = root, 0
    for tag, direction in prefix[1:]:
        tags = [child.tag for child in child_elements(parent)]
        if tag not in tags[passed:]:
            if tag == "head":
                continue
            return None
        index = tags.index(tag, passed)
        if direction == "C":
            parent = child_elements(parent)[index]
            passed = 0
        else:
            passed = index + 1
    return parent, passed


def structure(node: Any, depth: int) -> str:
    """Return a tag with the structures of its children down to a depth."""
    if not depth:
        return str(node.tag)
    inner = [structure(child, depth - 1) for child in child_elements(node)[:30]]
    return f"{node.tag}({','.join(inner)})"


def separated_records(
    root: Any, prefix: list[tuple[str, str]], separators: list[tuple[list[str], int]]
) -> list[list[Any]]:
    """Return the children of the element that the prefix leads to, cut after each
    separator.
    """
    add_table_bodies(root)
    target = follow(root, prefix)
    if target is None:
        return []
    parent, start = target
    children = child_elements(parent)
    bounds = cut_at_separators(children, start, separators)
    tags = [child.tag for child in children]

    records = []
    for first, stop in without_heading(tags, bounds):
        text = children[first - 1].tail if first else parent.text
        record: list[Any] = []
        if text and text.strip():
            record.append(text)
        for child in children[first:stop]:
            record += [child, child.tail or ""]
        record.pop()
        if has_text(record):
            records.append(record)
    return records


def cut_at_separators(
    children: list[Any], start: int, separators: list[tuple[list[str], int]]
) -> list[tuple[int, int]]:
    """Return where records begin and end among the children of an element."""
    rows = []
    for pattern, depth in separators:
        rows.append(([structure(child, depth) for child in children], pattern))

    bounds = []
    for stop in range(start + 1, len(children) + 1):
        for row, pattern in rows:
            first = stop - len(pattern)
            if first >= start and row[first:stop] == pattern:
                bounds.append((start, stop))
                start = stop
                break
    if bounds and start < len(children):
        last_start, _ = bounds[-1]
        has_same_tag = children[start].tag == children[last_start].tag
        if has_same_tag:
            bounds.append((start, len(children)))
    return bounds


def without_heading(
    tags: list[str], bounds: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the bounds, the first record without what stands before the list, which
    begins with another tag than the others.
    """
    if len(bounds) < 2:
        return bounds
    (start, stop), *others = bounds
    first_tag = tags[others[0][0]]
    if tags[start] == first_tag:
        return bounds
    longest = max(stop - start for start, stop in others)
    for index in range(max(start, stop - longest), stop):
        if tags[index] == first_tag:
            start = index
            break
    return [(start, stop), *others]


def has_text(record: list[Any]) -> bool:
    """Return whether there is anything to read in a record, besides the words of
    controls.
    """
    for part in record:
        if isinstance(part, str):
            if part.strip():
                return True
            continue
        for node in part.iter():
            if node.tag in SKIPPED:
                continue
            texts = [child.tail for child in node]
            if isinstance(node.tag, str):
                texts.append(node.text)
            if any(text and text.strip() for text in texts):
                return True
    return False
