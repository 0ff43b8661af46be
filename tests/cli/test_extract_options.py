"""`scythe extract` in this process: what it writes, where, and what it says."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from loopback import ARTICLE, Loopback
from scythe.cli.main import app

SENTENCE = "The first cut is made at dawn"


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["extract", *map(str, arguments)], input=stdin)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "mowing.html"
    path.write_text(ARTICLE)
    return path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name in ("index.html", "index.htm", "2024/index.html", "2024/barley.html.gz"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = ARTICLE.replace("mowing", name).encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    return folder


def files_below(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
    )


@pytest.mark.parametrize("form", ["md", "text", "html", "xml", "tei", "json"])
def test_every_format_holds_the_content_and_only_that(page: Path, form: str) -> None:
    result = run(page, "--format", form, "--method", "econ")
    assert (result.exit_code, result.stderr) == (0, "")
    assert SENTENCE in result.stdout
    assert "Imprint" not in result.stdout
    assert result.stdout.endswith("\n")


def test_json_of_one_source_is_one_object_for_people_to_read(page: Path) -> None:
    result = run(page, "-f", "json")
    values = json.loads(result.stdout)
    assert list(values)[:2] == ["source", "url"]
    assert values["source"] == str(page)
    assert result.stdout.startswith('{\n  "source"')


def test_html_is_a_whole_page_that_needs_no_server_to_tell_its_charset(
    page: Path,
) -> None:
    page.write_text(ARTICLE.replace("dawn", "dawn, früh"))
    written = run(page, "-f", "html").stdout
    assert written.startswith("<!DOCTYPE html>\n<html")
    assert '<meta charset="utf-8">' in written
    assert "früh" in written


def test_standard_input_with_its_address(page: Path) -> None:
    result = run(
        "-",
        "-f",
        "json",
        "--url",
        "https://courier.example/a/b.html",
        stdin=page.read_bytes(),
    )
    values = json.loads(result.stdout)
    assert (values["source"], values["url"]) == (
        "standard input",
        "https://courier.example/a/b.html",
    )
    assert "(https://courier.example/a/sky)" in values["markdown"]


def test_a_web_address(web: Loopback) -> None:
    web.add("/old", b"", status=301, Location="/mowing")
    values = json.loads(
        run(web.url("/old"), "-f", "json", "--user-agent", "reaper").stdout
    )
    assert (values["source"], values["url"]) == (web.url("/old"), web.url("/mowing"))
    assert SENTENCE in values["text"]
    assert web.asked[0][1]["user-agent"] == "reaper"


def test_the_charset_of_the_header_is_used(web: Loopback) -> None:
    web.add(
        "/grad",
        ARTICLE.replace("dawn", "Grüßen").encode("cp1250"),
        kind="text/html; charset=windows-1250",
    )
    assert "Grüßen" in run(web.url("/grad"), "-f", "text").stdout


def test_several_sources_are_told_apart(page: Path, site: Path) -> None:
    text = run(page, site / "index.html", "-f", "text", "-j", "1").stdout
    assert text.startswith(f"==> {page} <==\n\n")
    assert f"\n\n==> {site / 'index.html'} <==\n\n" in text
    markdown = run(page, site / "index.html", "-j", "1").stdout
    assert markdown.startswith(f"<!-- source: {page} -->\n\n")


def test_several_sources_as_json_are_json_lines_in_input_order(
    page: Path, site: Path
) -> None:
    lines = run(page, site, "-f", "json", "-j", "2").stdout.splitlines()
    sources = [json.loads(line)["source"] for line in lines]
    names = ["index.htm", "index.html", "2024/barley.html.gz", "2024/index.html"]
    assert sources == [str(page), *(str(site / name) for name in names)]


def test_a_folder_is_several_sources_even_with_one_page(page: Path) -> None:
    assert run(page.parent, "-f", "text").stdout.startswith("==> ")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_bad_source_stops_no_other(
    page: Path, tmp_path: Path, web: Loopback, jobs: str
) -> None:
    paper, nothing = tmp_path / "paper.html", tmp_path / "nothing.html"
    paper.write_bytes(b"%PDF-1.5")
    nothing.touch()
    missing, gone = tmp_path / "missing.html", web.url("/gone")
    web.add("/gone", b"", status=404)
    result = run(
        paper,
        nothing,
        page,
        missing,
        gone,
        "ftp://courier.example/",
        "-f",
        "json",
        "-j",
        jobs,
    )
    assert result.exit_code == 1
    assert [json.loads(line)["source"] for line in result.stdout.splitlines()] == [
        str(page)
    ]
    messages = result.stderr.splitlines()
    for message, name in zip(
        messages,
        (paper, nothing, missing, gone, "ftp://courier.example/"),
        strict=False,
    ):
        assert message.startswith("error: ")
        assert message.count(str(name)) == 1
    assert messages[5:] == ["5 of 6 sources failed."]


def test_one_failed_source_is_named_with_its_reason(tmp_path: Path) -> None:
    result = run(tmp_path / "missing.html")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert "There is no file or folder" in result.stderr


def test_a_long_page_is_cut_and_the_user_told_what_to_do(page: Path) -> None:
    page.write_text(ARTICLE.replace("dawn", "dawn, " * 400))
    result = run(page, "--max-bytes", "1000", "-f", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["cut"] == ["bytes"]
    assert result.stderr.startswith(f"warning: {page}: ")
    assert "--max-bytes" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "magic"],
        ["--format", "pdf"],
        ["--jobs", "0"],
        ["--max-bytes", "0"],
        ["--nonsense"],
    ],
)
def test_wrong_options_are_wrong_usage(page: Path, options: list[str]) -> None:
    result = run(page, *options)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    "options",
    [["--timeout", "0"], ["--user-agent", "a\nb"], ["--url", "courier.example"]],
)
def test_values_that_cannot_be_are_wrong_usage_with_advice(
    page: Path, options: list[str]
) -> None:
    result = run(page, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_no_source_is_wrong_usage() -> None:
    assert run().exit_code == 2


def test_an_address_belongs_to_one_page(page: Path, site: Path) -> None:
    for names in ([site], [page, page], ["https://courier.example/"]):
        result = run(*names, "--url", "https://courier.example/")
        assert result.exit_code == 2
        assert "--url" in result.stderr


def test_one_source_into_a_file(page: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "text.txt"
    result = run(page, "-f", "text", "-o", target)
    assert (result.exit_code, result.output) == (0, "")
    assert SENTENCE in target.read_text()
    assert files_below(target.parent) == ["text.txt"]


def test_one_source_into_a_folder(page: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    run(page, "-o", tmp_path / "out")
    run(page, "-f", "text", "-o", f"{tmp_path}/fresh/")
    assert files_below(tmp_path / "out") == ["mowing.md"]
    assert files_below(tmp_path / "fresh") == ["mowing.txt"]


def test_a_folder_keeps_its_structure_and_no_result_covers_another(
    site: Path, tmp_path: Path
) -> None:
    result = run(site, "-f", "text", "--method", "lbda", "-o", tmp_path / "out")
    assert (result.exit_code, result.output) == (0, "")
    assert files_below(tmp_path / "out") == [
        "2024/barley.txt",
        "2024/index.txt",
        "index-2.txt",
        "index.txt",
    ]
    assert "On index.htm\n" in (tmp_path / "out/index.txt").read_text()
    assert "On index.html\n" in (tmp_path / "out/index-2.txt").read_text()


def test_folders_beside_other_sources_keep_their_names(
    site: Path, page: Path, tmp_path: Path, web: Loopback
) -> None:
    run(
        site / "2024",
        page,
        "-",
        web.url("/mowing"),
        "-f",
        "json",
        "-o",
        tmp_path / "out",
        stdin=ARTICLE.encode(),
    )
    assert files_below(tmp_path / "out") == [
        f"127.0.0.1-{web.port}-mowing.json",
        "2024/barley.json",
        "2024/index.json",
        "mowing.json",
        "stdin.json",
    ]


def test_names_do_not_depend_on_what_failed(site: Path, tmp_path: Path) -> None:
    (site / "index.htm").write_bytes(b"")
    assert run(site, "-f", "text", "-o", tmp_path / "out").exit_code == 1
    assert files_below(tmp_path / "out") == [
        "2024/barley.txt",
        "2024/index.txt",
        "index-2.txt",
    ]


def test_no_source_is_ever_written_over(page: Path, site: Path) -> None:
    before = page.read_bytes()
    assert run(page, "-f", "html", "-o", page).exit_code == 2
    assert run(site, "-f", "html", "-o", site).exit_code == 2
    assert run(site, "-f", "html", "-o", site / "out").exit_code == 2
    assert run(site / "2024", "-f", "html", "-o", site).exit_code == 2
    assert run(page, "-f", "html", "-o", page.parent).exit_code == 0
    assert page.read_bytes() == before
    assert SENTENCE in page.with_name("mowing-2.html").read_text()


def test_markdown_may_stand_beside_its_pages(site: Path) -> None:
    assert run(site, "-o", site).exit_code == 0
    assert (site / "2024/barley.md").exists()


@pytest.mark.parametrize("name", ["all.jsonl", "all.md", "present"])
def test_several_sources_do_not_go_into_one_file(
    site: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "present").touch()
    result = run(site, "-o", tmp_path / name)
    assert result.exit_code == 2
    assert "Name a folder" in result.stderr


def test_a_second_run_replaces_the_results_of_the_first(
    page: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.md"
    target.write_text("old")
    target.chmod(0o600)
    run(page, "-f", "text", "-o", target)
    assert SENTENCE in target.read_text()


def test_a_link_or_a_device_is_written_through(page: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real.txt")
    run(page, "-f", "text", "-o", link)
    assert link.is_symlink()
    assert SENTENCE in (tmp_path / "real.txt").read_text()
    assert run(page, "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


def test_what_cannot_be_written_is_an_error_of_that_source(
    page: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    result = run(page, "-o", tmp_path / "file" / "below.md")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: cannot write")


def test_a_strange_file_name_harms_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "a--> \x1b[31m\n.html").write_text(ARTICLE)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.html")).write_text(ARTICLE)
    (folder / "..html").write_text(ARTICLE)
    for form in ("md", "text", "json"):
        result = run(folder, "-f", form, "-j", "1")
        assert (result.exit_code, result.stderr) == (0, "")
    headers = [
        line for line in run(folder, "-j", "1").stdout.splitlines() if "-->" in line
    ]
    assert len(headers) == 3
    assert all(
        line.startswith("<!-- source: ")
        and line.endswith(" -->")
        and line.count("--") == 2
        for line in headers
    )
    assert run(folder, "-o", tmp_path / "out").exit_code == 0
    assert len(files_below(tmp_path / "out")) == 3


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("scythe ")


def test_markdown_stands_under_the_title_of_the_page_once(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    story = f"<p>{SENTENCE}, and the last, as every year, at dusk.</p>" * 20
    path.write_text(
        f"<title>Barley *by hand* | Sheaf</title><h1>Barley *by hand*</h1><main>{story}</main>"
    )
    for method in ("learned", "lbda"):
        lines = run(path, "--method", method).stdout.splitlines()
        assert lines[0] == "# Barley \\*by hand\\*"
        assert sum("by hand" in line for line in lines) == 1


def test_output_switches_change_how_the_content_is_written(page: Path) -> None:
    inline = run(page, "-m", "econ").stdout
    bare = run(page, "-m", "econ", "--links", "none").stdout
    assert "[sky](sky)" in inline
    assert bare == inline.replace("[sky](sky)", "sky")
    front = run(page, "-m", "econ", "--front-matter").stdout
    assert front.startswith('---\ntitle: "')
    assert front.endswith(inline)


def test_front_matter_is_refused_where_there_is_no_markdown(page: Path) -> None:
    result = run(page, "--front-matter", "-f", "text")
    assert result.exit_code == 2
    assert "Give --format md or json" in str(result.stderr or result.exception)


def test_several_xml_documents_need_a_folder(site: Path, tmp_path: Path) -> None:
    assert run(site, "-f", "tei").exit_code == 2
    assert run(site, "-f", "tei", "-m", "econ", "-o", tmp_path / "out").exit_code == 0
    assert "index.tei.xml" in files_below(tmp_path / "out")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_robots_txt_is_obeyed_unless_the_site_is_ones_own(
    web: Loopback, jobs: str
) -> None:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /mowing\n", "text/plain")
    web.add("/reaping", ARTICLE.encode())
    urls = [web.url("/mowing"), web.url("/reaping")]
    result = run(*urls, "-f", "json", "-j", jobs)
    assert result.exit_code == 1
    assert "--ignore-robots" in result.stderr
    assert [json.loads(line)["url"] for line in result.stdout.splitlines()] == urls[1:]
    assert "/mowing" not in [path for path, _ in web.asked]
    allowed = run(*urls, "-f", "json", "-j", jobs, "--ignore-robots", "--delay", "0")
    assert allowed.exit_code == 0
    assert len(allowed.stdout.splitlines()) == 2


def test_a_charset_that_only_the_user_knows(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    html = ARTICLE.replace("dawn", "świt, ćma i żaba")
    page.write_bytes(html.encode("iso-8859-2"))
    values = json.loads(run(page, "-f", "json", "--charset", "iso-8859-2").stdout)
    assert "świt, ćma i żaba" in values["text"]
    assert values["charset"] == "iso8859-2"
    result = run(page, "--charset", "latin-99")
    assert result.exit_code == 2
    assert "no such charset" in result.stderr


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("news.xml", b"<rss version='2.0'><channel/></rss>", "a feed"),
        ("map.xml", b"<urlset><url/></urlset>", "a sitemap"),
        ("data.json", b'{"text": "They cut the barley."}', "JSON"),
        ("data.csv", b"name,price\nbarley,3\noats,4\n", "CSV"),
    ],
)
def test_what_is_no_page_gives_an_error_and_no_text(
    tmp_path: Path, name: str, data: bytes, kind: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    result = run(path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert str(path) in result.stderr
    assert kind in result.stderr


def test_a_page_that_scripts_build_is_a_failure_with_its_status(tmp_path: Path) -> None:
    path = tmp_path / "app.html"
    path.write_text("<title>App</title><div id=root></div><script>build()</script>")
    result = run(path, "-f", "json")
    assert result.exit_code == 1
    assert "--render" in result.stderr
    assert json.loads(result.stdout)["status"] == "shell"


def test_plain_text_is_given_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("Barley & <b>oats</b>\nin two lines\n")
    result = run(path, "-f", "text")
    assert result.exit_code == 0
    assert result.stdout == "Barley & <b>oats</b>\nin two lines\n"
    assert "plain text" in result.stderr


def test_a_page_in_another_language_is_reported_and_has_no_content(page: Path) -> None:
    result = run(page, "-m", "econ", "--language", "fr", "-f", "json")
    assert result.exit_code == 0
    assert "it is in en" in result.stderr
    values = json.loads(result.stdout)
    assert (values["status"], values["text"]) == ("other-language", "")
    assert SENTENCE in run(page, "-m", "econ", "--language", "en").stdout


def test_methods_without_a_choice_refuse_a_focus(page: Path) -> None:
    result = run(page, "-m", "econ", "--focus", "recall")
    assert result.exit_code == 2
    assert "Choose the method learned" in result.stderr
    assert run(page, "--focus", "recall").exit_code == 0
