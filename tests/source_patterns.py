"""Every regular expression of the source, with the ways in which it is used."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeGuard

import scythe

FOLDER = Path(scythe.__file__).parent
ANCHORED = frozenset({"match", "fullmatch"})
"""Uses that begin at one position of a text."""
USES = ANCHORED | {"search", "sub", "subn", "split", "findall", "finditer"}
_DEEPEST = 4
"""Containers in containers that patterns are looked for in."""


class SourcePattern(NamedTuple):
    """A regular expression of a module."""

    name: str
    """The module and the name of a constant, or the line of a call."""
    pattern: re.Pattern[Any]
    is_anchored: bool
    """Whether it is only tried at the beginning of texts."""


def source_patterns() -> list[SourcePattern]:
    """Return all patterns, each once."""
    found: dict[tuple[Any, int], SourcePattern] = {}
    for module in _modules():
        for pattern in [*_constants(module), *_calls(module)]:
            key = (pattern.pattern.pattern, pattern.pattern.flags)
            known = found.get(key, pattern)
            is_anchored = known.is_anchored and pattern.is_anchored
            found[key] = known._replace(is_anchored=is_anchored)
    return sorted(found.values(), key=lambda pattern: pattern.name)


def _modules() -> Iterator[ModuleType]:
    """Yield all modules but those of frameworks that are not installed."""
    for module in pkgutil.walk_packages([str(FOLDER)], "scythe."):
        if module.name.endswith(("__main__", "scythe_core")):
            continue
        try:
            yield importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            if str(error.name).startswith("scythe"):
                raise


def _constants(module: ModuleType) -> Iterator[SourcePattern]:
    """Yield the patterns in the constants of a module, also those in containers."""
    uses = _uses_by_name(module)
    for name, value in vars(module).items():
        anchored = name in uses and uses[name] <= ANCHORED
        for pattern in _patterns_in(value):
            yield SourcePattern(f"{module.__name__}.{name}", pattern, anchored)


def _patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < _DEEPEST and isinstance(value, dict):
        yield from _patterns_in(list(value.values()), depth + 1)
    elif depth < _DEEPEST and isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _patterns_in(inner, depth + 1)
    elif depth == 0 and _gives_patterns(value):
        yield from _patterns_in(value(), depth + 1)


def _gives_patterns(value: object) -> TypeGuard[Callable[[], object]]:
    """Return whether a value is a function that compiles patterns when they are first
    needed.
    """
    if not hasattr(value, "cache_info") or not callable(value):
        return False
    signature = inspect.signature(value)
    return not signature.parameters and "re.Pattern" in str(signature.return_annotation)


def _uses_by_name(module: ModuleType) -> dict[str, set[str]]:
    """Return the methods that a module calls on its names."""
    uses = defaultdict(set)
    for node in ast.walk(_syntax_tree(module)):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in USES:
                uses[name].add(method)
    return uses


def _calls(module: ModuleType) -> Iterator[SourcePattern]:
    """Yield the patterns that are written in a call, as in `re.search("...", text)`."""
    for node in ast.walk(_syntax_tree(module)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=use),
                args=[ast.Constant(value=str() | bytes() as text), *others],
            ) if use in USES:
                named = [word.value for word in node.keywords if word.arg == "flags"]
                pattern = re.compile(text, _flags([*others, *named]))
                name = f"{module.__name__}:{node.lineno}"
                yield SourcePattern(name, pattern, use in ANCHORED)


def _flags(arguments: list[ast.expr]) -> int:
    """Return the flags in arguments such as `re.IGNORECASE | re.DOTALL`."""
    flags = 0
    for argument in arguments:
        for part in ast.walk(argument):
            match part:
                case ast.Attribute(value=ast.Name(id="re"), attr=name):
                    flags |= int(getattr(re, name))
    return flags


def _syntax_tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
