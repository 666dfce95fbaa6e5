# Everything sets itself up in .venv; PYTHON may name another interpreter (3.11 or later).
PYTHON ?= python3
BIN := .venv/bin
INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo serve test check docs bench mutants clean
.DELETE_ON_ERROR:

demo: .venv/web
	@$(BIN)/kibitz compare love-letter --seed 1 --report demo/love-letter.html
	@echo
	@echo "Who beats whom, as a picture: demo/love-letter_files/wins.png"
	@echo "Try next:"
	@echo "  $(BIN)/kibitz serve                        the table in the browser"
	@echo "  $(BIN)/kibitz play love-letter --hints     play yourself, and be told why"
	@echo "  $(BIN)/kibitz compare tablic               the other game"
	@echo "  $(BIN)/kibitz study love-letter --quick -o study"

# The table in the browser; Ctrl-C ends it.
serve: .venv/web
	@$(BIN)/kibitz serve

test: .venv/dev
	$(BIN)/pytest -n 2 --dist worksteal

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The docs as a site: docs/_build/html/index.html. A warning is an error.
docs: .venv/docs
	@mkdir -p docs/_build/pages
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -c docs/site docs/_build/pages docs/_build/html

# The last lines are whole games of Tablić, solved: about a quarter of an hour.
bench: .venv/bench
	$(BIN)/python benchmarks/run.py

# Break each rule in turn; lists the breaks that no test notices.
mutants: .venv/dev
	$(BIN)/python -m tests.mutants.run

clean:
	rm -rf .venv demo docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# What the package itself needs, and nothing else.
.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		(echo "Kibitz needs Python 3.11 or later; try make PYTHON=python3.12" && exit 1)
	@echo "Setting up .venv, once …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(INSTALL) -e .
	@touch $@

# And what one of these extras needs.
.venv/dev .venv/docs .venv/bench .venv/web: .venv/%: .venv/ready
	@$(INSTALL) -e '.[$*]'
	@touch $@
