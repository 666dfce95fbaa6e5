"""Write playthroughs, perft counts and scenes anew: `python -m tests.games.write_data`.

Look at the difference before you commit it: it is what the change did to the rules.
"""

from __future__ import annotations

from kibitz.core.registry import games
from tests.games.test_conformance import DATA, divided, playthrough
from tests.games.test_scenes import SCENES, scene_file, scenes_text

DEPTHS = {
    "connect-four": (2, 4, 6),
    "coin-game": (1, 2, 3),
    "kuhn-poker": (1, 2, 3),
    "paper-rock-scissors": (1, 2),
    "hidden-paper-rock-scissors": (1, 2),
    "love-letter": (1, 2, 3, 4),
    "love-letter:players=3": (1, 2, 3),
    "love-letter:players=4": (1, 2),
    "tablic": (1, 2, 3, 4),
    "tablic:players=3": (1, 2, 3),
    "tablic:forced_capture=true": (1, 2, 3),
    "tic-tac-toe": (2, 4, 6),
    "pig": (2, 4, 6),
    "leduc-poker": (2, 4, 8),
    "twenty-one": (2, 4, 8),
    "divisible-by-four": (1, 2, 3),
}


def main() -> None:
    for name in SCENES:
        file = scene_file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(scenes_text(name), encoding="utf-8")
    for name in games():
        path = DATA / "playthroughs" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough(name), encoding="utf-8")
        made = "Made by: python -m tests.games.write_data"
        lines = [f"# {name}: sequences of plays of a length, by the first play. {made}"]
        for spec, depths in DEPTHS.items():
            if spec.partition(":")[0] != name:
                continue
            for depth in depths:
                lines += ["", f"game {spec} seed 1 depth {depth}"]
                lines += [f"{play}: {count}" for play, count in divided(spec, 1, depth).items()]
        path = DATA / "perft" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
