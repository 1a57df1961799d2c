# All tasks of development. `make` alone lists the targets.
# PYTHON=python3.13 makes the environment with another Python. EVALIGN_COMPILE=never leaves the kernels uncompiled,
# EVALIGN_COMPILE=always stops if they cannot be compiled (setup.py).

PYTHON ?= python3
WORKERS ?= 2
VENV ?= .venv
DEMO := build/demo

PROGRAMS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(PROGRAMS)
PIP := -m pip --disable-pip-version-check -q
NEW_ENOUGH := $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "evalign needs Python 3.11 or later, \
  $(PYTHON) is " + sys.version.split()[0] + "; to choose another: make PYTHON=python3.13 demo")'
PYTEST := $(BIN)/python -m pytest -q
# Neighbouring tests stay in one worker, so that they share their fixtures.
SPREAD := -n $(WORKERS) --dist worksteal
COMPILED := $(BIN)/python -c 'import sys; from evalign.kernels import is_compiled; sys.exit(not is_compiled())'

# Stamp files: the locked environment is set up, the project is installed into it, its kernels are compiled in
# place. Only a kernel that changed is compiled again.
ENVIRONMENT := $(VENV)/.environment
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready
KERNELS := $(wildcard src/evalign/kernels/*_cy.py)

# The demo uses the whole environment if it has been set up, else a small one of its own.
DEMO_READY := $(DEMO)/.ready
DEMO_BIN := $(if $(wildcard $(READY)),$(BIN),$(DEMO)/$(PROGRAMS))

# If bytecode were not kept, every worker and every command that a test starts would compile the source again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-compiled test-plain test-slow test-all check coverage docs examples pictures bench house lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

$(ENVIRONMENT): requirements-dev.txt
	@echo "setting up $(VENV) with all that development needs: about three minutes"
	@$(NEW_ENOUGH)
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) install -r requirements-dev.txt
	@touch $@

$(INSTALLED): $(ENVIRONMENT) pyproject.toml setup.py src/evalign/__init__.py
	@EVALIGN_COMPILE=never $(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(READY): $(INSTALLED) $(KERNELS)
	@$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

setup: $(READY)  ## set up .venv with everything in it: three minutes

# Setuptools is installed first: an isolated build would also fetch Cython, which stays unused here.
$(DEMO_READY): pyproject.toml
	@echo "installing evalign and numpy into $(DEMO), nothing compiled: about 20 seconds"
	@$(NEW_ENOUGH)
	@$(PYTHON) -m venv $(DEMO)
	@$(DEMO)/$(PROGRAMS)/python $(PIP) install --no-compile --upgrade setuptools
	@EVALIGN_COMPILE=never $(DEMO)/$(PROGRAMS)/python $(PIP) install --no-build-isolation --editable .
	@touch $@

demo: $(if $(wildcard $(READY)),$(READY),$(DEMO_READY))  ## score the example files: 20 seconds, nothing compiled
	@echo '$$ evalign score examples/gold.conllu examples/system.txt'
	@$(DEMO_BIN)/evalign score examples/gold.conllu examples/system.txt

test: test-compiled test-plain  ## set up, then run the quick tests on both forms of the kernels: five minutes

test-compiled: $(READY)  ## quick tests, compiled kernels
	@if $(COMPILED); then \
	  echo "quick tests, compiled kernels: about three minutes on two cores"; $(PYTEST) $(SPREAD); \
	else \
	  echo "quick tests, compiled kernels: left out, the kernels are not compiled"; \
	fi

# The tests on compiled kernels have already tried laws at length, scored whole treebanks (`make test-slow` scores
# them on plain kernels too) and run the tests marked `once`, whose outcome the form of the kernels cannot change.
test-plain: $(READY)  ## quick tests, plain kernels
	@echo "quick tests, plain kernels: about two minutes on two cores"
	@if $(COMPILED); then \
	  EVALIGN_KERNELS=plain HYPOTHESIS_PROFILE=again $(PYTEST) $(SPREAD) -m 'not slow and not large and not once'; \
	else \
	  EVALIGN_KERNELS=plain $(PYTEST) $(SPREAD); \
	fi

test-slow: $(READY)  ## slow tests only
	@echo "slow tests"
	@$(PYTEST) -n $(WORKERS) --dist loadfile -m slow
	@if $(COMPILED); then \
	  echo "large tests, plain kernels"; \
	  EVALIGN_KERNELS=plain $(PYTEST) $(SPREAD) -m 'large and not slow and not once'; \
	fi

test-all: test test-slow  ## quick and slow tests

check: $(INSTALLED)  ## format, lint, types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

coverage: $(READY)  ## quick tests on plain kernels, with the lines they miss
	@EVALIGN_KERNELS=plain $(PYTEST) $(SPREAD) --cov

# Builds the site, with warnings as errors, and checks it. The examples in pages run with the slow tests.
docs: $(READY)  ## the documentation site, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@EVALIGN_SITE=build/site $(PYTEST) -p no:cacheprovider tests/test_site.py

examples: $(READY)  ## what commands print in the pages, written anew; read it before it goes in
	@$(BIN)/python -m tools.examples

pictures: $(READY)  ## the pictures of reports in docs/pictures, by a browser
	@$(BIN)/python -m tools.pictures

bench: $(READY)  ## time evalign against other scorers and against itself
	@$(BIN)/python -m bench

house: $(INSTALLED)  ## figures of the source: modules, imports past a face, what a score enters
	@$(BIN)/python -m tools.house

lock:  ## requirements-dev.txt from requirements-dev.in, for every supported Python
	@$(PYTHON) -m venv build/lock
	@build/lock/$(PROGRAMS)/python $(PIP) install uv
	@build/lock/$(PROGRAMS)/uv pip compile -q --universal --upgrade --python-version 3.11 \
	  --custom-compile-command 'make lock' requirements-dev.in -o requirements-dev.txt

clean:  ## remove all that make made
	rm -rf $(VENV) build dist src/evalign.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	rm -f src/evalign/kernels/*_cy.c src/evalign/kernels/*.so src/evalign/kernels/*.pyd
	find src tests bench tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
