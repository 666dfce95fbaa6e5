"""Tablić with all cards known, the deck too: the value, and the best response to a known player."""
