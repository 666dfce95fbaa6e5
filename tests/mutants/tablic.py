"""Ways to break Tablić, one rule each."""

from tests.mutants.run import Mutant

CARDS, GAME = "games/tablic/cards.py", "games/tablic/game.py"
KERNELS, POSITIONS = "games/tablic/kernels.py", "games/tablic/positions.py"
CAPTURES, VIEWS = "games/tablic/captures.py", "games/tablic/views.py"
ENDS = "games/tablic/ends.py"

MUTANTS = [
    # 1. cards
    Mutant("1.1", CARDS, 'SUITS = ("c", "d", "h", "s")', 'SUITS = ("c", "h", "d", "s")'),
    Mutant("1.1", CARDS, 'SYMBOLS = ("♣", "♦", "♥", "♠")', 'SYMBOLS = ("♠", "♦", "♥", "♣")'),
    Mutant("1.1", GAME, "if sorted(cards) != list(range(52)):", "if len(cards) != 52:"),
    Mutant("1.1", POSITIONS, "_refuse_twice(placed & zone)", "_refuse_twice(0)"),
    Mutant("1.1", POSITIONS, "_refuse_twice(placed & mask_of(deck))", "_refuse_twice(0)"),
    Mutant("1.2", CARDS, "9, 10, 12, 13, 14)", "9, 10, 12, 13, 15)"),
    Mutant("1.3", CARDS, "VALUES = (11, 2,", "VALUES = (1, 2,"),
    Mutant("1.3", CAPTURES, "product(range(5), range(5))", "product(range(5), range(1))"),
    Mutant("1.3", CAPTURES, "rest = value - low - 11 * high", "rest = value - low - 10 * high"),
    Mutant("1.3", CAPTURES, "if low + high <= 4 and", "if min(low, high) == 0 and"),
    Mutant("1.3", CAPTURES, "TABLE_VALUES = (1, *VALUES[1:])", "TABLE_VALUES = VALUES"),
    Mutant("1.3", CAPTURES, "if rank == 0 and total + 10 <= most:", "if rank == 9 and total > 99:"),
    Mutant("1.3", CAPTURES, "(total + 10) << SUM_AT", "(total + 9) << SUM_AT"),
    # 2. dealing
    Mutant("2.1", KERNELS, "x.dealt = 4\n", "x.dealt = 3\n"),
    Mutant("2.1", KERNELS, "np.int64(1) << x.deck[i]", "np.int64(1) << x.deck[51 - i]"),
    Mutant("2.1", KERNELS, "shuffle(rng, x.deck, 52)\n", "pass\n"),
    Mutant(
        "2.2",
        KERNELS,
        "    for _ in range(2):\n        for i in range(1, x.players + 1):",
        "    packet *= 2\n    for _ in range(1):\n        for i in range(1, x.players + 1):",
    ),
    Mutant("2.3", KERNELS, "packet = (52 - x.dealt) // (2 * x.players)", "packet = 1"),
    Mutant("2.3", POSITIONS, "max(x.held) > 4", "max(x.held) > 6"),
    Mutant("2.3", POSITIONS, "3: (30, 12, 0)", "3: (30, 18, 12, 0)"),
    Mutant("2.4", ENDS, "return seat % 2 if x.players", "return seat // 2 if x.players"),
    Mutant("2.4", GAME, "return 2 if self.players == 4 else 1", "return 1"),
    Mutant("2.5", KERNELS, "x.dealer = (first - 1) % x.players", "x.dealer = first"),
    Mutant("2.5", KERNELS, "x.turn = first\n", "x.turn = 0\n"),
    Mutant("2.5", KERNELS, "seat = (x.dealer + i) % x.players", "seat = i - 1"),
    Mutant("2.5", KERNELS, "x.turn = (me + 1) % x.players", "x.turn = (me - 1) % x.players"),
    Mutant("2.6", KERNELS, "if x.held[x.turn] == 0:", "if x.held[x.turn] <= 1:"),
    Mutant("2.6", KERNELS, "if x.dealt < 52:", "if x.dealt < 40:"),
    Mutant(
        "2.6",
        KERNELS,
        "            hand_out(x)\n        else:",
        "            hand_out(x)\n            x.table |= 1 << x.deck[51]\n        else:",
    ),
    # 3. a turn
    Mutant("3.1", GAME, "if not x.hand[x.turn] >> play.card & 1:", "if not x.hand[x.turn]:"),
    Mutant("3.1", KERNELS, "(hand >> (4 * rank)) & 15", "(hand >> (4 * rank)) & 7"),
    Mutant("3.1", KERNELS, "x.hand[me] &= ~bit", "pass"),
    Mutant("3.1", KERNELS, "else suits & ~own) == 0:", "else suits & ~own) < 0:"),
    Mutant("3.2", CAPTURES, "if not fits(counts, larger):", "if not fits(counts + 1, larger):"),
    Mutant("3.2", CAPTURES, "        while i < n:", "        while i < 1:"),
    Mutant("3.2", CAPTURES, "for copies in range(5):", "for copies in range(2):"),
    Mutant("3.2", KERNELS, "return fits(counts, taken) and splits(taken, rank)", "return True"),
    Mutant("3.2", CAPTURES, "            left -= GROUPS[g]", "            left = 0"),
    Mutant("3.2", CAPTURES, "            left += GROUPS[g]", "            return False"),
    Mutant("3.2", CAPTURES, "elif fitting > 2 and is_among", "elif fitting > 3 and is_among"),
    Mutant("3.2", CAPTURES, "if not add(places, larger):", "if add(places, larger) and False:"),
    Mutant("3.2", CAPTURES, "for j in range(start, n):", "for j in range(start, n // 2):"),
    Mutant(
        "3.2", GAME, "        if absent:", "        if absent and not play.taken & int(x.table):"
    ),
    Mutant("3.2", GAME, "elif not self.kernels.splits(", "elif False and not self.kernels.splits("),
    Mutant(
        "3.3",
        KERNELS,
        "        if x.forced and n > start + 1:\n            n -= 1",
        "        if n > start + 1:\n            n = start + 1",
    ),
    Mutant("3.3", KERNELS, "if x.forced and n > start + 1:", "if n > start + 1:"),
    Mutant("3.4", KERNELS, "x.table |= bit", "x.pile[me] |= bit"),
    Mutant("3.5", KERNELS, "x.pile[me] |= taken | bit", "x.pile[me] |= taken"),
    Mutant("3.6", KERNELS, "if x.forced and n > start + 1:", "if x.forced and n > start + 2:"),
    Mutant("3.6", KERNELS, "not x.forced or not can_capture(counts, rank)", "not x.forced"),
    Mutant(
        "3.6", GAME, "if x.forced and self.kernels.can_capture(", "if self.kernels.can_capture("
    ),
    Mutant("3.6", GAME, 'record.forced = self.settings["forced_capture"]', "pass"),
    Mutant("3.7", CARDS, "card in (TEN_OF_DIAMONDS, TWO_OF_CLUBS)", "card == TEN_OF_DIAMONDS"),
    Mutant("3.7", KERNELS, "return special != 0 and k > 0", "return special != 0 and k > 1"),
    Mutant("3.7", KERNELS, "special == 0 or k < (counts", "special == 0 or k <= (counts"),
    Mutant(
        "3.7", KERNELS, "suits = (hand & ~SPECIALS) >> (4 * rank)", "suits = hand >> (4 * rank)"
    ),
    Mutant("3.7", KERNELS, "    table &= ~SPECIALS\n", ""),
    Mutant("3.7", KERNELS, "        if special and plain:", "        if False:"),
    Mutant("3.7", KERNELS, "if k == (counts >> (4 * rank)) & 15:", "if False:"),
    Mutant("3.7", KERNELS, "        if x.table & THE_TWO:", "        if False:"),
    Mutant("3.7", GAME, "TAKES_TWO if TWO_OF_CLUBS in taken else 0", "0"),
    Mutant("3.7", GAME, "move_cards(then, play.card, play.taken)", "apply(then, play.code)"),
    Mutant("3.7", GAME, "card: int = field(default=0, compare=False)", "card: int = 0"),
    # 4. tabla
    Mutant("4.1", KERNELS, "        if x.table == 0:", "        if x.table & (x.table - 1) == 0:"),
    Mutant("4.1", KERNELS, "x.tablas[me] += 1", "x.tablas[me] = 1"),
    Mutant("4.1", ENDS, "card_points(x.pile[seat]) + x.tablas[seat]", "card_points(x.pile[seat])"),
    Mutant(
        "4.2",
        KERNELS,
        "        if x.table == 0:",
        "        if x.table == 0 and (x.dealt < 52 or x.held[me] or x.held[me - 1]):",
    ),
    # 5. the end of a game
    Mutant("5.1", KERNELS, "        x.last = me\n", "        x.last = max(x.last, me)\n"),
    Mutant("5.1", ENDS, "    x.over = 1\n", "    x.over = 1\n    x.tablas[x.last] += 1\n"),
    Mutant("5.1", ENDS, "|= x.table\n    x.table = 0\n", "|= x.table\n"),
    Mutant("5.1", ENDS, "x.to_dealer or x.last < 0 else", "x.to_dealer or x.last <= 0 else"),
    Mutant("5.2", ENDS, "if x.to_dealer or x.last < 0 else", "if x.to_dealer else"),
    Mutant("5.3", ENDS, "if x.to_dealer or x.last < 0", "if x.last < 0"),
    Mutant("5.3", GAME, '["leftovers"] == "dealer"', '["leftovers"] == "the dealer"'),
    # 6. points
    Mutant("6.1", CARDS, "POINT_RANKS = (0, 9, 10, 11, 12)", "POINT_RANKS = (9, 10, 11, 12)"),
    Mutant("6.2", ENDS, "+ bits(cards & SPECIALS)", "+ bits(cards & THE_TWO)"),
    Mutant("6.2", ENDS, "+ bits(cards & SPECIALS)", "+ bits(cards & THE_TEN)"),
    Mutant("6.3", ENDS, "score[winner] += 3", "score[winner] += 2"),
    Mutant("6.3", ENDS, "            holder = -1\n", "            holder = i\n"),
    Mutant("6.4", ENDS, "if bonus == BONUS_TIE and score[i] < best:", "if False:"),
    Mutant("6.4", ENDS, "if bonus == BONUS_TIE and sharing < 2:", "if False:"),
    Mutant("6.5", ENDS, "if bonus == BONUS_NONE:", "if bonus > BONUS_NONE:"),
    Mutant(
        "6.5", GAME, 'BONUSES = ("always", "tie", "none")', 'BONUSES = ("always", "none", "tie")'
    ),
    Mutant("6.6", ENDS, "cards[side(x, seat)] += bits(", "cards[side(x, seat)] = bits("),
    Mutant("6.6", ENDS, "out[seat] = score[side(x, seat)]", "out[seat] = score[seat]"),
    Mutant("6.7", ENDS, "out[seat] = score[seat] - others", "out[seat] = others - score[seat]"),
    Mutant("6.7", ENDS, "if side(x, other) != side(x, seat):", "if other != seat:"),
    # 7. a match
    Mutant("7.1", GAME, 'Option("target", 101,', 'Option("target", 100,'),
    Mutant("7.1", GAME, 'return int(self.settings["target"])', "return 101"),
    Mutant("7.2", GAME, "return 2 if self.players == 4 else 1", "return 2"),
    Mutant("7.3", ENDS, "(s[0].dealer + 2) % s[0].players", "(s[0].dealer + 1) % s[0].players"),
    # 8. what a player knows
    Mutant(
        "8.1",
        VIEWS,
        "        if other != seat:\n            v.hand",
        "        if True:\n            v.hand",
    ),
    Mutant(
        "8.1",
        VIEWS,
        "            v.hand[other] = 0",
        "            v.hand[other] = v.pile[other] = 0",
    ),
    Mutant("8.2", VIEWS, "            v.hand[other] = 0", "            pass"),
    Mutant("8.2", VIEWS, "        v.deck[i] = -1", "        pass"),
    Mutant(
        "8.2",
        VIEWS,
        "    for i in range(52):\n        v.deck",
        "    for i in range(v.dealt, 52):\n        v.deck",
    ),
    Mutant("8.2", VIEWS, "shuffle(rng, x.deck[n:], 52 - n)", "pass"),
    Mutant("8.2", VIEWS, "shuffle(rng, x.deck[n:], 52 - n)", "shuffle(rng, x.deck[n:], 51 - n)"),
    Mutant("8.2", VIEWS, "        seen |= x.pile[other]", "        seen |= x.pile[seat]"),
    Mutant("8.2", VIEWS, "for _ in range(x.held[other]):", "for _ in range(x.held[seat]):"),
]
