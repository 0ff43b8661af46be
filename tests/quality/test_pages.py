"""A page that comes out wrong becomes a folder, and a folder a floor."""

from pathlib import Path

import pytest
from benchmarks.pages import add, pin, read_folder, read_folders

from loopback import ARTICLE, Loopback


def test_a_file_becomes_a_folder_with_its_text_as_it_comes_out_today(
    tmp_path: Path,
) -> None:
    page = tmp_path / "saved.html"
    page.write_text(ARTICLE, "utf-8")
    folder = add(tmp_path / "pages", "on-mowing", str(page), "article")
    made = read_folder(folder)
    assert made.html == ARTICLE.encode()
    assert "while the dew is on the grass" in made.expected
    assert (made.name, made.page_type, made.charset) == ("on-mowing", "article", None)
    assert read_folders(tmp_path / "pages") == [made]


def test_an_address_keeps_the_charset_that_the_server_declared(
    tmp_path: Path, web: Loopback
) -> None:
    body = ARTICLE.replace("mowers", "żniwiarze").encode("iso-8859-2")
    web.add("/page", body, kind="text/html; charset=ISO-8859-2")
    made = read_folder(add(tmp_path, "polish", web.url("/page"), None))
    assert made.html == body
    assert made.charset is not None
    assert "żniwiarze" in made.expected


def test_a_folder_is_not_overwritten(tmp_path: Path, web: Loopback) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(ValueError, match="already"):
        add(tmp_path, "taken", web.url("/mowing"), None)


@pytest.mark.parametrize("name", ["../escaped", "Two Words", ""])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="lower case"):
        add(tmp_path, name, "page.html", None)


def test_a_misspelt_setting_is_refused(tmp_path: Path) -> None:
    (tmp_path / "about.toml").write_text('page_type = "article"\nflor = 0.9\n')
    with pytest.raises(ValueError, match="flor"):
        read_folder(tmp_path)


def test_floors_rise_and_fall_only_when_told(tmp_path: Path) -> None:
    about = tmp_path / "about.toml"
    about.write_text('page_type = "article"\nfloor = 0.9\nwith = ["a floor = 0.1"]\n')
    assert pin(about, 0.9751, lower=False) == 0.945
    assert pin(about, 0.5, lower=False) == 0.945
    assert (
        about.read_text()
        == 'page_type = "article"\nfloor = 0.945\nwith = ["a floor = 0.1"]\n'
    )
    assert pin(about, 0.5, lower=True) == 0.47
