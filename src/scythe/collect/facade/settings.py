"""Settings of a collection, changed after it was added, and when it is run."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from scythe.collect.context import RunContext
from scythe.collect.facade.base import CollectionPart
from scythe.collect.settings import check_name, check_settings
from scythe.collect.timetable import Timetable
from scythe.errors import UsageError
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import NewIndexPage
from scythe.store.columns import now
from scythe.store.states import CollectionState, IndexPageKind
from scythe.urls import fetchable_url, require_no_login, url_key


class CollectionSettings(CollectionPart):
    """The settings of a collection."""

    def change(
        self,
        *,
        name: str | None = None,
        kind: str | None = None,
        url: str | None = None,
        paused: bool | None = None,
        **settings: Any,
    ) -> None:
        """Change what is given, and leave the rest as it is; a setting of None is the
        default again. Nothing is stored where any of it is wrong.
        """
        row = self.row
        given_settings = {**row.settings, **settings}
        items = given_settings.items()
        merged = {key: value for key, value in items if value is not None}
        address = row.url
        if url is not None:
            require_no_login(url)
            given = fetchable_url(url)
            if given is None:
                raise UsageError(f"{url} is not an address of the web.")
            address = given
        check_settings(address, kind or row.kind, merged)
        state = None
        if paused is not None:
            if not isinstance(paused, bool):
                raise UsageError(f"paused is true or false, not {paused!r}.")
            state = CollectionState.PAUSED if paused else CollectionState.ACTIVE

        rows = CollectionRows(self.store)
        rows.change(
            row.id,
            settings=merged,
            kind=kind,
            state=state,
            name=check_name(name) if name is not None else None,
            url=address,
        )
        if url_key(address) != url_key(row.url):
            home = NewIndexPage(
                address, IndexPageKind.HTML, "the address that was given"
            )
            self._context.index_pages.add([home])
        self._context = RunContext(self.store, rows.with_id(row.id))

    @property
    def schedule(self) -> Timetable:
        """When it is run."""
        return Timetable.parse(str(self.row.settings.get("schedule", "")))

    def next_visit(self) -> datetime | None:
        """Return when the collection is due: by its schedule, or when the first of its
        index pages is; None where it was never run.
        """
        runs = self._context.runs
        schedule = self.schedule
        last = runs.last()
        if not schedule.is_adaptive and last is not None:
            return schedule.next_run(last.started_at)
        due: list[datetime] = []
        start_keys = self._context.start_keys()
        for page in self._context.index_pages.all():
            is_start = url_key(page.url) in start_keys
            is_gone = page.gone_at is not None and not is_start
            if is_gone or page.kind == IndexPageKind.RECORDS:
                continue
            if page.due_at is None:
                return None
            due.append(page.due_at)
        return min(due, default=None)

    def is_due(self, at: datetime | None = None) -> bool:
        """Return whether it should be run now: a run that was killed always should."""
        if self.row.state != CollectionState.ACTIVE:
            return False
        if self._context.runs.unfinished() is not None:
            return True
        if self.schedule.never:
            return False
        due = self.next_visit()
        return due is None or due <= (at or now())
