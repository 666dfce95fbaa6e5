"""docs/licences.md names all that is depended on, with the licence that its metadata has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.processes import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ROW = re.compile(r"\| (\S+) \| (.+) \| .+ \|")
LISTED = {
    canonicalize_name(row[1]): row[2]
    for line in (ROOT / "docs" / "licences.md").read_text().splitlines()
    if (row := ROW.fullmatch(line))
}


def needed(requirements: list[str], seen: set[str]) -> Iterator[str]:
    """Names of packages, and of what they need in turn on this system."""
    for requirement in map(Requirement, requirements):
        name = canonicalize_name(requirement.name)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and name not in seen:
            seen.add(name)
            yield name
            yield from needed(distribution(name).requires or [], seen)


def test_all_that_is_installed_with_kibitz_is_listed() -> None:
    assert [name for name in needed(PROJECT["dependencies"], set()) if name not in LISTED] == []


def test_all_that_extras_name_is_listed() -> None:
    extras = [text for extra in PROJECT["optional-dependencies"].values() for text in extra]
    names = {canonicalize_name(Requirement(text).name) for text in extras}
    assert names <= LISTED.keys()


def test_licences_are_those_of_the_metadata() -> None:
    """Where there is an expression; older packages have a text in their own words."""
    compared = 0
    for name, licence in LISTED.items():
        try:
            metadata = distribution(name).metadata
        except PackageNotFoundError:
            continue  # a library in a wheel, or of an extra that is not installed
        if "License-Expression" in metadata:
            assert licence == metadata["License-Expression"], name
            compared += 1
    assert compared > 15


def test_everything_is_pinned_and_no_host_is_named() -> None:
    text = (ROOT / "constraints.txt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = {canonicalize_name(line.partition("==")[0]) for line in lines}
    assert [name for name in needed(PROJECT["dependencies"], set()) if name not in pinned] == []
