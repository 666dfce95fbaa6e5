"""The table in the browser: the server, and in `static/` the pages.

`app.py` has the routes, `guard.py` what every request must pass, `tables.py` the games that go on.
What the browser gets is made in `sight.py` and `history.py` alone, from views.
"""
