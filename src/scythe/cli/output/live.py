"""What a long task is doing just now: one line that changes, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scythe.cli.output.messages import one_line

Tell = Callable[[str], None]


@contextmanager
def live(task: str) -> Iterator[Tell]:
    """A function that shows what is being done, as long as the task lasts."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)

    def shown(detail: str) -> Text:
        text = Text(one_line(f"{task}: {detail}" if detail else task))
        text.truncate(max(console.width - 4, 10), overflow="ellipsis")
        return text

    with console.status(shown("")) as status:
        yield lambda detail: status.update(shown(detail))
