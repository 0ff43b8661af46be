"""`scythe mcp`: Scythe as tools of an agent."""

from __future__ import annotations

from typing import Annotated

import typer

from scythe.cli.options import Database
from scythe.errors import UsageError

AllowPrivate = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        help="Let agents read pages of this machine and its network.",
    ),
]


def mcp(*, allow_private: AllowPrivate = False, db: Database = None) -> None:
    """Serve agents by the Model Context Protocol, on standard input and output.

    The tools are extract, read_page, records, search, collections and
    collection_records. Give an MCP client the command `scythe mcp`.
    """
    from scythe.integrations.mcp_tools import ScytheTools

    try:
        from scythe.integrations.mcp_server import serve_standard_streams
    except ImportError as error:
        raise UsageError(
            "Serving agents needs the MCP library. "
            "Install it: pip install 'webscythe[mcp]'."
        ) from error
    serve_standard_streams(ScytheTools(db, allow_private=allow_private))
