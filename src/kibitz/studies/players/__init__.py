"""What both studies of players share: every pair of strategies, and what each takes."""
