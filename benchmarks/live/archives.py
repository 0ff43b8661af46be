"""Archives: of mail, of pages, and of tables."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from email.utils import format_datetime
from pathlib import Path

from engines.serving import Site

from benchmarks.live.documents import Document
from benchmarks.live.launching import Command, free_port, run, served, with_package

_IMPORT_MAIL = """
use PublicInbox::InboxWritable; use PublicInbox::Config;
my $inbox = PublicInbox::InboxWritable->new(PublicInbox::Config->new->lookup_name('docs'));
$inbox->import_mbox(\\*STDIN, 'mboxrd');
"""
_PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f64540"
    "0000000049454e44ae426082"
)


class PublicInbox:
    """public-inbox: a list of mails in preformatted text, without elements of their own."""

    name = "public-inbox"
    kind = "archive"
    home = "/docs/"
    needs: Mapping[str, str] = {"/usr/bin/public-inbox-httpd": "public-inbox"}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        inbox, port = folder / "docs", free_port()
        address = f"http://127.0.0.1:{port}/docs/"
        settings = {"PI_CONFIG": str(folder / "config")}
        creating: Command = ["public-inbox-init", "-V2", "--ng", "docs", "docs", inbox]
        run([*creating, address, "docs@example.org"], folder, settings)
        mails = "".join(_mail(document) for document in documents)
        run(["perl", "-e", _IMPORT_MAIL], folder, settings, mails)
        run(["public-inbox-index", inbox], folder, settings)
        command: Command = ["public-inbox-httpd", "-l", f"127.0.0.1:{port}", "-W0"]
        with served(command, port, folder, settings) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/doc-(\d+)(?:@|%40)", url)
        return int(found[1]) if found else None


def _mail(document: Document) -> str:
    when = format_datetime(document.written)
    return (
        f"From mboxrd@z Thu Jan  1 00:00:00 1970\n"
        f"From: {document.author} <{document.mail}>\nTo: docs@example.org\n"
        f"Subject: {document.title}\nMessage-ID: <{document.slug}@example.org>\n"
        f"Date: {when}\n\n{document.text}\n\n"
    )


class Kiwix:
    """kiwix-serve: a book of pages, results as a list with snippets, pages by number."""

    name = "kiwix"
    kind = "archive"
    home = "/docs/index.html"
    needs: Mapping[str, str] = {
        "/usr/bin/kiwix-serve": "kiwix-tools",
        "/usr/bin/zimwriterfs": "zim-tools",
    }

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        pages = folder / "pages"
        pages.mkdir()
        (pages / "icon.png").write_bytes(_PICTURE)
        links = ""
        for document in documents:
            page = (
                f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{document.title}"
                f"</title></head><body><h1>{document.title}</h1><p>{document.text}</p>"
            )
            (pages / f"{document.slug}.html").write_text(page)
            links += f"<li><a href={document.slug}.html>{document.title}</a>"
        index = (
            "<!DOCTYPE html><html><head><meta name=robots content=noindex>"
            "<title>Docs</title></head><body>"
            f"<h1>Docs</h1><ul>{links}</ul></body></html>"
        )
        (pages / "index.html").write_text(index)
        told = {
            "welcome": "index.html", "illustration": "icon.png", "language": "eng",
            "name": "docs", "title": "Docs", "description": "Docs",
            "creator": "nobody", "publisher": "nobody",
        }  # fmt: skip
        options = [f"--{name}={value}" for name, value in told.items()]
        run(["zimwriterfs", *options, pages, folder / "docs.zim"], folder)
        port = free_port()
        command: Command = [
            "kiwix-serve",
            "-i",
            "127.0.0.1",
            "-p",
            str(port),
            "docs.zim",
        ]
        with served(command, port, folder) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/doc-(\d+)\.html", url)
        return int(found[1]) if found else None


class Datasette:
    """Datasette: a table with a search box above it."""

    name = "datasette"
    kind = "catalogue"
    home = "/docs/documents"
    needs: Mapping[str, str] = {}

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        with closing(sqlite3.connect(folder / "docs.db")) as database:
            database.execute(
                "CREATE TABLE documents (number INTEGER PRIMARY KEY, title, text,"
                " author, written)"
            )
            database.execute(
                "CREATE VIRTUAL TABLE documents_fts USING fts4"
                ' (title, text, content="documents")'
            )
            for document in documents:
                row = [document.number, document.title, document.text]
                row += [document.author, document.day]
                database.execute("INSERT INTO documents VALUES (?, ?, ?, ?, ?)", row)
            database.execute(
                "INSERT INTO documents_fts (documents_fts) VALUES ('rebuild')"
            )
            database.commit()
        port = free_port()
        command: Command = [*with_package("datasette"), "datasette", "docs.db"]
        with served([*command, "-p", str(port)], port, folder) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"/documents/(\d+)", url)
        return int(found[1]) if found else None
