"""Templates that are compiled for one game."""
