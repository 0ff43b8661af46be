"""A wrapper as XPath, for a person to read or to put into any program that knows XPath."""

from __future__ import annotations

from scythe.wrappers.export.field_paths import field_paths
from scythe.wrappers.export.rule_paths import record_path
from scythe.wrappers.wrapper import Wrapper


def xpath(wrapper: Wrapper) -> str:
    """One line for the records and one for each field, `name: XPath`; fields are
    relative to their record.

    A `UsageError` where the wrapper's records are no single elements: XPath has no way
    to say so.
    """
    lines = [f"record: {record_path(wrapper.rule)}"]
    lines += [f"{name}: {path}" for name, path in paths_by_name(wrapper).items()]
    return "\n".join(lines) + "\n"


def paths_by_name(wrapper: Wrapper) -> dict[str, str]:
    """The XPath of each field; of one that stands at several places, all of them."""
    found: dict[str, list[str]] = {}
    for field in field_paths(wrapper.fields):
        found.setdefault(field.name, []).append(field.xpath)
    return {name: " | ".join(paths) for name, paths in found.items()}
