"""Divisible by four, from the lab exercise."""
