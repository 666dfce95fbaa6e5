"""What decisions lost, luck and skill, puzzles."""
