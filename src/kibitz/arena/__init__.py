"""Many games between strategies: comparisons in pairs, and what they show."""
