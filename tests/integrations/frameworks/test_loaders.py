"""Loaders of LangChain, LlamaIndex and Haystack: the same passages in each."""

from __future__ import annotations

from pathlib import Path

import pytest

from scythe.integrations.passages import PassageOptions

EXAMPLE = Path(__file__).parents[3] / "examples" / "harvest.html"
SMALL = PassageOptions(max_tokens=120)
TITLE = "Why the old barley fields are cut by hand again"


def test_langchain_loads_pages_and_transforms_html() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document

    from scythe.integrations.langchain import ScytheLoader, ScytheTransformer

    (whole,) = ScytheLoader([str(EXAMPLE)]).load()
    assert whole.page_content.startswith(f"# {TITLE}")
    assert whole.metadata["date"] == "2024-08-17"
    chunks = ScytheLoader([str(EXAMPLE)], SMALL).load()
    assert {chunk.metadata["headings"].split(" > ")[0] for chunk in chunks} == {TITLE}

    html = Document(
        page_content=EXAMPLE.read_text(), metadata={"source": "x", "mine": 1}
    )
    (transformed,) = ScytheTransformer().transform_documents([html])
    assert transformed.page_content == whole.page_content
    assert transformed.metadata["mine"] == 1


def test_llamaindex_reads_pages() -> None:
    pytest.importorskip("llama_index.core")
    from scythe.integrations.llamaindex import ScytheReader

    (whole,) = ScytheReader().load_data([str(EXAMPLE)])
    assert whole.text.startswith(f"# {TITLE}")
    assert whole.metadata["title"] == TITLE
    assert len(ScytheReader(SMALL).load_data([str(EXAMPLE)])) > 3


def test_haystack_converts_files_and_streams() -> None:
    pytest.importorskip("haystack")
    from haystack import Pipeline
    from haystack.dataclasses import ByteStream

    from scythe.integrations.haystack import ScytheConverter

    url = "https://courier.example/barley"
    stream = ByteStream(EXAMPLE.read_bytes(), meta={"url": url})
    pipeline = Pipeline()
    pipeline.add_component("converter", ScytheConverter())
    done = pipeline.run({"converter": {"sources": [EXAMPLE, stream]}})
    by_file, by_stream = done["converter"]["documents"]
    assert by_file.content.startswith(f"# {TITLE}")
    assert by_stream.meta["source"] == url
