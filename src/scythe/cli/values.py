"""Values of a command line that need no check.

Typer loads a library to check every value, those of options that nobody gave included,
which takes as long as extracting a page. Defaults are right as they are, and texts are
texts; all other values are checked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any


def leave_plain_values(command: Any) -> None:
    """Let a command, and those under it, take defaults and texts as they are."""
    command.get_params = partial(_parameters, command.get_params)
    for inner in getattr(command, "commands", {}).values():
        leave_plain_values(inner)


def _parameters(get_params: Callable[[Any], list[Any]], context: Any) -> list[Any]:
    """Return the parameters of a command, that for its help page included."""
    parameters = get_params(context)
    for parameter in parameters:
        check = parameter.process_value
        if not isinstance(check, partial):
            parameter.process_value = partial(_process, parameter, check)
    return parameters


def _process(
    parameter: Any, check: Callable[[Any, Any], Any], context: Any, value: Any
) -> Any:
    is_default = _is_default(parameter, context)
    plain = value if is_default else _text(parameter, value)
    if plain is None and not is_default:
        return check(context, value)
    if parameter.callback is None:
        return plain
    return parameter.callback(context, parameter, plain)


def _is_default(parameter: Any, context: Any) -> bool:
    """Return whether nobody gave a parameter of one value, and nobody must."""
    source = context.get_parameter_source(parameter.name)
    is_given = source is None or source.name != "DEFAULT"
    is_single = parameter.nargs == 1 and not getattr(parameter, "multiple", False)
    return is_single and not is_given and not parameter.required


def _text(parameter: Any, value: Any) -> str | list[str] | None:
    """Return a value that is a text, or several, and was declared as such; None for
    other values.
    """
    declared = getattr(parameter, "type_descriptor", None)
    if declared is None or declared.parameter_info.parser is not None:
        return None
    if declared.annotation is str and isinstance(value, str):
        return value
    if declared.annotation != list[str]:
        return None
    if not isinstance(value, tuple | list):
        return None
    are_texts = all(isinstance(text, str) for text in value)
    return list(value) if value and are_texts else None
