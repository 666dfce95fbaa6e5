"""The study of Tablić with the deck known: perfect play, and what strategies lose against it."""
