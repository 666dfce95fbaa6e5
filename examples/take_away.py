"""Take away: matches on the table, each takes 1, 2 or 3; who takes the last one wins."""

from kibitz import Game


class TakeAway(Game):
    labels = {"lost": -1, "won": 1}  # what the ends are called, and their numbers

    def deal(self, seed, first=0):
        return 7, first  # matches left, whose turn it is: 0 the protagonist, 1 the antagonist

    def mover(self, state):
        return state[1]

    def plays(self, state):  # lowest first
        return [number for number in (1, 2, 3) if number <= state[0]]

    def after(self, state, play):
        return state[0] - play, 1 - state[1]

    def is_over(self, state):
        return state[0] == 0

    def returns(self, state):  # one value for each seat; who is to move found nothing left
        return (-1, 1) if state[1] == 0 else (1, -1)

    def caption(self, state):  # what pictures say; you may leave this out
        return f"{state[0]} left"
