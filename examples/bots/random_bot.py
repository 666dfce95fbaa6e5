#!/usr/bin/env python3
"""A bot for Kibitz that needs nothing of Kibitz: docs/bots.md has the protocol.

In Love Letter it plays the lower of its two cards; in any other game it plays any legal play.

    kibitz compare love-letter random "bot:python3 examples/bots/random_bot.py"
"""

import json
import random
import sys

CARDS = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")


def choose(message, lots):
    """One of the texts in `plays`."""
    plays = message["plays"]
    hand = message["view"]["fields"].get("hand", [])
    if len(hand) == 2 and all(card in CARDS for card in hand):
        low = min(hand, key=CARDS.index)
        plays = [play for play in plays if play.partition(">")[0] == low] or plays
    return lots.choice(plays)


def main():
    lots = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "random bot in Python"}
        elif kind == "game":
            lots.seed(int(message["seed"]))  # the same seed, the same decisions
            answer = {"type": "ready"}
        elif kind == "choose":
            answer = {"type": "play", "play": choose(message, lots)}
        elif kind == "quit":
            return
        elif kind == "error":
            print(message["message"], file=sys.stderr)  # into the log
            continue
        else:
            continue  # `end`, and whatever a later version says
        answer["id"] = message["id"]  # the number of the question
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
