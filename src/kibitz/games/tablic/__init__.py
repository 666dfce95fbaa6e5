"""Tablić."""
