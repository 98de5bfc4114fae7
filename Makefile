# make run: the built-in pair, from nothing but Python, gcc, make and git. make help: the rest.

PYTHON ?= python3
CORES  ?= $(shell nproc)
CONFIG ?= config/config.yaml
VENV   ?= .venv
MIRROR ?= ../shared/data
TEXTS   = $(addprefix $(MIRROR)/thesis/eng-deu/,eng_with_10k.txt deu_with_10k.txt)

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.PHONY: run plan test bench docs install clean help

run: install ## Run the grid of CONFIG on CORES cores; the report is results/report.html
	snakemake --cores $(CORES) --configfile $(CONFIG) --logger seggrid
	@echo "Scores: results/scores.csv   Report: results/report.html"

plan: install ## Say what would run for CONFIG, and why
	python workflow/scripts/plan.py --configfile $(CONFIG)

test: install ## Lint, check formats, run every test
	ruff check .
	ruff format --check .
	snakefmt --check workflow
	snakemake --lint
	lint-imports --no-logo
	pytest -n 2 --dist loadgroup

bench: install ## Measure against peers, on the corpora in MIRROR (an hour; leave the machine alone)
	python benchmarks/bpe.py peers $(TEXTS)
	python benchmarks/bpe.py cold $(TEXTS)
	python benchmarks/bpe.py growth $(firstword $(TEXTS))
	python benchmarks/external.py $(firstword $(TEXTS))
	python benchmarks/byte_bpe.py $(firstword $(TEXTS))
	python benchmarks/align.py peers $(TEXTS)
	python benchmarks/align.py quality $(TEXTS) $(MIRROR)/thesis/eng-deu/eng_deu.gold
	python benchmarks/align.py growth
	python benchmarks/align.py growth --aligner gibbs
	python benchmarks/parts.py --whole
	python benchmarks/knockout.py $(MIRROR)
	python benchmarks/report.py
	python benchmarks/workflow.py

docs: install ## Build the documentation site into site/
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet

install: $(VENV)/installed ## Make the virtual environment, with the versions of requirements.lock

$(VENV)/installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	pip install --quiet --upgrade pip
	pip install --quiet -c requirements.lock -e '.[test,bench,eflomal,thot,tokenizers,cluster,docs]'
	python -m seggrid.workflow.run.warm
	touch $@

clean: ## Remove results and the virtual environment
	rm -rf results .snakemake site $(VENV)

help: ## Show this
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile
