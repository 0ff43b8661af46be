"""With and without the compiled core: the same trees, the same answers."""

import importlib.util
import os
import shutil
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from benchmarks.fuzz_parser import (
    Pages,
    compare,
    difference,
    page_files,
    tree_difference,
)
from benchmarks.hostile_pages import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import scythe
from markup import pages
from odd_pages import ODD_PAGES
from scythe.cli.main import app
from scythe.content.extract import Method
from scythe.core.library import at_work, is_built
from scythe.tree import Limits, parse
from scythe.tree.compiled.trees import compiled_tree
from scythe.tree.construction.reference import reference_tree
from scythe.tree.encoding import page_text

ROOT = Path(__file__).parents[2]
METHODS: tuple[Method, ...] = ("auto", "econ", "econ+", "coreex", "lbda")

needs_core = pytest.mark.skipif(
    not is_built() and not (os.environ.get("CI") and shutil.which("cargo")),
    reason="the compiled core is not built here",
)


def same(html: bytes | str, limits: Limits | None = None) -> bool:
    found = difference(page_text(html, 16_000_000), limits or Limits())
    return found in (None, "declined")


@needs_core
def test_where_there_is_a_compiler_the_core_is_built() -> None:
    assert is_built()


@needs_core
@pytest.mark.parametrize("name", ODD_PAGES)
def test_odd_pages_have_the_same_tree(name: str) -> None:
    assert same(ODD_PAGES[name])


@needs_core
def test_pages_of_the_project_have_the_same_tree() -> None:
    different = [path for path in page_files(None) if not same(path.read_bytes())]
    assert not different


@needs_core
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_pages_of_the_project_give_the_same_documents(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in page_files(None):
        html = path.read_bytes()
        monkeypatch.setenv("SCYTHE_CORE", "1")
        with_core = scythe.extract(html, method=method).to_dict()
        monkeypatch.setenv("SCYTHE_CORE", "0")
        assert scythe.extract(html, method=method).to_dict() == with_core


@needs_core
@given(pages)
def test_any_markup_has_the_same_tree(html: str) -> None:
    assert same(html)


@needs_core
@given(pages, st.integers(1, 30), st.integers(1, 20))
def test_limits_cut_the_same(html: str, max_nodes: int, max_depth: int) -> None:
    assert same(html, Limits(max_nodes=max_nodes, max_depth=max_depth))


@needs_core
def test_pages_of_the_fuzzer_have_the_same_tree() -> None:
    drawn = Pages(None, seed=1)
    counts: Counter[str] = Counter()
    compare(((drawn.draw(), drawn.draw_limits()) for _ in range(400)), counts)
    assert counts["pages"] == 400
    assert counts["differences"] == 0


@needs_core
@pytest.mark.parametrize(
    "html",
    [
        '<input><table><tr><td><l r="<input type="hidden">\U0001f600',
        '<input><table><td n="<input type="hidden">\u2013',
        '<input><table><td n="<input type="hidden" x="y">\u2013</table>',
    ],
)
def test_markup_in_attributes_is_no_hidden_input(html: str) -> None:
    assert difference(page_text(html, 10_000)) is None


@needs_core
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_have_the_same_tree(name: str) -> None:
    page = page_text(HOSTILE[name], 16_000_000)
    compiled = compiled_tree(page, Limits())
    assert compiled is not None
    reference = reference_tree(page, Limits())
    assert compiled.tag.tolist() == reference.tag.tolist()
    assert compiled.end.tolist() == reference.end.tolist()
    assert compiled.text.tolist() == reference.text.tolist()


@needs_core
@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 600 + "x",
        "".join(f"<div><b a{number}></div>" for number in range(3_000)),
        "<select><button><selectedcontent></button><option>x",
        '–<table><input type="hidden">',
    ],
)
def test_what_the_reference_bounds_in_its_own_way_is_left_to_it(
    html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_text(html, 16_000_000)
    assert compiled_tree(page, Limits()) is None
    monkeypatch.setenv("SCYTHE_CORE", "1")
    assert tree_difference(parse(html), reference_tree(page, Limits())) is None


@needs_core
def test_attributes_are_found_in_the_same_ways() -> None:
    html = "<svg viewBox=1 ID=a><p class='x y' id=b data-É>t<p hidden CLASS=z>"
    page = page_text(html, 10_000)
    compiled, reference = compiled_tree(page, Limits()), reference_tree(page, Limits())
    assert compiled is not None
    nodes = range(len(reference))
    for name in ("id", "ID", "class", "hidden", "viewbox", "viewBox", "data-É", "none"):
        assert compiled.attribute(name) == reference.attribute(name)
        assert dict(compiled.with_attribute(name)) == dict(
            reference.with_attribute(name)
        )
        elements = [node for node in nodes if not reference.is_text[node]]
        expected = reference.attribute_values(name, elements)
        assert compiled.attribute_values(name, elements) == expected
        for node in nodes:
            ours, theirs = compiled.attributes(node), reference.attributes(node)
            assert dict(ours) == dict(theirs)
            assert (name in ours, ours.get(name)) == (name in theirs, theirs.get(name))


def test_the_core_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCYTHE_CORE", "0")
    assert not at_work()
    assert [text for text in parse("<p>x").text if text] == ["x"]


@pytest.mark.parametrize("setting", ["0", "1"])
def test_the_version_says_what_is_at_work(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCYTHE_CORE", setting)
    shown = CliRunner().invoke(app, ["--version"]).stdout
    with_core = is_built() and setting == "1"
    expected = "(compiled core)" if with_core else "(turbohtml and NumPy)"
    assert shown.strip().endswith(expected)


def test_tables_of_the_core_are_those_of_python() -> None:
    generator = load_generator()
    assert generator.TABLES.read_text(encoding="utf-8") == generator.tables()


def load_generator() -> ModuleType:
    path = ROOT / "core" / "generate_tables.py"
    spec = importlib.util.spec_from_file_location("generate_tables", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
