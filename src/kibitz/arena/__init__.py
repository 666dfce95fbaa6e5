"""Games between strategies: one at a table, many in pairs, and what they show."""
