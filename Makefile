# make run: the built-in pair, from nothing but Python, gcc and make. make help: the rest.

# The Python of the virtual environment; if empty, the first that suits.
PYTHON ?=
CORES  ?= $(shell nproc 2> /dev/null || getconf _NPROCESSORS_ONLN)
CONFIG ?= config/config.yaml
VENV   ?= .venv
MIRROR ?= ../shared/data
TEXTS   = $(addprefix $(MIRROR)/thesis/eng-deu/,eng_with_10k.txt deu_with_10k.txt)

# Else GNU make 3.81, that of macOS, looks for programs in the PATH that it was started with.
SHELL = /bin/bash
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

# The virtual environment has a stamp for each set of packages that has been installed into it; all but the
# first are named after their extra in pyproject.toml.
stamp = $(VENV)/$(1).installed
# What the default config needs.
needed = grid,eflomal

# A virtual environment works only where it was made; a copy of it would run the package of the other clone.
ifeq ($(filter clean help,$(MAKECMDGOALS)),)
moved := $(shell python=$$(sed -En "1,2s/^(.!|'''exec' \"?)([^\"]*python[^\" ]*).*/\2/p" "$(VENV)/bin/seggrid" 2> /dev/null); \
  [ -z "$$python" ] || [ "$${python%/*}" -ef "$(VENV)/bin" ] || echo yes)
ifneq ($(moved),)
$(error $(VENV) was made in another folder and works only there (remove $(VENV), then make installs it anew))
endif
endif

# Python compiles each module when it is first imported, and keeps it; compiling all, as pip does, takes as long as
# the rest.
unexport PYTHONDONTWRITEBYTECODE
define add
	@echo "installing into $(VENV): $(1)"
	@pip install --quiet --disable-pip-version-check --no-compile -c requirements.lock -e '.[$(1)]' || { \
	  echo "error: pip could not install these packages, see above (it needs the network, and room in $(VENV) and TMPDIR)" >&2; \
	  exit 1; }
endef

# The tests of a file share fixtures; the order is that of tests/conftest.py.
parallel = --dist loadfile --no-loadscope-reorder

.PHONY: run plan quick test check bench docs lock install clean help
.SECONDARY:

run: install ## Run the grid of CONFIG on CORES cores; print where the report is
	seggrid run $(CONFIG) --cores $(CORES)

plan: install ## Say what would run for CONFIG, and why
	seggrid plan $(CONFIG)

quick: $(call stamp,test) ## Lint, and run the tests of single modules
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-logo
	pytest -n 2 $(parallel) --tier quick

test: $(call stamp,test) ## Lint, and run the tests, but those of make check
	$(lint)
	pytest -n 2 $(parallel) --tier test

# Four processes for two cores: many of these tests wait, for Slurm or for a browser.
check: $(call stamp,check) ## Lint, and run every test; with PyTorch, and with Slurm, Chromium and corpora if they are here
	$(lint)
	pytest -n 4 $(parallel) --tier check

define lint
	ruff check .
	ruff format --check .
	snakefmt --check workflow src/seggrid/studies
	snakemake --lint
	mypy
	lint-imports --no-logo
endef

bench: $(call stamp,bench) ## Measure against peers, on the corpora in MIRROR (an hour; leave the machine alone)
	python benchmarks/bpe.py peers $(TEXTS)
	python benchmarks/bpe.py commands $(firstword $(TEXTS))
	python benchmarks/bpe.py growth $(firstword $(TEXTS))
	python benchmarks/segmenters.py $(firstword $(TEXTS))
	python benchmarks/external.py $(firstword $(TEXTS))
	python benchmarks/align.py peers $(TEXTS)
	python benchmarks/align.py quality $(TEXTS) $(MIRROR)/thesis/eng-deu/eng_deu.gold
	python benchmarks/align.py quality $(TEXTS) $(MIRROR)/thesis/eng-deu/eng_deu.gold --merges 0 1000 --seeds 1 --threads 1 \
		--aligners fast_align systran_align thot_fast_align gibbs eflomal thot_eflomal
	python benchmarks/align.py growth
	python benchmarks/align.py growth --aligners gibbs
	python benchmarks/workflow.py plan
	python benchmarks/workflow.py no-op
	python benchmarks/workflow.py run
	python benchmarks/workflow.py parts --whole

docs: $(call stamp,docs) ## Build the documentation of this version into site/, beside those of others
	python tools/site.py site

lock: $(call stamp,lock) ## Write requirements.lock anew, with the versions that it has where they still suit
	uv pip compile --quiet --universal --fork-strategy fewest --strip-extras --no-annotate --all-extras \
	  --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml > /dev/null

install: $(call stamp,run) ## Make the virtual environment, with what a run needs, in the versions of requirements.lock

$(call stamp,run): pyproject.toml requirements.lock
	@python=$$(tools/find_python.sh "$(PYTHON)") && $$python -m venv $(VENV)
	@pip install --quiet --disable-pip-version-check --no-compile --upgrade pip
	$(call add,$(needed))
	python -m seggrid.grid.run.warm
	@touch $@

$(VENV)/%.installed: $(call stamp,run)
	$(call add,$*)
	@touch $@

clean: ## Remove results and the virtual environment
	rm -rf results .snakemake site $(VENV)

help: ## Show this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile
