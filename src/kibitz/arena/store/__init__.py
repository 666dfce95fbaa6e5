"""Runs on disk: a comparison that was killed goes on where it was."""
