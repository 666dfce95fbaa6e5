"""The files of a report: Markdown, a page, and the plots as SVG and PNG."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kibitz.core.errors import BadText, KibitzError
from kibitz.report.blocks import Block, to_markdown
from kibitz.report.page import render_report
from kibitz.report.plots import PlotFiles


def report_files(
    name: str, title: str, blocks: Sequence[Block], plots: PlotFiles
) -> dict[str, bytes]:
    """All files of a report, by name."""
    page = render_report(title, blocks, {plot: svg for plot, (svg, _) in plots.items()})
    files = {f"{name}.md": to_markdown(title, blocks).encode(), f"{name}.html": page.encode()}
    for plot, (svg, png) in plots.items():
        files |= {f"{plot}.svg": svg, f"{plot}.png": png}
    return files


def prepare_folder(folder: Path) -> None:
    """Make the folder, or refuse, before anything is measured."""
    if folder.exists() and not folder.is_dir():
        raise BadText(f"{folder} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise KibitzError(f"{folder}: can't be written to")
