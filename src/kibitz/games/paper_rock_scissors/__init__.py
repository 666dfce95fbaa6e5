"""Paper-rock-scissors, one after the other."""
