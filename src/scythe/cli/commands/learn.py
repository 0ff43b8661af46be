"""`scythe learn` and `scythe wrapper learn`: a wrapper from pages, or from values that a
person sees on them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scythe.cli.browser import PageLoader
from scythe.cli.options import (
    DEFAULT_READ,
    AllColumns,
    IgnoreRobots,
    MaxBytes,
    OutFile,
    Render,
    Timeout,
    UserAgent,
    require_other_files,
    require_single_page,
)
from scythe.cli.output.files import write_page_text
from scythe.cli.output.messages import print_error, print_message, print_warning
from scythe.cli.output.progress import with_progress
from scythe.errors import ScytheError, UsageError
from scythe.sources import ReadOptions, Source, expand
from scythe.tree import Tree

if TYPE_CHECKING:
    from scythe.wrappers.wrapper import Wrapper

Pages = Annotated[
    list[str],
    typer.Argument(
        metavar="PAGE",
        help="Pages of one kind: three or more results of one search, "
        "pages of one list, or a folder.",
    ),
]
ExampleValues = Annotated[
    list[str] | None,
    typer.Option(
        "--example",
        metavar="[NAME=]VALUE",
        help="A value that you see in a record, as price=19.90 with the name of its "
        "column; give two or more, of one record or two.",
    ),
]
NoResult = Annotated[
    str | None,
    typer.Option(
        "--no-result",
        metavar="PAGE",
        help="The page that the site shows where nothing is found.",
    ),
]
LearnMethod = Annotated[
    Literal["auto", "vints"],
    typer.Option(
        "--method", help="How a wrapper is built: by the trained finder, or as ViNTs."
    ),
]


def learn(
    pages: Pages,
    example: ExampleValues = None,
    no_result: NoResult = None,
    render: Render = None,
    method: LearnMethod = "auto",
    all_columns: AllColumns = False,  # noqa: FBT002 - a switch on the command line
    out: OutFile = None,
    max_bytes: MaxBytes = DEFAULT_READ.max_bytes,
    timeout: Timeout = DEFAULT_READ.timeout,
    user_agent: UserAgent = None,
    ignore_robots: IgnoreRobots = False,  # noqa: FBT002 - a switch on the command line
) -> None:
    """Learn a wrapper from pages of one kind: all that is needed to read the records of
    later pages, without a browser.

    With `--example`, the wrapper is that of the records that hold these values, and its
    columns are theirs.

    The wrapper is JSON that a person can read. The exit code is 1 when some pages could
    not be read (each is named, and the wrapper is learned from the others), and 2 when
    the command was wrong, no page shows an example, or the pages have no records in
    common.
    """
    if example and method != "auto":
        raise UsageError("ViNTs learns from no examples. Leave --method out.")
    inputs = pages if no_result is None else [*pages, no_result]
    require_other_files(inputs, out)
    if no_result is not None:
        require_single_page(no_result)

    options = ReadOptions(
        max_bytes=max_bytes,
        timeout=timeout,
        user_agent=user_agent,
        robots=not ignore_robots,
    )
    sources = list(expand(pages))
    with PageLoader(options, render=render) as loader:
        trees = list(_load_trees(sources, loader))
        no_result_tree = None
        if no_result is not None:
            (no_result_source,) = expand([no_result])
            no_result_tree = loader.load(no_result_source).tree
        if not trees:
            raise typer.Exit(1)
        wrapper = _learned(trees, no_result_tree, example, method, all_columns)

    text = json.dumps(wrapper.as_json(), ensure_ascii=False, indent=1)
    write_page_text(text + "\n", out)
    least, most = wrapper.expected.records
    columns = ", ".join(wrapper.fields.columns)
    print_message(
        f"learned from {len(trees)} pages with {least} to {most} records; "
        f"columns: {columns}."
    )
    if len(trees) < len(sources):
        raise typer.Exit(1)


def _learned(
    trees: Sequence[Tree],
    no_result: Tree | None,
    example: Sequence[str] | None,
    method: Literal["auto", "vints"],
    all_columns: bool,  # noqa: FBT001 - a switch on the command line
) -> Wrapper:
    from scythe.sections.fields import ColumnOptions
    from scythe.wrappers.examples import parse_example
    from scythe.wrappers.learn import learn_by_example, learn_from

    if example:
        given = [parse_example(text) for text in example]
        return learn_by_example(trees, given, no_result)
    columns = ColumnOptions(header_names=True, is_folded=not all_columns)
    return learn_from(trees, no_result, method=method, columns=columns)


def _load_trees(sources: list[Source], loader: PageLoader) -> Iterator[Tree]:
    """Yield the pages that can be read; the others are named."""
    for source in with_progress(sources):
        try:
            page = loader.load(source)
        except ScytheError as error:
            print_error(str(error), source.name)
            continue
        for warning in page.warnings:
            print_warning(warning, source.name)
        yield page.tree
