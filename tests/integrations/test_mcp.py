"""Scythe as tools of an agent: a real client of the protocol calls a real server."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from loopback import Loopback
from scythe.integrations.mcp_server import build_server
from scythe.integrations.mcp_tools import ScytheTools

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "harvest.html"
TOOLS = [
    "collection_records",
    "collections",
    "extract",
    "read_page",
    "records",
    "search",
]
LIST_PAGE = "".join(
    f"<li><a href='/hay/{n}'>Hay number {n}</a> cut in the year {1990 + n}</li>"
    for n in range(12)
)


def call(tools: ScytheTools, tool: str, **arguments: Any) -> Any:
    """Return what a tool answers, through the protocol."""

    async def ask() -> Any:
        async with Client(build_server(tools)) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(ask)


def answer(result: Any) -> Any:
    assert not result.is_error, result
    return json.loads(result.content[0].text)


def test_a_client_of_the_installed_command_lists_and_calls_the_tools(
    tmp_path: Path,
) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "scythe", "mcp", "--db", f"sqlite:///{tmp_path}/agent.db"],
        env={**os.environ, "SCYTHE_DEBUG": ""},
    )

    async def visit() -> tuple[list[str], Any]:
        async with Client(stdio_client(server)) as client:
            listed = await client.list_tools()
            html = EXAMPLE.read_text(encoding="utf-8")
            called = await client.call_tool("extract", {"html": html})
            return sorted(tool.name for tool in listed.tools), called

    names, extracted = anyio.run(visit)
    assert names == TOOLS
    assert answer(extracted)["markdown"].startswith("# Why the old barley fields")


def test_pages_are_read_as_records_and_bounded() -> None:
    tools = ScytheTools()
    rows = answer(call(tools, "records", html=f"<ul>{LIST_PAGE}</ul>", limit=5))
    assert [row["link"] for row in rows["records"]] == [f"/hay/{n}" for n in range(5)]

    html = EXAMPLE.read_text(encoding="utf-8")
    short = answer(call(tools, "extract", html=html, max_characters=50))
    assert len(short["markdown"]) == 50
    assert "left out" in short["cut"]
    item = answer(call(tools, "read_page", html=html))
    assert item["record"]


def test_private_machines_are_refused_in_one_sentence(web: Loopback) -> None:
    web.add("/secret", b"<p>secret")
    refused = call(ScytheTools(), "extract", url=web.url("/secret"))
    assert refused.is_error
    assert "private" in refused.content[0].text
    assert not web.asked

    allowed = ScytheTools(allow_private=True)
    assert (
        "secret" in answer(call(allowed, "extract", url=web.url("/secret")))["markdown"]
    )


def test_collections_are_listed_and_queried(tmp_path: Path) -> None:
    tools = ScytheTools(f"sqlite:///{tmp_path}/agent.db")
    assert call(tools, "collections").structured_content == {"result": []}
    missing = call(tools, "collection_records", name="nothing")
    assert missing.is_error
    assert "nothing" in missing.content[0].text
