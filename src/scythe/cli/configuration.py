"""Defaults of options from one file and the environment.

A key at the top of the file is for every command that has the option, a key in the table
of a command for that command alone:

    db = "kitchen.db"

    [extract]
    format = "text"

    [environment]
    SCYTHE_CORE = "1"

`SCYTHE_DB` and `SCYTHE_EXTRACT_FORMAT` say the same, and stand above the file; what is
typed stands above both.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from scythe.errors import UsageError

VARIABLE = "SCYTHE_CONFIG"
GENERAL_OPTIONS = ("quiet", "log")
"""Options that stand before every command."""
_PREFIX = "SCYTHE_"
_ENVIRONMENT = "environment"


def configuration_path(environment: Mapping[str, str]) -> Path | None:
    """Return the file that SCYTHE_CONFIG names, else the one in the user's folder, if it
    is there. An empty SCYTHE_CONFIG is no file.
    """
    if VARIABLE in environment:
        given = environment[VARIABLE]
        return Path(given) if given else None
    try:
        folder = _settings_folder(environment)
    except RuntimeError:  # there is no home
        return None
    path = folder / "scythe" / "config.toml"
    return path if path.is_file() else None


def _settings_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder in which programs of this system keep a user's settings."""
    if sys.platform == "win32":
        folder = environment.get("APPDATA")
        return Path(folder) if folder else Path.home() / "AppData/Roaming"
    folder = environment.get("XDG_CONFIG_HOME")
    return Path(folder) if folder else Path.home() / ".config"


class Configuration:
    """What a file and the environment say of the options of commands."""

    def __init__(self, path: Path | None, given: Mapping[str, Any]) -> None:
        self._path = path
        self._given = given

    @classmethod
    def load(cls) -> Self:
        """Read the file, where there is one; variables that it sets are set."""
        path = configuration_path(os.environ)
        given = _read(path) if path is not None else {}
        variables = given.pop(_ENVIRONMENT, {})
        if not isinstance(variables, dict):
            raise UsageError(f"{path}: environment is a table: [environment].")
        for name, value in variables.items():
            is_own = name.startswith(_PREFIX)
            if not is_own or not isinstance(value, str):
                # Its value may be a password: the message does not repeat it.
                raise UsageError(
                    f"{path}: [environment] has texts for variables that begin with "
                    f"{_PREFIX}; {name} is none."
                )
            os.environ.setdefault(name, value)
        return cls(path, given)

    def options_of(self, command: Any) -> dict[str, Any]:
        """Return the defaults of a command's own options, by their parameters."""
        return self._options(command, (), {})

    def defaults(self, command: Any, words: tuple[str, ...]) -> dict[str, Any]:
        """Return the defaults of a command that the words call, and of those below it,
        as its context takes them.
        """
        table = _at(self._given, words)
        if table is not None and not isinstance(table, dict):
            raise UsageError(
                f"{self._path}: {words[-1]} is a command, and so a table: "
                f"[{'.'.join(words)}]."
            )
        unused = dict(table or {})
        defaults = self._options(command, words, unused)
        for word, inner in getattr(command, "commands", {}).items():
            inner_words = (*words, word)
            defaults[word] = self.defaults(inner, inner_words)
            unused.pop(word, None)
        if unused:
            paths = [".".join((*words, name)) for name in unused]
            raise self._unknown(paths)
        return defaults

    def _options(
        self, command: Any, words: tuple[str, ...], unused: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the defaults of a command's options; what its table says of them is no
        longer `unused`.
        """
        options: dict[str, Any] = {}
        for name, parameter in _option_names(command):
            for path in ((name,), (*words, name)):
                value = _at(self._given, path)
                if value is not None and not isinstance(value, dict):
                    options[parameter] = value
                joined = "_".join(path).upper()
                variable = _PREFIX + joined.replace("-", "_")
                if text := os.environ.get(variable):
                    options[parameter] = text
            unused.pop(name, None)
        return options

    def require_known(self, commands: Mapping[str, Any]) -> None:
        """Refuse names that no option of any command has: slow, since it needs all of
        them.
        """
        known = set(GENERAL_OPTIONS)
        for word, command in commands.items():
            self.defaults(command, (word,))
            known.update(_all_option_names(command))
        unknown = set(self._given) - known - set(commands)
        if unknown:
            raise self._unknown(sorted(unknown))

    def _unknown(self, names: list[str]) -> UsageError:
        return UsageError(
            f"{self._path} sets what no command has: {', '.join(names)}. Options are "
            "named as on the command line, without dashes in front, in a table of their "
            "command."
        )


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # only where there is a file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}. Mend {VARIABLE} or the file."
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error


def _all_option_names(command: Any) -> Iterator[str]:
    for name, _ in _option_names(command):
        yield name
    for inner in getattr(command, "commands", {}).values():
        yield from _all_option_names(inner)


def _option_names(command: Any) -> Iterator[tuple[str, str]]:
    """Yield the long name of every option with the name of its parameter."""
    for parameter in command.params:
        if parameter.param_type_name == "option" and parameter.name != "help":
            longest = max(parameter.opts, key=len)
            yield longest.lstrip("-"), parameter.name


def _at(given: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """Return what stands at a path, None where nothing does."""
    value: Any = given
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value
