"""Plays the lower of its two cards."""

CARDS = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")


def choose(view):
    low = min(view.hand, key=CARDS.index)
    for play in view.plays():
        if str(play).partition(">")[0] == low:  # a play's text: guard>2=priest, handmaid
            return play
    return view.plays()[0]  # the Countess must go: the lower card is no legal play
