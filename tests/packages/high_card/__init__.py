"""A game in a package of its own, with all that the games of Kibitz have: the tests install it
by putting this folder's parent on Python's path."""
