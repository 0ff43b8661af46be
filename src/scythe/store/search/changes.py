"""What happened last to some of a collection's records."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from scythe.store.collections.records import VersionRow
from scythe.store.collections.tables import RECORD_VERSIONS
from scythe.store.statements import batches, columns_of
from scythe.store.store import Store

_FEW = 2_000
"""Records of so few are asked for what happened to each; of more, what happened at all
is looked through, newest first.
"""
_LOOKED_THROUGH = 2_000


def latest_changes(
    store: Store,
    collection: int,
    records: Sequence[int],
    changes: Sequence[str],
    limit: int,
) -> list[VersionRow]:
    """The last things of these kinds that happened to any of these records, the newest
    first.
    """
    own = (
        RECORD_VERSIONS.c.collection_id == collection
    ) & RECORD_VERSIONS.c.change.in_(changes)
    newest = RECORD_VERSIONS.c.id.desc()
    numbers: list[int] = []
    with store.reading() as connection:
        if len(records) <= _FEW:
            for batch in batches(records):
                found = select(RECORD_VERSIONS.c.id).where(
                    own & RECORD_VERSIONS.c.record_id.in_(batch)
                )
                numbers += connection.execute(
                    found.order_by(newest).limit(limit)
                ).scalars()
        else:
            among, last = set(records), None
            while len(numbers) < limit:
                older = own if last is None else own & (RECORD_VERSIONS.c.id < last)
                looked = select(
                    RECORD_VERSIONS.c.id, RECORD_VERSIONS.c.record_id
                ).where(older)
                rows = connection.execute(
                    looked.order_by(newest).limit(_LOOKED_THROUGH)
                ).all()
                numbers += [number for number, record in rows if record in among]
                if len(rows) < _LOOKED_THROUGH:
                    break
                last = rows[-1].id
        wanted = RECORD_VERSIONS.c.id.in_(sorted(numbers, reverse=True)[:limit])
        told = (
            select(*columns_of(RECORD_VERSIONS, VersionRow))
            .where(wanted)
            .order_by(newest)
        )
        return [VersionRow(**row) for row in connection.execute(told).mappings()]
