"""Every HTML page that Kibitz writes, made with Jinja2 from `templates/`.

Texts are escaped by the templates. What is not escaped is made here: `inline` and `inline_svg`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core.checks import one_line
from kibitz.report.blocks import Block, Rich

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).with_name("templates")


def render(template: str, **values: Any) -> str:
    """A page from a template of the folder `templates`."""
    return _environment().get_template(template).render(values)


def render_report(title: str, blocks: Sequence[Block], pictures: Mapping[str, bytes]) -> str:
    """A page of blocks. The pictures are SVG, by the names that plots have."""
    named = [(type(block).__name__.lower(), block) for block in blocks]
    return render("report.html", title=one_line(title), blocks=named, pictures=pictures)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"inline": inline, "inline_svg": inline_svg, "one_line": one_line}
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return environment


def inline(text: str) -> Markup:
    """A text as HTML. It may go on in the next line after a colon or comma inside a name, but
    not before a percent sign."""
    from markupsafe import Markup

    html = escape(one_line(text))
    html = re.sub(r"([:,])(?=[^\W\d])", r"\1<wbr>", html).replace(" %", "&nbsp;%")
    if isinstance(text, Rich):
        html = re.sub(
            r"\^(?:\((?P<a>[^)]*)\)|(?P<b>⌈[^⌉]*⌉|⌊[^⌋]*⌋|\w))",
            lambda match: f"<sup>{match['a'] or match['b']}</sup>",
            html,
        )
        html = re.sub(r"`([^`]*)`", r"<code>\1</code>", html)
    return Markup(html)


def inline_svg(svg: bytes, name: str, caption: str) -> Markup:
    """An SVG as part of a page: nothing about itself, its size left to the page, its ids its
    own. The caption is for those who can't see it."""
    from markupsafe import Markup

    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r' (?:xmlns(?::\w+)?="[^"]*"|(?:width|height)="[^"]*pt")', "", text)
    text = re.sub(r"\n\s+", "\n", re.sub(r"\n\s*\n", "\n", text)).strip()
    text = re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", text)
    label = f'<svg role="img" aria-label="{escape(one_line(caption))}"'
    return Markup(text.replace("<svg", label, 1))
