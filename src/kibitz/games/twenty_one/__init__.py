"""Twenty-one, from the lab exercise."""
