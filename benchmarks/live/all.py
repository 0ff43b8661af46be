"""The live engines, in the order in which the benchmark takes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.live.archives import Datasette, Kiwix, PublicInbox
from benchmarks.live.code import Fossil, Gitweb, Hgweb
from benchmarks.live.launching import LiveEngine
from benchmarks.live.scripted import MkDocs, Sphinx
from benchmarks.live.sites import Mezzanine, Oscar, Spirit
from benchmarks.live.trackers import Roundup, Trac

LIVE_ENGINES: Sequence[LiveEngine] = (
    Trac(),
    Roundup(),
    PublicInbox(),
    Kiwix(),
    Datasette(),
    Gitweb(),
    Hgweb(),
    Fossil(),
    Sphinx(),
    MkDocs(),
    Spirit(),
    Mezzanine(),
    Oscar(),
)


def missing_programs(live: LiveEngine) -> str | None:
    """Return what an engine lacks on this machine, with the command that helps."""
    packages = [
        package for file, package in live.needs.items() if not Path(file).exists()
    ]
    if not packages:
        return None
    return f"{live.name} needs: apt-get install {' '.join(packages)}"
