"""Write docs/benchmarks.md and the README's figures from the latest results: `python -m
benchmarks.document`.

No figure in the documents is typed by hand: run the benchmarks, then this. Sections
whose benchmark was not run here are left as they are.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Collection
from pathlib import Path
from typing import Any

from benchmarks.common import RESULTS, table

ROOT = Path(__file__).parents[1]
LINE_WIDTH = 100
"""Characters of a line of prose."""
SECTIONS = {
    "content": """## Content quality

`python -m benchmarks.content [DATA]`. Word F1 is that of the multisets of lower-cased words of a
page and its truth, a CJK character being a word; means are over pages. `with` and `without` are the
shares of snippets in the result that belong to the content and that do not. Correctly: precision
and recall at least 0.95; wrongly: recall only; missed: the rest, as in the paper on ECON. ECON,
ECON+, CoreEx and LBDA are not trained; the few constants of ECON+ and LBDA were chosen on wcxb
articles, zh and news-eras together, so these sets are not untouched. `scythe learned` on the sets
of the last table is 5-fold cross-validation grouped by domain: every page is extracted by a model
that saw no page of its domain; *set left out*: by a model that saw no page of the whole set, whose
conventions (headline in or out, captions, comments) it then does not know. zh and news-eras were
never trained on. Our rows are of 18 November 2026, those of the peers of 17 November, with the
versions named above but resiliparse 1.1.0; the speed table has 2.0.0. The plain text has no
headline, which the truths of news-eras, cleanportal and others have.""",
    "structure": """## Whole structures

`python -m benchmarks.structure [DATA]`. Of the data tables and of the lists that are content (four
fifths of their cells or items stand in the truth), how many stand in the Markdown with every cell
or item; of the headings in the Markdown, how many stand over something; of the figures between two
paragraphs of the content, how many come out with their picture and their caption. `scythe learned`
is by the models of the same folds, trafilatura has tables, images, links and emphasis switched
on. The measure reads the addresses of links as words, so an item or cell with a link in the middle
of its text is not whole by it: *no links* is without them. It also counts menus whose few words
happen to stand in the truth: the truth itself has 0.941 of the tables and 0.928 of the lists by it
(`--only "the truth itself"`). The row of trafilatura is of the run of 17 November 2026.""",
    "recipe_text": """## Recipe pages as text

`python -m benchmarks.recipe_text [DATA]`. Whole lists on a kind of page that the content model was
not trained on: of the ingredients and of the steps that a recipe page shows, the mean share that
stand in the text, and the share of pages with every one of them. *Not*: pages whose schema.org data
is not full. The rules about lists, headings and declared data were chosen on two thirds of the
sites; of these pages the version before kept 0.67 of the ingredients.""",
    "econ_experiments": """## ECON's experiments

`python -m benchmarks.econ_experiments [DATA]`. The four experiments of the paper on ECON with pages
of wcxb, zh, news-eras, chaos2017, fundus and l3s-gn1. Correctly, wrongly and missed are by words
here and by eye in the paper. Pages in pieces have most links and emphasised words to the length of
their content; steps are those of backtracking from the snippet-node to the summary-node. Headlines
are part of the truth of some sets and not of others, which costs every method pages.""",
    "lbda_experiments": """## LBDA's table

`python -m benchmarks.lbda_experiments [DATA]`. Recall and precision of words as in the paper on
LBDA. Accuracy, for which it has no formula: the share of the words of the visible page that are
rightly kept or rightly left out. CPU time with parsing; memory: the peak of what Python and NumPy
hold. CoreEx stands for the heuristic approach, which the paper does not name; its times and memory
have no unit.""",
    "speed": """## Speed

`python -m benchmarks.speed [DATA]`. CPU time of one thread, extractors interleaved page by page,
the best of three rounds. *parse only* is the HTML parser that Scythe stands on, from bytes to its
own tree. *Of resiliparse* and *of trafilatura* are shares of what they take for the same pages.
About a sixth of the default's time goes to the few pages that are threads.""",
    "growth": """## Growth

`python -m benchmarks.growth`. 10 KB shows what any page costs; from there the time per MB must not
grow. The best of three rounds on large pages, of a hundred on the smallest, so that what a process
does once is counted for none; the last column is what a byte of a small page costs beside one of
100 KB. The learned method leaves pages of more than 30,000 blocks to LBDA.""",
    "fuzz_parser": """## The compiled core against its reference

`python -m benchmarks.fuzz_parser DATA --seconds 3600 --seed N`. Random markup, random bytes, and
real pages that were cut, spliced and strewn with markup are parsed by the core and by turbohtml;
trees must be the same in every array, text and attribute. *Declined*: pages that the core leaves
to turbohtml by rule (docs/architecture.md). One seed was run before and one after blocks came to be
written once. Earlier seeds found two mistakes of the reference, which took markup in the value of
an attribute for a hidden input; it was mended. All 1,704 pages of html5lib's tests of tree
construction (`--cases`) give the same trees.""",
    "core_agreement": """## Answers with and without the compiled core

`python -m benchmarks.core_agreement [DATA] --every 5`. One page in five of the data folder: the
tree, blocks and features, the documents of all five methods and the records from tags alone are
made both ways, and must be the same. *Declined*: pages that the core leaves to the reference.""",
    "record_agreement": """## Records with and without the compiled core

`python -m benchmarks.record_agreement [DATA]`. A wrapper of each record set and what it reads of
all its pages, a template of each site of swde and what it reads, the typed record of each recipe
page; saved files included.""",
    "fuzz_functions": """## All functions on mutated pages

`python -m benchmarks.fuzz_functions DATA --seconds 3600 --seed N`. The same pages, each given to
one of the functions of `benchmarks.torture`, one after the other. *Foreign errors*: exceptions that
are no `ScytheError`; *too long*: calls of more than 5 s of CPU.""",
    "fuzz_coverage": """## All functions on pages that lead to code not seen before

`python -m benchmarks.fuzz_coverage DATA --seconds 3600 --seed N`. The same functions under atheris,
which keeps a page that takes a branch of the library's Python code not taken before, and changes it
further. What else was run under load is in [trust](trust.md#load).""",
    "core_checks": """## The compiled core under hostile pages and checks

`python -m benchmarks.core_checks [DATA]`. Each hostile page is extracted in a process of its own,
whose memory counts Python, NumPy and the models. The checks: a build with the compiler's own checks
of arithmetic and bounds, and Valgrind over an unoptimised build, both over hostile pages, pages of
the fuzzer and real ones; only small pages and one in five under Valgrind. Sanitizers and Miri need
a nightly compiler, which was not there: they were not run. `unsafe` is in one module. The pages of
checks are few this time; of the version before 460 and 91 were clean.""",
    "site": """## Pages of one site together

`python -m benchmarks.site [DATA]`.""",
    "metadata": """## Metadata

`python -m benchmarks.metadata [DATA]`.""",
    "calibration": """## Confidence

`python -m benchmarks.calibration [DATA]`. Pages of wcxb in ten groups of equal size by the
confidence that the model gave without having seen their domain.""",
    "startup": """## Start-up

`python -m benchmarks.startup`, with all modules compiled to bytecode once.""",
    "records": """## Records

`python -m benchmarks.records [DATA]`. A record is right if it matches a true one, one to one and in
order, with a Dice overlap of words of at least 0.9; perfect pages have every record right and none
besides. Macro is the mean over sets, micro over records. VW: with the pages rendered by a browser;
NV: from tags alone. Wrappers are learned on every other page of a set, with the no-result page
where there is one, and applied to the other pages without a browser. The rows of scythe are by
models that have not seen the site (five folds by site, `python -m training.sections`); those of
ViNTs have thresholds and factors that were chosen on these sets. Rows that learn no wrapper (MDR,
like siblings) find the records of every page anew. *Like siblings* is the floor: the largest group
of siblings of the same tag and first class. Forest sets: a record is several sibling elements. Live
sets: engines running on loopback. The saved pages of the other sets come without their style
sheets, so the layout counts for less there than on a live page.

What ViNTs cannot: its wrapper cuts the children of one node at separators of tags. On the first
pages of the 106 sets that choices were made on, by tags alone, 84 of its wrappers are right (an F1
of at least 0.95); on 18 no wrapper of that form has the records, for they stand under several
nodes, or something with the same tags stands among them that only a class tells apart; on 4
another group weighs more, mostly text that a style sheet would hide (`python -m training.vints`
counts the same over all pages). Every deviation from the paper is listed in
`scythe.wrappers.vints`.

Models that are trained anew rank a few pages in another way: between seeds, and between ways to
divide the sites into folds, single pages of the choices sets differ by 0.01 to 0.02. Learned from
made-up variants besides (854 pages: other tags and classes, advertisements and headings among the
rows, rows wrapped once more, tables, menus; three divisions into folds), the groups' model is as
good on real pages (0.959 and 0.962 instead of 0.960 and 0.963) and better on variants of pages it
has not seen (0.913 and 0.936 instead of 0.892 and 0.923). It was left out, as were losses of
rankings (0.92) and features that compare a candidate with the best of its page (0.961 and 0.966,
within chance). The sets put aside have been looked at six times: twice more for this table, whose
models of the folds were trained on the code of this version (the models that come with it are
those of the version before). Against that version one of the 51 choices sets of wrappers and one
of the six forest sets are lost; times are of that version. More candidates can cost as much: with
runs of siblings beside every text, not only in preformatted lists, two of 51 wrappers took the
wrong section (macro precision 0.960 instead of 0.999 on the choices sets, single pages put aside
0.911 instead of 0.920).""",
    "exports": """## Exported wrappers

`python -m benchmarks.exports [DATA]`. Wrappers are learned on every other page of a set and
exported; on each other page the exported spider (in this process) and the XPath (by lxml, on the
page as a browser parses it) are compared with the wrapper: the text of all records, their links,
all fields of all records.""",
    "scale": """## Scale

`python -m benchmarks.scale [DATA]`. See [scale.md](scale.md), which also has the cost of a month of
Common Crawl.""",
    "rendering": """## Rendering

`python -m benchmarks.rendering [DATA]`. Trees of saved pages from Chromium and from the parser, how
hostile pages end, and processes left behind.""",
    "forms": """## Search forms

`python -m benchmarks.forms [DATA]`. Forms are scored by weights that were learned on other domains
(five folds, `python -m training.forms`); the words of the features and the threshold were chosen on
these pages. Many forms labelled as search sort or filter a list and have no field for a query:
recall is also given for those that have one. *The word search*: forms that have it, in any of some
thirty languages, in the names of the form or its fields, its address or its button.""",
    "engines": """## Search engines

`python -m benchmarks.engines`. Engines are discovered from their address alone and asked queries
that they were not learned from. A result is right if its link is, and its title by letters and
digits. Real engines are Debian's packages, on loopback, over Debian's manuals; the truth comes from
their own interfaces for programs (XML of Omega, a template of ht://Dig, the page index of DokuWiki,
the command lines of Namazu and Swish-e), not from result pages. Odd engines are our own, one oddity
each. Seconds include the pauses between requests, which are short on loopback. In the last table,
two engines hang until the deadline. Live engines are programs of many kinds, from packages of
Debian and of Python: those that this machine lacks, or that do not start (Roundup refuses to run as
root), have no row. Their new theme: precision and recall after the engine was learned again;
script-built sites change to another theme of their own program, all others get other names and tags
for everything. Mezzanine is given by the page of its posts; the search of Spirit is for members, so
that every visitor is one here.""",
    "fields": """## Record fields

`python -m benchmarks.fields [DATA]`. Alone: the share of true field values that are alone in one
column (or are an item of it); in any typing: the same with typographic signs folded (`…` is `...`).
Pure columns: the share of columns, of those with true values in them, that hold one true field
only; beside it the share of their values that are of the field the column holds most often. Columns
are learned on true records: of the same page, or of half of a set's pages to read the other half. A
third of the sites was put aside while rules were chosen on the others. The truth is a table that
people copied by hand, shortened texts and other ways to write dates included: *of those shown*
counts only the values that the text of the record has.""",
    "by_example": """## Wrappers by example

`python -m benchmarks.by_example [DATA]`. Two values of one record and half of a set's pages; the
wrapper is read on all pages of the set. Records are right if precision and recall are at least 0.9,
columns if nine of ten values of their field stand in them. Models have not seen the site.""",
    "clustering": """## Clusters of pages

`python -m benchmarks.clustering [DATA] [--pages 100000]`. All swde pages mixed with all pages of
based.cooking's last stage; the truth is the site, and of based.cooking recipe pages and all others.
Then the same in other orders and without addresses, and every stage of based.cooking by itself.
Index right: the share of pages whose cluster is rightly recognised as index pages or not.
Thresholds were chosen with the first set in view. Growth: made-up pages of twelve templates.""",
    "templates": """## Templates

`python -m benchmarks.templates [DATA]`. Pages of a site of swde arrive one at a time, in three
shuffled orders; after the first few an automatic operator names for each field (attribute, in the
tables) the slot that matches best, and does nothing more. A page is right for a field if its slot
has values there and all of them are true; a value that is in several slots of a page counts in the
named one. The truth has the first author of a book where pages show several, which explains most
errors. Right, then wrong: pages read rightly as they came that the template of all pages reads
wrongly. The rules, and how the operator breaks ties, were written with these six sites in view.
Times were taken on a busy machine; update and extract include the tree.""",
    "recipes": """## Recipes

`python -m benchmarks.recipes [DATA]`. Token F1 is that of the multisets of words; exact: equal
letter for letter, line by line. Pages of one domain are read together, *each alone* is without;
*template*: slots of a template grown from the domain's pages, named by suggestions with no
operator. The model of lines has seen no page of the domain that it reads (five folds).
recipe-scrapers gets an address it does not know: it has only what pages declare. Folds hold out
pages from the model, not from the rules around it: which lines are joined, filled in or
deduplicated was decided with errors on these pages in view. No model was trained on based.cooking,
but two rules (labels of facts, headings of both parts) were added after a look at its errors.""",
    "single_pages": """## Typed records of single pages

`python -m benchmarks.single_pages [DATA]`. First: product pages of wcxb and pages with forms that
declare a price, read by what they show alone and compared with what they declare. *Shown*: pages on
which the declared price is among the visible amounts; where it is not, scripts show it, or the page
shows another one than it declares. Precision is of what was found, recall of what is declared; many
ratings and brands are declared and shown nowhere. Then sites with truth, of which none declares
anything: the share of pages whose value is read, with no training on the site. Then the kind that
`kind="auto"` takes a sample of the pages of wcxb for. Rules and weights were written with the first
part of the domains in view; the figures of the other third, by the hash of their names, were looked
at after that. The kinds were looked at without such a division.""",
    "collect": """## Collections

`python -m benchmarks.collect [DATA] [--sites NAME ...] [--by operator|suggestions]`. One collection
of every staged site, served on loopback at the moments of its life; the docstring of the command
says what every column counts. The automatic operator acts on the truth of stage 1, and later only
where there is a notice; where a field is a part of what a slot holds, it names the part by
examples, and it takes names back that have come to give less than others would. The rules for links
were written with chowdown-saathoff, howtocook-zh and lineage-wiki in view, parts of texts with
lineage-wiki, running texts with pythonjobs and jekyllthemes; moves, gone records and aliases of
addresses were mended with the errors on lineage-wiki and pythonjobs in view; facts of records,
suggestions that are followed and parts that texts share with those on lineage-wiki and
based.cooking; of jekyllthemes and howtocook-zh only figures were looked at. The one record of
based.cooking that is lost at stages 3 and 4 was no recipe before, so that the operator had said
never to follow it. Of the 35 records of chowdown-saathoff that moved at stage 4, links led to 12
before. Suggested parts were made with lineage-wiki in view, feeds and titles with based.cooking;
links from record to record with the figures alone of howtocook-zh.""",
    "page_speed": """## What records of pages cost

`python -m benchmarks.page_speed [DATA]`. All multiples of parsing in one run: wrappers, single list
pages without rendering, templates, and a page of a collection from nothing, each beside turbohtml
on the same pages. *Records of a page* reads their texts; columns are learned when they are asked
for. A collected page is one of 300 of a site that is new: the template grows by the first pages,
and pages that were read before it had learned what they have are read again. Taken while the
machine had little else to do: beside other jobs, work on many Python objects costs more than the
bare parse.""",
    "collect_cost": """## What a collection costs

`python -m benchmarks.collect_cost [DATA] [--pages 10000]`. CPU time of the process that runs a
collection, as a multiple of what turbohtml takes to parse the same pages. Real sites (swde) grown
with other words in every copy of a page; each row is one run; the first run of a site includes the
first pages of its template and the naming of fields. The made-up site is the worst case: its 20 KB
of plain mark-up are parsed in a tenth of a millisecond, in which a database stores no row.""",
    "web": """## The web app

`python -m benchmarks.web [--records 100000]`. Pages of the app over an SQLite file, requested in
one process. *CPU ms* is what the process takes for an answer, *ms* the time on the clock, with
whatever else the machine does; medians of a dozen. *Times a query* is the CPU time over that of a
plain query of the rows that the page shows, which neither counts facets nor renders a page. *Holds
up paint*: scripts that are inline or not deferred.""",
    "web_story": """## The first five clicks

`python -m benchmarks.web_story [DATA]`. From an empty database and one address to the records of a
site, by the forms and links of the web app: the address, the kind, "Add it", "Accept all
suggestions", "All records". Nothing is named. A true value is shown right if a text of the record's
page is it, or holds its words among a few more, or is the same day; all values of a record that was
not found are wrong: three recipes of chowdown-saathoff's first stage have no link that leads to
them. No site is unseen here: the text of its page on the page of a record, and lists after a label,
were added with the errors on pythonjobs and jekyllthemes in view.""",
    "web_annotate": """## Annotation with many slots

`python -m benchmarks.web_annotate [--rows 500]`. The annotation page of a made-up shop: how many
slots stand under "Unused data", what the server takes for the page, and how high it is before
"Unused data" is opened.""",
}


def main() -> None:
    document = ROOT / "docs" / "benchmarks.md"
    before = _sections(document.read_text("utf-8"))
    found = {
        name: RESULTS / f"{name}.md"
        for name in SECTIONS
        if (RESULTS / f"{name}.md").is_file()
    }
    if not found:
        sys.exit("There are no results. Run the benchmarks first: make bench")
    sections = dict(before)
    for name, introduction in SECTIONS.items():
        if name in found:
            title = introduction.partition("\n")[0]
            tables = found[name].read_text("utf-8").strip()
            sections[title] = f"{introduction}\n\n{tables}\n"
    versions = ", ".join(
        f"{name} {number}"
        for name, number in _json("content").get("packages", {}).items()
    )
    origin = (
        "Written by `python -m benchmarks.document` "
        "from the results of the commands named here."
    )
    introduction = textwrap.fill(
        f"{origin} Measured: {versions}.", LINE_WIDTH, break_on_hyphens=False
    )
    head = f"# Benchmarks\n\n{introduction}\n"
    if not versions:  # of the run that the tables of content are from
        head = document.read_text("utf-8").partition("\n## ")[0].strip() + "\n"
    document.write_text("\n".join([head, *sections.values()]), "utf-8")
    _write_figures(ROOT / "README.md", found.keys())


def _write_figures(readme: Path, measured: Collection[str]) -> None:
    """Write the tables of the README whose benchmarks were run."""
    text = readme.read_text("utf-8")
    block = re.search(r"<!-- figures -->(.*?)<!-- /figures -->", text, re.DOTALL)
    if block is None:
        sys.exit("README.md has no place for figures: <!-- figures -->")
    content, records = re.split(r"^(?=### )", block[1], flags=re.MULTILINE)[1:]
    if {"content", "speed"} <= set(measured):
        content = f"{_summary()}\n"
    elif "speed" in measured:
        content = _with_new_times(content)
    if "records" in measured:
        records = f"{_records_summary()}\n"
    figures = f"<!-- figures -->\n\n{content}{records}<!-- /figures -->"
    readme.write_text(text.replace(block[0], figures), "utf-8")


def _sections(document: str) -> dict[str, str]:
    """Return the sections of the document as it is, by their heading."""
    parts = re.split(r"^(?=## )", document, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: f"{part.strip()}\n" for part in parts}


def _json(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def _summary() -> str:
    """Return a table with one row an extractor: quality on all and on articles, in other languages
    and times, and cost.
    """
    figures, times = _json("content")["figures"], _json("speed")["figures"]["ms"]
    measured = [key.removeprefix("wcxb/") for key in figures if key.startswith("wcxb/")]
    names = [name for name in measured if f"zh/{name}" in figures]
    names.sort(key=lambda name: -figures[f"wcxb/{name}"]["f1"])
    parse = times["parse only"]
    rows = []
    for name in names:
        wcxb = figures[f"wcxb/{name}"]
        time = times.get(f"{name}, core", times.get(name))
        cost = f"{time / parse:.1f} x" if time else ""
        rows.append(
            [
                name,
                wcxb["f1"],
                wcxb["f1 article"],
                figures[f"zh/{name}"]["f1"],
                figures[f"news-eras/{name}"]["f1"],
                cost,
            ]
        )
    title = "Mean word F1, and CPU time in multiples of parsing alone"
    return table(
        title,
        [
            "extractor",
            "all 7 page types",
            "articles",
            "Chinese",
            "news 2005-2017",
            "time",
        ],
        rows,
    )


def _with_new_times(summary: str) -> str:
    """Return the table of `_summary` with the times of the last run of speed."""
    times = _json("speed")["figures"]["ms"]
    lines = []
    for line in summary.split("\n"):
        *cells, time, end = line.split("|") if line.count("|") > 1 else (line, "", "")
        name = cells[1].strip() if len(cells) > 1 else ""
        own = times.get(f"{name}, core", times.get(name))
        if own:
            cost = f"{own / times['parse only']:.1f} x "
            line = "|".join([*cells, cost.rjust(len(time)), end])
        lines.append(line)
    return "\n".join(lines)


def _records_summary() -> str:
    """Return a table with one row a finder: single pages, and wrappers on pages they have
    not seen.
    """
    figures = _json("records").get("figures", {})
    rows = []
    for name, single in figures.get("single", {}).items():
        learned = figures["learned"][name]["all"]
        found = [single["all"], learned]
        rows.append(
            [
                name,
                *(
                    row[f"macro {part}"]
                    for row in found
                    for part in ("precision", "recall")
                ),
            ]
        )
    columns = ["finder", "page: precision", "recall", "wrapper: precision", "recall"]
    title = "Records: macro precision and recall on single pages, and of wrappers on unseen pages"
    return table(title, columns, rows) if rows else ""


if __name__ == "__main__":
    main()
