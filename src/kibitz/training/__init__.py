"""Training: the numbers of a strategy, learned by playing many games with them."""
