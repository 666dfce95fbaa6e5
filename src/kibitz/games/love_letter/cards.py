"""The cards of Love Letter: their names, strengths and numbers. Rules 1.1 and 1.2."""

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)

NAMES = ("", "guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
NUMBERS = {name: number for number, name in enumerate(NAMES) if name}

COPIES = {
    "published": (0, 5, 2, 2, 2, 2, 1, 1, 1),
    "thesis": (0, 4, 2, 2, 2, 2, 1, 1, 1),
}

TARGETS = {2: 7, 3: 5, 4: 4}
"""Rounds to win a match, by the number of players. Rule 8.1."""

EFFECTS = {
    GUARD: "Name a player and a card other than Guard. If he holds it, he is out.",
    PRIEST: "See a player's card.",
    BARON: "Compare the card you keep with a player's. The lower is out.",
    HANDMAID: "Until your next turn nobody can name you.",
    PRINCE: "A player, or you, discards his card and draws another.",
    KING: "Trade the card you keep with a player's.",
    COUNTESS: "No effect, but she must be played if you hold the Prince or the King too.",
    PRINCESS: "Whoever plays or discards her is out.",
}
