# Everything sets itself up in .venv; PYTHON may name another interpreter (3.11 or later).
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check bench mutants clean
.DELETE_ON_ERROR:

demo: .venv/ready
	@$(BIN)/kibitz compare love-letter flat-mc greedy random --pairs 2000 --seed 1
	@echo "A round of Love Letter, the first choice each time:"
	@yes 1 | head -n 4 | XDG_DATA_HOME=.venv/demo $(BIN)/kibitz play love-letter --seed 4
	@echo "Your turn: $(BIN)/kibitz play love-letter   or   $(BIN)/kibitz play tablic"

test: .venv/ready
	$(BIN)/pytest -n 2 --dist worksteal

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/bench
	$(BIN)/python benchmarks/run.py

# Break each rule in turn; lists the breaks that no test notices.
mutants: .venv/ready
	$(BIN)/python -m tests.mutants.run

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		(echo "Kibitz needs Python 3.11 or later; try make PYTHON=python3.12" && exit 1)
	@echo "Setting up .venv, once …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.venv/bench: .venv/ready
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@
