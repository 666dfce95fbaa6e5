"""The page of a comparison: its tables, pictures and words."""
