"""Studies: what is claimed about games and searches, measured."""
