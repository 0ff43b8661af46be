"""The extractor: record pages read through the templates of their clusters, which grow page by page as they do."""

from __future__ import annotations

from collections.abc import Sequence

from scythe.collect.addresses import key
from scythe.collect.classifying import BLOCKED
from scythe.collect.discovery import RECORD
from scythe.collect.importing import record_url
from scythe.collect.naming import in_cluster, supports, tell_names
from scythe.collect.reading import read_slots
from scythe.collect.work import NOTED, Work
from scythe.store.pages import CLASSIFIED, DONE, PageRow
from scythe.store.runs import NewNotice
from scythe.store.templates import ExtractedRow
from scythe.templates.notices import Notice
from scythe.templates.page import PageView
from scythe.templates.template import Template
from scythe.tree.parse import parse

INITIAL = 30
"""Pages that the first version of a template is grown from together."""
BATCH = 100
GROWING, CHECKED = 60, 5
"""Pages up to which a template grows by every page; later one page in so many is looked at, which costs as much as reading three,
and the template grows where something on it has no place."""
LEAST_SUPPORT = 2
"""Pages that a new section must be on before an operator is told."""


def extract(work: Work) -> int:
    """Read all classified pages that are to be records; the others are done with. Gives how many were read."""
    index = work.index_keys
    wanted = {key(link.url) for link in work.links.decided(RECORD)} - index
    waiting = work.pages.at(CLASSIFIED)
    by_cluster: dict[int, list[PageRow]] = {}
    others = []
    for page in waiting:
        if key(page.url) in wanted and page.kind != BLOCKED and key(record_url(page)) not in index:
            by_cluster.setdefault(page.cluster or 0, []).append(page)
        else:
            others.append(page.id)
    work.pages.move_on(others, DONE)
    done = 0
    for cluster in sorted(by_cluster):
        pages = by_cluster[cluster]
        while pages:
            size = INITIAL if work.templates.latest(cluster) is None else BATCH
            _read_batch(work, cluster, pages[:size])
            done += len(pages[:size])
            pages = pages[size:]
            work.report("read", done, len(waiting))
    if done:
        _tell_of_new_slots(work)
    return done


def _read_batch(work: Work, cluster: int, pages: Sequence[PageRow]) -> None:
    """Grow the template of a cluster by some of its pages, read them, and store both in one step."""
    trees = [(page, PageView(parse(work.pages.body(page.body_hash or ""), charset=page.charset))) for page in pages]
    stored = work.templates.latest(cluster)
    if stored is None:
        template = Template.induce([(view.tree, page.url) for page, view in trees])
        reason: str | None = f"grown from its first {len(pages)} pages"
        notices: list[Notice] = []
    else:
        template = Template.from_json(stored.definition)
        tell_names(template, cluster, work.names)
        notices, grown = _grow(template, trees)
        reason = f"{grown} pages had something new" if grown else None
        if _is_new(work, cluster):
            notices = []
    rows = []
    for page, view in trees:
        found = read_slots(view.tree, page.final_url or page.url, work.kind, template.read(view))
        rows.append(ExtractedRow(page.id, cluster, 0, page.body_hash or "", found.slots, found.declared))
    told = [_as_notice(notice, cluster) for notice in notices]
    work.templates.read((cluster, template.as_json(), reason), rows, told, work.run)


def _is_new(work: Work, cluster: int) -> bool:
    """Whether a template was begun in this run: an operator has not seen it yet, and needs no news of it."""
    first = next(iter(work.templates.versions(cluster)), None)
    return first is None or work.began is None or first.stored_at >= work.began


def _grow(template: Template, trees: Sequence[tuple[PageRow, PageView]]) -> tuple[list[Notice], int]:
    """Grow a template by pages that have something it has no place for."""
    notices: list[Notice] = []
    grown = 0
    for page, view in trees:
        if template.pages >= GROWING and (page.id % CHECKED or template.read(view).fit == 1.0):
            continue
        update = template.grow(view, page.url)
        notices.extend(update.notices)
        grown += update.changed
    return notices, grown


def _as_notice(notice: Notice, cluster: int) -> NewNotice:
    slot = in_cluster(cluster, notice.slot) if notice.slot else ""
    examples = [list(example) for example in notice.examples]
    data = {"slot": slot, "message": notice.message, "examples": examples, "cluster": cluster}
    return NewNotice(f"{notice.kind}/{slot}/{notice.message}"[:400], str(notice.kind), data)


def _tell_of_new_slots(work: Work) -> None:
    """Tell an operator of sections and declarations that pages have now and had not before; on a first run all are new, and
    none is news.
    """
    noted = work.remembered(NOTED)
    rows = (row for cluster in work.templates.clusters() for row in work.templates.extracted_of(cluster))
    there = {slot for slot, count in supports(rows).items() if count >= LEAST_SUPPORT}
    fresh = sorted(there - set(noted or ()))
    if not fresh:
        return
    if noted is not None:
        notices = [
            NewNotice(f"new attribute/{slot}", "new attribute", {"slot": slot, "message": f"pages have {slot} now"})
            for slot in fresh
        ]
        work.runs.notify(notices, work.run)
    work.remember(NOTED, sorted(there | set(noted or ())))
