"""The coin game, from the lecture."""
