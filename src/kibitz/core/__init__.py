"""What a game, a play, a view, a strategy and an explanation are; what all parts share."""
