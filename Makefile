# GNU make 3.81 and a POSIX sh are enough. Every target sets up what it needs in .venv (scripts/setup).
#   PYTHON=...       the interpreter to build .venv with
#   TORCH_INDEX=...  the package index to take torch from
#   JOBS=2           processes for the tests

SHELL = /bin/sh
BIN = .venv/bin
JOBS = 2
# One thread a process: the tests already use as many processes as there are cores.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/pytest -n $(JOBS) --dist loadfile

.PHONY: help prove test lint test-long test-peers test-browser bench site serve format wheel hooks core torch docs-tools clean

help:
	@echo 'make prove         replay every proof, then cross-check each statement with torch'
	@echo 'make test          format, lint and type checks, then the tests'
	@echo 'make test-long     the tests marked long (they use the package index)'
	@echo 'make test-peers    the audits of other libraries, in .venv-peers'
	@echo 'make test-browser  the tests that need a browser'
	@echo 'make site          build the site into site/, strictly'
	@echo 'make serve         build it and serve it on 127.0.0.1:8000'
	@echo 'make bench         measure the times that the project promises'
	@echo 'make lint          the format, lint and type checks alone'
	@echo 'make format        format and fix what can be fixed'
	@echo 'make wheel         build the wheel into dist/'
	@echo 'make hooks         run format and lint before every commit'
	@echo 'make clean         remove .venv and everything built'

core torch:
	@sh scripts/setup $@

# Proofs do not need torch: the first time they are replayed before it is downloaded.
prove: core
	@test -f .venv/stamp-torch || { echo '$(BIN)/proofgrad prove --no-crosscheck'; \
	    $(BIN)/proofgrad prove --no-crosscheck; }
	@sh scripts/setup torch
	$(BIN)/proofgrad prove

test: lint
	$(PYTEST)
	@echo 'Passed. Not run here: make test-long, make test-peers, make test-browser, make bench, make prove.'

lint: torch
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright
	$(BIN)/basedpyright -p pyrightconfig.kernel.json

# One test at a time to whichever process is free: most of these are in one file.
test-long: torch
	$(PYTEST) --dist worksteal -m long

# Functions of other libraries, called as their users call them, in an environment of their own.
test-peers: torch
	@sh scripts/peers
	OMP_NUM_THREADS=1 .venv-peers/bin/python -m pytest -m peers tests/numerics/audits

# They look at the site as it is built now, with the system's Chromium.
test-browser: docs-tools
	@$(BIN)/python -m tests.docs.chromium
	OMP_NUM_THREADS=1 $(BIN)/python -m docs.build
	OMP_NUM_THREADS=1 $(BIN)/pytest -m browser tests/docs

site: docs-tools
	OMP_NUM_THREADS=1 $(BIN)/python -m docs.build

serve: docs-tools
	OMP_NUM_THREADS=1 $(BIN)/python -m docs.build --serve

docs-tools:
	@sh scripts/setup docs

bench: torch
	$(BIN)/python -m tests.benchmarks

format: core
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

wheel: core
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist .
	@ls dist

hooks: core
	$(BIN)/pre-commit install

clean:
	rm -rf .venv dist build site .pytest_cache .ruff_cache .hypothesis .benchmarks
	find derivations numerics tests docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || :
