# Everything a newcomer types. `make help` explains; `make demo` and `make test` set up what they need by themselves.

PYTHON ?= python3
BOARD ?= fc7
PORT ?=
JOBS ?= 2
N ?= 100000
FIGURES ?=
PROOFS ?=

VENV := .venv
PY := $(VENV)/bin/python
PIT := $(VENV)/bin/pit
STAMP := $(VENV)/.firstcard-setup
# What set-up depends on: the pinned packages and the emulator's rebuilt inner loop.
SETUP_FROM := pyproject.toml $(wildcard tools/pit/emu/native*.py tools/pit/emu/*.pyx tools/pit/emu/*.pxi)

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint build flash bench-firmware prove mutants documents clean

help: ## this list
	@echo "firstcard: open casino-table firmware. Start with: make demo"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  BOARD=fc7 chooses the board, PORT=/dev/ttyACM0 the serial port, FIRSTCARD_UF2=file another MicroPython image."

setup: $(STAMP) ## make .venv with pit in it, fetch the MicroPython image, rebuild the emulator's inner loop
	@$(PY) -m pit.firmware

$(STAMP): $(SETUP_FROM)
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ": give another with PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@test -x $(PY) || { echo "setup: making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "setup: installing the pinned packages (a minute)"
	@$(PY) -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@echo "setup: rebuilding the emulator's inner loop in C (one to three minutes)"
	@$(PY) -m pit.emu.native
	@touch $@

demo: setup ## play one round on the emulated table and show it; picture in dist/first-card.svg
	@$(PIT) demo

lint: setup ## ruff over everything
	@$(PY) -m ruff check -q .

test: setup lint ## everything but the long proofs: lint, unit, scenario and emulator tests
	@$(PY) -m pytest -q -n $(JOBS)

build: setup ## dist/firstcard-BOARD.uf2: MicroPython and the application in one drag-and-drop file
	@$(PIT) build --board $(BOARD)

flash: build ## copy that file to a board in BOOTSEL mode (mounted as RPI-RP2)
	@$(PIT) flash --board $(BOARD) $(if $(PORT),--port $(PORT))

bench-firmware: setup ## figures of the firmware on the emulated board against their budgets; dist/bench.jsonl
	@$(PY) -m pit.bench $(FIGURES)

prove: setup ## the long proofs, resumable: clauses broken, scenarios on the board, rounds, model, fuzz, N=100000 edges; dist/prove.md
	@$(PY) -m pit.prove --edges $(N) --jobs $(JOBS) $(PROOFS)

mutants: setup ## break core and rules in N=200 places (N=all) chosen by SEED, and see the tests notice; dist/mutants.md
	@$(PY) -m pit.mutants -n $(if $(filter file,$(origin N)),200,$(N)) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY)) $(if $(SEED),--seed $(SEED))

documents: setup ## write anew what is generated: tables of PROTOCOL.md and boards/README.md, pictures, package.json
	@$(PY) -m pit.protocol
	@$(PY) -m pit.faults
	@$(PY) -m pit.wiring
	@$(PY) -m pit.keypadplan
	@$(PY) -m pit.bringup
	@$(PY) -m pit.package
	@$(PY) -m pit.console.picture
	@$(PY) -m pit.plaquesheet

clean: ## remove what was built (build/, dist/); .venv and .cache stay
	@rm -rf build dist
