"""The files of a report: Markdown, a page, the plots as SVG and PNG, and the figures as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.files import atomic_write
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


def check_files(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder that has something else where these files are to be."""
    for path in (folder / name for name in names):
        if path.exists() and not path.is_file():
            raise BadText(f"{path}: not a file that can be written")


def plot_names(plots: Iterable[str]) -> list[str]:
    """The files that these plots are drawn into."""
    return [f"{plot}.{kind}" for plot in plots for kind in ("svg", "png")]


def write_report(
    folder: Path, files: Mapping[str, bytes], figures: Mapping[str, Any], name: str
) -> list[Path]:
    """Write a report's files and its figures under a name, all or nothing. Their paths."""
    text = json.dumps(figures, indent=1, ensure_ascii=False, allow_nan=False)
    contents = {folder / file: content for file, content in files.items()}
    contents[folder / name] = f"{text}\n".encode()
    atomic_write(contents)
    return list(contents)
