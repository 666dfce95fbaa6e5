"""Paper-rock-scissors, both at once."""
