"""Blocks as Markdown and as HTML, and the page around them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from kibitz.core.checks import one_line
from kibitz.core.errors import BadText, KibitzError
from kibitz.report.blocks import (
    Block,
    DataTable,
    Facts,
    Heading,
    Lead,
    Plot,
    Points,
    Preformatted,
    Rich,
    Text,
    to_markdown,
)
from kibitz.report.files import prepare_folder, report_files
from kibitz.report.page import TEMPLATES, inline, inline_svg, render_report
from tests.arena.report.pages import Reader

SVG = b'<?xml version="1.0"?>\n<svg width="9pt" height="9pt" xmlns="x"><g id="a"/></svg>\n'
EVIL = (
    "<script>alert(1)</script>",
    "\"'><b>",
    "{{ title }} {% raw -%}",
    "&amp; `x` 2^10",
    "a\ud800b",
)


@dataclass(frozen=True)
class Case:
    block: Block
    markdown: str
    html: str


CASES = [
    Case(Heading("a & b"), "## a & b", "<h2>a &amp; b</h2>"),
    Case(Heading("deeper", 3), "### deeper", "<h3>deeper</h3>"),
    Case(Text("5 % of a:b"), "5 % of a:b", "<p>5&nbsp;% of a:<wbr>b</p>"),
    Case(Text("`x`^2"), "`x`^2", "<p>`x`^2</p>"),
    Case(Text.rich("`x`^2"), "`x`^2", "<p><code>x</code><sup>2</sup></p>"),
    Case(Lead("A wins."), "**A wins.**", '<p class="lead">A wins.</p>'),
    Case(Points(["a", "<b>"]), "- a\n- <b>", "<ul>\n<li>a</li>\n<li>&lt;b&gt;</li>\n</ul>"),
    Case(Facts({"seed": "7"}), "- seed: 7", "<dl><div><dt>seed</dt><dd>7</dd></div></dl>"),
    Case(Preformatted("x  <\n o"), "```\nx  <\n o\n```", "<pre>x  &lt;\n o</pre>"),
    Case(
        DataTable(("who", "n"), [("a", "1")]),
        "| who | n |\n| --- | ---: |\n| a | 1 |",
        '<div class="table" role="region" tabindex="0"><table>\n'
        '<thead><tr><th scope="col" class="word">who</th><th scope="col">n</th></tr></thead>\n'
        '<tbody>\n<tr><td class="word">a</td><td>1</td></tr>\n</tbody></table></div>',
    ),
    Case(
        DataTable((Rich("b^m"),), [], words=(), caption='"All"'),
        '**"All"**\n\n| b^m |\n| ---: |',
        '<div class="table" role="region" tabindex="0" aria-label="&#34;All&#34;"><table>\n'
        "<caption>&#34;All&#34;</caption>\n"
        '<thead><tr><th scope="col">b<sup>m</sup></th></tr></thead>\n'
        "<tbody>\n</tbody></table></div>",
    ),
    Case(
        Plot("wins", "Who wins."),
        "![Who wins.](wins.svg)\n\n*Who wins.*",
        '<figure><svg role="img" aria-label="Who wins."><g id="wins-a"/></svg>'
        "<figcaption>Who wins.</figcaption></figure>",
    ),
    Case(
        Plot("wins", "Who.", files="out/wins"),
        "![Who.](wins.svg)\n\n*Who.*",
        '<figure><svg role="img" aria-label="Who."><g id="wins-a"/></svg><figcaption>Who. <small>'
        '<a href="out/wins.svg">SVG</a>, <a href="out/wins.png">PNG</a></small>'
        "</figcaption></figure>",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: type(case.block).__name__)
def test_every_block_is_written_both_ways(case: Case) -> None:
    assert case.block.markdown() == case.markdown
    page = render_report("title", [case.block], {"wins": SVG})
    assert page.split("<h1>title</h1>\n")[1].split("\n</main>")[0].strip() == case.html


def test_a_page_has_its_blocks_in_order() -> None:
    blocks: list[Block] = [Heading("1"), Text("2"), Heading("3")]
    assert Reader(render_report("0", blocks, {})).text.split() == ["0", "0", "1", "2", "3"]
    assert to_markdown("0", blocks) == "# 0\n\n## 1\n\n2\n\n## 3\n"


@pytest.mark.parametrize("text", EVIL)
def test_no_text_becomes_markup(text: str) -> None:
    blocks: list[Block] = [
        Heading(text), Text(text), Lead(text), Points([text]), Facts({text: text}),
        Preformatted(text), DataTable([text], [[text]], caption=text), Plot("p", text, text),
    ]  # fmt: skip
    page = render_report(text, blocks, {"p": SVG})
    read = Reader(page)
    assert "<script" not in page and "<b>" not in page
    assert read.headings == [one_line(text)] * 2
    assert read.rows == [[one_line(text)]] * 2


def test_what_is_raised_ends_where_it_should() -> None:
    assert inline(Rich("b^(m/2) + b^⌈m/2⌉ − x^2y")) == (
        "b<sup>m/2</sup> + b<sup>⌈m/2⌉</sup> − x<sup>2</sup>y"
    )
    assert inline(Rich("`a<b`")) == "<code>a&lt;b</code>"


def test_a_picture_in_a_page_has_ids_of_its_own() -> None:
    svg = b'<svg><metadata>x</metadata><g id="a"/><use href="#a"/><b clip="url(#a)"/></svg>'
    assert inline_svg(svg, "n", 'a "b"') == (
        '<svg role="img" aria-label="a &quot;b&quot;"><g id="n-a"/><use href="#n-a"/>'
        '<b clip="url(#n-a)"/></svg>'
    )


def test_the_files_of_a_report() -> None:
    files = report_files("out", "title", [Plot("p", "caption")], {"p": (SVG, b"png")})
    assert set(files) == {"out.md", "out.html", "p.svg", "p.png"}
    assert files["p.png"] == b"png" and files["out.md"].startswith(b"# title\n")


def test_every_template_is_a_page_or_part_of_one() -> None:
    assert {path.name for path in TEMPLATES.iterdir()} == {
        "base.html", "beliefs.html", "blocks.html", "report.html", "review.html", "scene.html",
        "sheet.html", "steps.html", "text.html",
    }  # fmt: skip


def test_a_folder_is_made_or_refused(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadText, match="is a file, not a folder"):
        prepare_folder(tmp_path / "file")
    with pytest.raises(KibitzError, match="Not a directory"):
        prepare_folder(tmp_path / "file" / "deeper")
