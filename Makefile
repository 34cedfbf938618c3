# Each target sets up what it needs. The locks name every package with its hash and no address.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements.lock
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready

.PHONY: run play test proofs check torture mutants bench docs format lock clean

# A house to try, in house.db: everything is where it was when it is started again.
run: $(READY)
	@$(BIN)/aceking serve --demo --db sqlite:///house.db

play: $(READY)
	@$(BIN)/aceking play

# The plain tests: quick, and the same every time. ROOM=table runs those of one room, PROOFS=1 its proofs too.
ROOM ?=
PROOFS ?=
ifneq ($(ROOM),)
ifeq ($(wildcard tests/$(ROOM)/__init__.py),)
ROOMS := $(sort $(patsubst tests/%/,%,$(dir $(wildcard tests/*/test_*.py))))
$(error there is no room '$(ROOM)' in tests; choose one of: $(ROOMS))
endif
endif
test: $(READY) browser
	$(BIN)/python -m pytest $(if $(PROOFS),,-m "not proof") --durations 10 tests/$(ROOM)

# The second gear: what sleeps, kills, draws from the system, needs PostgreSQL, or proves a number in a second way.
proofs: $(READY) browser
	$(BIN)/python -m pytest -m proof --durations 10 tests/$(ROOM)

# The pages are tested in a real Chromium: Debian's, installed where we may, and said to be missing where we may not.
.PHONY: browser
browser: $(READY)
	@$(BIN)/python -m tests.pages.browser >/dev/null 2>&1 \
	  || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq chromium; } >/dev/null 2>&1 \
	  || sudo -n apt-get install -y -qq chromium >/dev/null 2>&1 \
	  || true
	@$(BIN)/python -m tests.pages.browser || true

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/aceking books lint
	$(BIN)/aceking books coverage

# A random walk with false reports, 200,000 steps in each book; it prints its seed. Then the simulator for MINUTES; the
# secrets test over 1,000 rounds; KILLS kills of real servers; every write failing, power lost, connections cut; DEALS
# deals; 10^9 rounds of each book.
MINUTES ?= 60
KILLS ?= 600
DEALS ?= 10000000
torture: $(READY)
	$(BIN)/python -m tests.torture --steps 1200000
	$(BIN)/python -m tests.house.simulator --minutes $(MINUTES)
	SECRET_ROUNDS=1000 $(BIN)/python -m pytest -n 0 -q tests/web/test_secrets.py
	$(BIN)/python -m tests.house.campaign --kills $(KILLS) --db all
	$(BIN)/python -m tests.house.campaign.writes
	$(BIN)/python -m tests.house.campaign.power
	$(BIN)/python -m tests.house.campaign.wire
	$(BIN)/python -m tests.house.campaign.wire --disk
	$(BIN)/python -m tests.house.campaign.wal
	$(BIN)/python -m tests.house.chance --deals $(DEALS)
	$(BIN)/python -m tests.simulation.torture --rounds 1000000000

# Small changes to books and code, sampled for ten minutes: which of them would no test notice? It prints its seed.
mutants: $(READY)
	$(BIN)/python -m mutants

# What is measured is the program as it is installed, with its bytecode; the last lines say which limits are met.
bench: $(READY) $(BENCH_READY)
	@$(BIN)/python -m compileall -q aceking && $(BIN)/python -m aceking.rules.reading.parse_cache
	$(BIN)/python -m benchmarks

# The pages of docs/reference that are made from types, one for each topic.
TOPICS := commands scenario sheet meter script acts mishaps book
docs: $(READY)
	@set -e; for topic in $(TOPICS); do $(BIN)/aceking reference $$topic --markdown > docs/reference/$$topic.md; done

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# uv installs in seconds; where it is not to be had, pip does the same from the same lock.
$(READY): $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "AceKing needs Python 3.11 or newer with venv: install it, or name it: make PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null; then \
	  $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r $(LOCK) \
	  && $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . ; \
	else \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK) \
	  && $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . ; \
	fi
	@$(BIN)/python -m compileall -q aceking && $(BIN)/python -m aceking.rules.reading.parse_cache  # or a start takes twice as long
	@touch $@

$(BENCH_READY): requirements-bench.lock $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@touch $@

# The third is for the image: what a house runs with and is built by, at the versions of the first.
lock: $(READY)
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
	  --python-version 3.11 --extra dev pyproject.toml -o $(LOCK)
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --upgrade \
	  --python-version 3.11 --extra dev --extra bench pyproject.toml -o requirements-bench.lock
	echo hatchling | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --python-version 3.11 --constraints $(LOCK) pyproject.toml - -o requirements-house.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
