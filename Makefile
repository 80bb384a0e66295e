# One verb per habit, the same for people and CI. Needs Python 3.11 or later, git and make; the rest goes into .venv.
#
#   make try     install ork, unpack the intermediate pack into .try, check it, simulate it and run it
#   make test    lint, types, layer contracts and tests
#   make check   lint, types and layer contracts alone
#   make controlplane  build kube-apiserver, controller manager and etcd for the tests that use them (needs Go)
#   make faults  the operator under faults, in their long form: a hundred kills (needs make controlplane)
#   make bench   the figures, each as a ratio measured in one run
#   make docs    write the generated pages of docs/ and the JSON Schemas anew

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python, \
            $(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
VENV   := .venv
BIN    := $(abspath $(VENV))/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PACK   := .try/05-when-conditions/conditional-reconciliation

.PHONY: help try test check controlplane faults bench docs clean
help:
	@sed -n 's/^#   //p' Makefile

# `make try`: every step is shown with the command that makes it.
show = @printf '\n$$ %s\n' '$(2)'; cd $(1) && PATH="$(BIN):$$PATH" $(2)

try: $(VENV)/ork.stamp
	@rm -rf .try && mkdir .try
	$(call show,.try,ork init --pack intermediate)
	$(call show,$(PACK),ork validate)
	$(call show,$(PACK),ork simulate)
	$(call show,$(PACK),ork simulate -f simulate-gated.yaml --explain)
	@printf '\n'; cd $(PACK) && PATH="$(BIN):$$PATH" PYTHONPATH="$(CURDIR)" $(BIN)/python -m tests.tour .
	@printf '\nThe files are in %s. To have ork in your shell: . $(VENV)/bin/activate\n' '$(PACK)'

test: check
	$(BIN)/python -m pytest

check: $(VENV)/dev.stamp
	$(BIN)/ruff check ork tests
	$(BIN)/ruff format --check --quiet ork tests
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

controlplane:
	@tests/controlplane/build.sh

faults: $(VENV)/dev.stamp
	ORK_KILLS=100 $(BIN)/python -m pytest tests/integration/faults

bench: $(VENV)/dev.stamp
	$(BIN)/python -m tests.bench.run

docs: $(VENV)/dev.stamp
	$(BIN)/python -m tests.docs

clean:
	rm -rf $(VENV) .try .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# Stamps: nothing is installed twice, and a second call needs no network.
$(VENV)/bin/python:
	$(if $(PYTHON),,$(error ork needs Python 3.11 or later, and none was found; install it, or say where it is: make PYTHON=/path/to/python3))
	$(PYTHON) -m venv $(VENV)

$(VENV)/ork.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) pip hatchling editables
	$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/ork.stamp
	$(PIP) --group dev
	@touch $@
