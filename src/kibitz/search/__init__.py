"""Algorithms. They know a game only through the model."""
