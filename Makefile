# Options go to the command: make run ARGS="--port 8600"
ARGS ?=
MYPY ?=
PYTHON ?= python3
PY := .venv/bin/python
# Compiled modules are kept, whatever the shell says: every worker and test server starts from them.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# A file is tested by one process, so what its tests share is made once.
TESTS := $(PY) -m pytest --dist loadfile --no-loadscope-reorder
# One lock for every system and for every Python from 3.11 on, every file with its hash.
LOCK := $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"

.PHONY: run class test browser suite proofs coverage check lint docs bench shots pack record lock clean

run: .venv/.installed
	$(PY) -m rtp app $(ARGS)

# For a class: listens on the network and shows the address to open.
class: .venv/.installed
	$(PY) -m rtp app --class $(ARGS)

# Linters and tests side by side; what each prints comes in one piece. mypy gives up on helpers of its own that a
# busy machine does not start within 3 s, so beside the tests it has none.
test: .venv/.installed-dev
	$(PY) scripts/browser.py
	@$(MAKE) --no-print-directory -j 3 --output-sync=target MYPY="--num-workers 0" lint browser suite

# All walks share one server and one window.
browser: .venv/.installed-dev
	$(PY) -m pytest -m "not long" tests/browser $(ARGS)

suite: .venv/.installed-dev
	$(TESTS) -n 2 -m "not long" --ignore tests/browser $(ARGS)

# What proves more and takes longer (CONTRIBUTING says which): the long tests, and all that hypothesis tries, more
# often.
proofs: .venv/.installed-dev .venv/.installed-docs
	$(PY) scripts/browser.py
	$(TESTS) -n 2 -m "long or hypothesis" --hypothesis-profile proofs $(ARGS)

# How much of the lab the tests of `make test` reach without a browser.
coverage: .venv/.installed-dev
	$(TESTS) -n 2 -m "not long" --ignore tests/browser --cov --cov-report= $(ARGS)
	$(PY) -m coverage report --skip-covered --include 'rtp/*' --fail-under 95
	$(PY) -m coverage report --skip-covered --include 'app.py,pages/*' --fail-under 90

# What to run while working: under a minute on two cores.
check: lint
	$(TESTS) -n 2 -m "not slow and not long" --ignore tests/browser --ignore tests/pages $(ARGS)

lint: .venv/.installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy $(MYPY)

# The site of the guides, the mathematics and the library: build/site/index.html. A warning fails it.
docs: .venv/.installed-docs
	$(PY) -m sphinx --fail-on-warning --keep-going --quiet -d build/doctrees docs build/site $(ARGS)

bench: .venv/.installed-dev
	$(PY) -m benchmarks $(ARGS)

shots: .venv/.installed-dev
	$(PY) scripts/browser.py
	$(PY) scripts/shots.py $(ARGS)

# For a teacher: slides and a handout, as PDF and PowerPoint, the numbers to expect, a round to open: build/pack.
pack: .venv/.installed-pack
	$(PY) scripts/browser.py
	$(PY) -m scripts.pack

# After a change that is meant to move words of a screen or recorded numbers: writes them anew, prints what changed.
record: .venv/.installed-dev
	$(PY) -m tests.help.record

# After a change of requirements*.txt. ARGS="--upgrade" also renews what nobody pins.
lock: .venv/.created
	@$(PIP) uv==0.13.7
	$(LOCK) $(ARGS) requirements.txt --output-file requirements.lock
	$(LOCK) $(ARGS) requirements-dev.txt --constraints requirements.lock --output-file requirements-dev.lock
	$(LOCK) $(ARGS) requirements-pack.txt --constraints requirements-dev.lock --output-file requirements-pack.lock
	$(LOCK) $(ARGS) requirements-docs.txt --constraints requirements-dev.lock --output-file requirements-docs.lock

clean:
	rm -rf .venv build *.egg-info .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Python 3.11 or newer is needed, and '$(PYTHON)' is not: try make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

# The locks are whole: nothing is looked up beside them, so that no later release of a package changes or breaks this.
.venv/.installed: requirements.lock .venv/.created
	@echo "Installing what the app needs (once; this can take some minutes)"
	@$(PIP) --require-hashes --no-deps -r requirements.lock
	@touch $@

.venv/.installed-dev: requirements-dev.lock .venv/.installed
	@echo "Installing what the tests need"
	@$(PIP) --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

.venv/.installed-pack: requirements-pack.lock .venv/.installed-dev
	@echo "Installing what presentations are written with"
	@$(PIP) --require-hashes --no-deps -r requirements-pack.lock
	@touch $@

.venv/.installed-docs: requirements-docs.lock .venv/.installed
	@echo "Installing what the site is made with"
	@$(PIP) --require-hashes --no-deps -r requirements-docs.lock
	@touch $@
