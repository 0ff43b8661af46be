"""Commands of Scythe without a process of their own: those of the suite would take
minutes to load the same modules again.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess
from unittest.mock import patch

from scythe.cli.main import app


def run_here(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None
) -> CompletedProcess[str]:
    """Run a command in this process; return its exit code, and what it prints and
    reports.
    """
    output = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    messages = io.StringIO()
    code = 0
    with (
        patch.dict(os.environ, environment or {}),
        redirect_stdout(output),
        redirect_stderr(messages),
    ):
        try:
            app(list(arguments), prog_name="scythe")
        except SystemExit as ended:
            code = int(ended.code or 0)
    output.seek(0)
    return CompletedProcess(
        ["scythe", *arguments], code, output.read(), messages.getvalue()
    )
