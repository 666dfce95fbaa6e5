"""The rules of the games. They know nothing of who plays them. One folder each."""
