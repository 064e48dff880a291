# Options go to the command: make run ARGS="--server.port 8600"
ARGS ?=
PYTHON ?= python3
PY := .venv/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

.PHONY: run test bench shots clean

run: .venv/.installed
	$(PY) -m streamlit run app.py $(ARGS)

test: .venv/.installed-dev
	$(PY) scripts/browser.py
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m pytest -n 3 --dist worksteal --cov $(ARGS)

bench: .venv/.installed-dev
	$(PY) -m benchmarks $(ARGS)

shots: .venv/.installed-dev
	$(PY) scripts/browser.py
	$(PY) scripts/shots.py $(ARGS)

clean:
	rm -rf .venv .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or newer is needed, and '$(PYTHON)' is not: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.installed: requirements.txt .venv/.created
	@echo "Installing what the app needs (once; this can take some minutes)"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/.installed-dev: requirements-dev.txt requirements-cluster.txt .venv/.installed
	@echo "Installing what the tests need"
	@$(PIP) -r requirements.txt -r requirements-dev.txt
	@touch $@
