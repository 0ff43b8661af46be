"""What other packages add to Scythe, by the entry points that they declare.

A package that declares

    [project.entry-points."scythe.methods"]
    longest = "my_package:longest"

adds the content method `longest` to the library, the command line and `bulk`.
docs/guides/plugins.md tells more.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from scythe.errors import UsageError

METHODS = "scythe.methods"
"""Entry points that are functions from a `Tree` to a `Selection`."""
EXPORTERS = "scythe.exporters"
"""Entry points that are functions which write rows to a file (`scythe.exporters`)."""
KINDS = "scythe.kinds"
"""Entry points that are schemas of records (`scythe.templates.declared.schemas`)."""


@cache
def load_plugin(group: str, name: str) -> Any:
    """Return what a package has declared under a name; None where none has."""
    from importlib.metadata import entry_points  # slow, and few programs ask

    for entry in entry_points(group=group, name=name):
        try:
            return entry.load()
        except Exception as error:
            raise UsageError(
                f"The plug-in {name} ({entry.value}) cannot be loaded: {error}. "
                "Update or uninstall the package that it comes from."
            ) from error
    return None


def plugin_names(group: str) -> list[str]:
    """Return the names that packages have declared, in order."""
    from importlib.metadata import entry_points

    names = {entry.name for entry in entry_points(group=group)}
    return sorted(names)
