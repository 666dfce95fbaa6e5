"""Training: the numbers of a strategy, found by playing many games with them."""
