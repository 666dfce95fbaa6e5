"""`kibitz games`: what can be played, and by whom."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.core import registry
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.options import Configured
from kibitz.core.strategy import Strategy


def games(
    name: Annotated[
        str | None, typer.Argument(help="One game or strategy, in full.", show_default=False)
    ] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="The games that you have left, and how to go on.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the games and the strategies that play them, or the games that you have left."""
    if mine:
        if name is not None:
            raise BadText("--mine lists all that you have left: leave out the name")
        _list_mine(as_json)
    elif name is not None and name in registry.strategies():
        _show_one(registry.make_strategy(name), as_json)
    elif name is not None:
        _show_one(_named(name), as_json)
    elif as_json:
        entries = [_describe(cls()) for cls in registry.games().values()]
        libraries = [_entry(cls) for cls in registry.libraries().values()]
        print_json({"games": entries, "libraries": libraries})
    else:
        _list()


def _named(name: str) -> Configured:
    """A game, or what is in a file: a game or a strategy."""
    try:
        return registry.make_game(name)
    except BadText:
        if not is_file(name):
            raise
        with suppress(BadText):
            return registry.make_strategy(name)
        raise


def _describe(what: Configured) -> dict[str, Any]:
    entry = _entry(what)
    if isinstance(what, Game):
        from kibitz.strategies.common.levels import levels_for

        game = what
        entry["kind"] = game.traits.kind
        entry["unit"] = game.traits.unit
        entry["match"] = game.traits.match
        entry["strategies"] = registry.strategies_for(game)
        entry["strategy_details"] = [
            {"name": name, "knows": str(strategy.knows), "title": strategy.title_in(game)}
            for name, strategy in registry.strategies().items()
            if name in entry["strategies"]
        ]
        entry["levels"] = levels_for(game)
        entry["facts"] = game.presenter.facts()
    elif isinstance(what, Strategy):
        entry["knows"] = str(what.knows)
    return entry


def _entry(what: Configured | type[Configured]) -> dict[str, Any]:
    """What stands in the class."""
    options = [
        {"name": o.name, "default": o.default, "allowed": o.allowed, "help": o.help}
        for o in what.options
    ]
    return {"name": what.name, "title": what.title, "options": options}


def _list() -> None:
    lines = [f"{'game':<28}{'kind':<24}strategies"]
    for cls in registry.games().values():
        names = ", ".join(registry.strategies_for(cls()))
        lines.append(f"{cls.name:<28}{cls.traits.kind:<24}{names}")
    lines += [f"{name + ':NAME':<28}{cls.title}" for name, cls in registry.libraries().items()]
    print("\n".join(lines))
    print("\nkibitz games NAME tells more; options are written tablic:players=3,cards_bonus=none")


def _list_mine(as_json: bool) -> None:
    from kibitz.cli.ui.saved_games import unfinished_games

    left = unfinished_games()
    if as_json:
        entries = [
            {"record": str(one.path), "game": one.spec, "number": one.number,
             "plays": len(one.record.plays), "against": one.opponent, "when": one.when}
            for one in left
        ]  # fmt: skip
        print_json({"unfinished": entries})
        return
    for one in left:
        print(f"{one}\n  {one.resume_command}")
    if not left:
        print("You have left no game unfinished.")


def _show_one(what: Configured, as_json: bool) -> None:
    entry = _describe(what)
    if as_json:
        print_json(entry)
        return
    print(what.title)
    for key in ("kind", "knows"):
        if key in entry:
            print(f"{key}: {entry[key]}")
    if entry.get("strategies"):
        print("strategies:")
        width = max(map(len, entry["strategies"]))
        for one in entry["strategy_details"]:
            print(f"  {one['name']:<{width}}  {one['knows']:<10}  {one['title']}")
    if entry.get("levels"):
        levels = ", ".join(f"{level} {spec}" for level, spec in entry["levels"].items())
        print(f"levels: {levels}")
    if entry["options"]:
        print("options:")
    for option in entry["options"]:
        default = str(option["default"])
        print(f"  {option['name']}={default.lower() if default in ('True', 'False') else default}"
              f"   {option['help']} ({option['allowed']})")  # fmt: skip
    for label, value in entry.get("facts", {}).items():
        shown = f"{value:,}".replace(",", " ") if isinstance(value, int) else value
        print(f"{label}: {shown}")
