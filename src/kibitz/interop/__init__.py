"""Kibitz among others: environments of other frameworks, and players that are programs."""
