"""Notifications after a run: what is new and changed since the last ones were sent, to
everybody whom the settings name.
"""

from __future__ import annotations

from scythe.collect.context import RunContext, StateKey
from scythe.collect.publish.feed import DEFAULT_CHANGES, feed_entries
from scythe.collect.publish.notify import MAX_CHANGES, Notification
from scythe.errors import ScytheError


def send_notifications(context: RunContext) -> list[str]:
    """Notify of new and changed records; return what could not be delivered and why.
    What a receiver did not get is sent again after the next run.
    """
    given = context.row.settings.get("notify") or ()
    sent: dict[str, int] = dict(context.load_state(StateKey.NOTIFIED) or {})
    if not given:
        return []
    entries = feed_entries(context.store, context.row, DEFAULT_CHANGES, MAX_CHANGES)
    numbers = [int(entry.id.rpartition(":")[2]) for entry in entries]
    problems: list[str] = []
    for values in given:
        notification = Notification.from_json(values)
        last = sent.get(notification.target, 0)
        numbered = zip(entries, numbers, strict=True)
        fresh = [entry for entry, number in numbered if number > last]
        if not fresh:
            continue
        try:
            notification.send(context.row, fresh)
        except ScytheError as error:
            problems.append(str(error))
        else:
            sent[notification.target] = max(numbers)
            context.store_state(StateKey.NOTIFIED, sent)
    return problems
