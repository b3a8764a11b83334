# Everything here works in .venv, which tools/bootstrap.sh makes and keeps up to date.
# PYTHON=/path/to/python chooses the interpreter that .venv is made from.

.DEFAULT_GOAL := help
BIN := .venv/bin
CHECKS := check-lint check-docstrings check-prose check-format check-types check-imports check-proto check-csharp check-wheels check-workflows

# Tests run in one process more than there are cores, since many wait for others: four at most, and
# no more than have three gigabytes each. A process takes one when it has read the tests, and up to
# three in the end.
CORES = $(shell nproc 2>/dev/null || echo 2)
ROOM = $(shell awk '/^MemAvailable/ { print int($$2 / 3000000) }' /proc/meminfo 2>/dev/null)
WORKERS = $(shell most=$$(($(CORES) < 4 ? $(CORES) + 1 : 4)); room=$(or $(ROOM),4); \
	echo $$((room < 1 ? 1 : room < most ? room : most)))
PARALLEL = -n $(WORKERS) --dist worksteal

# Tests start thousands of processes, and each would compile every module that it loads.
unexport PYTHONDONTWRITEBYTECODE

# Sets what follows on the command line: make demo ARGS="--video none", make test ARGS="-k burr".
ARGS ?=

.PHONY: help
help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r name what; \
		do printf '  make %-14s  %s\n' "$$name" "$$what"; done

.PHONY: demo
demo: runtime ## Play real locks over gRPC: table, verdict, log, video and views
	@$(BIN)/luban demo $(ARGS)

# Minutes of one core that `make test` takes. Four are used at most.
TEST_MINUTES = 20
BUSY = $(shell echo $$(($(CORES) < 4 ? $(CORES) : 4)))
COMPILED = $(wildcard pysim/search/__pycache__/*.nbi)

.PHONY: test-length
test-length:
	@echo "The tests take about $$((($(TEST_MINUTES) + $(BUSY) - 1) / $(BUSY))) minutes on $(CORES)" \
		"cores$(if $(COMPILED),,, and a minute more this first time, when the solvers are compiled)."

.PHONY: test
test: test-length test-csharp ## Run the tests, but not the slow ones
	@$(BIN)/python -m pytest $(PARALLEL) -m "not slow" $(ARGS)

.PHONY: test-csharp
test-csharp: dev ## Test the C# of unity_project/ with Mono; says so where there is none
	@tools/bootstrap.sh csharp
	@tests/csharp/run.sh test || [ $$? -eq 3 ]

.PHONY: test-slow
test-slow: dev ## Run the slow tests
	@LUBAN_EXAMPLES=200 $(BIN)/python -m pytest $(PARALLEL) -m slow $(ARGS)

.PHONY: mutations
mutations: dev ## Break sixty lines one by one; the tests must notice (docs/mutations.md)
	@$(BIN)/python -m tools.mutations $(ARGS)

.PHONY: report-speed
report-speed: dev ## Measure all speeds beside peers, in hours, and write docs/results/speed.md; resumes
	@$(BIN)/python -m tools.report_speed $(ARGS)

.PHONY: soak
soak: dev ## Attack everything for half an hour; ARGS="--minutes 3" for less (docs/reliability.md)
	@$(BIN)/python -m tests.soak $(ARGS)

.PHONY: integrations
integrations: ## Install each package of integrations/ into an environment of its own, and test it
	@tools/integrations.sh

.PHONY: nightly
nightly: dev ## Run every test, and look for known holes in what is installed
	@$(BIN)/python tools/check_wheels.py --dev
	@$(BIN)/python -m tools.audit
	@LUBAN_EXAMPLES=200 $(BIN)/python -m pytest $(PARALLEL) $(ARGS)
	@$(MAKE) --no-print-directory integrations

.PHONY: nightly-debian
nightly-debian: ## Run make demo and make test in fresh Debians (as root; see the script)
	@tools/fresh_debian.sh

.PHONY: check
check: dev ## Lint, docstrings, formatting, types, layers, protocol and wheels; runs all, then fails if one did
	@$(MAKE) --no-print-directory --keep-going $(CHECKS)

.PHONY: $(CHECKS)
check-lint: dev
	@echo "== ruff check"
	@$(BIN)/ruff check .
check-docstrings: dev
	@echo "== first words of docstrings"
	@$(BIN)/python -m tools.check_docstrings
check-prose: dev
	@echo "== sentences of the documents"
	@$(BIN)/python -m tools.check_prose
check-format: dev
	@echo "== ruff format --check"
	@$(BIN)/ruff format --check .
check-types: dev
	@echo "== mypy --strict"
	@$(BIN)/mypy --strict
check-imports: dev
	@echo "== lint-imports"
	@$(BIN)/lint-imports --no-logo
check-proto: dev
	@echo "== buf lint"
	@$(BIN)/buf lint proto

check-csharp: dev
	@echo "== C#, against the engine's names, and stubs of it"
	@$(BIN)/python -m tools.unity_names
	@$(BIN)/python -m tools.unity_editor_only
	@$(BIN)/python -m tools.unity_settings
	@tests/csharp/run.sh types || [ $$? -eq 3 ]
check-wheels: dev
	@echo "== what make demo installs comes ready-made"
	@$(BIN)/python tools/check_wheels.py

check-workflows: dev
	@echo "== actionlint"
	@if command -v actionlint >/dev/null; then actionlint; else \
		echo "**** The workflows are checked by tests/test_workflows.py alone: actionlint is missing."; fi

.PHONY: check-unity
check-unity: dev ## Check C# and shaders against an Editor's: UNITY_ASSEMBLIES=DIR [CSC=ROSLYN]
	@tests/csharp/run.sh unity "$(UNITY_ASSEMBLIES)"
	@$(BIN)/python -m tools.unity_shaders "$(UNITY_ASSEMBLIES)" || [ $$? -eq 3 ]
	@tests/csharp/run.sh engine "$(UNITY_ASSEMBLIES)" || [ $$? -eq 3 ]
	@player=build/csharp/engine/luban-engine.x86_64; [ ! -e $$player ] || LUBAN_UNITY_PLAYER=$$player \
		$(BIN)/python -m pytest -q tests/unity/test_csharp_players.py tests/unity/test_families.py

.PHONY: lock
lock: dev ## Write what is installed with hashes into locks/; asks the index
	@$(BIN)/python -m tools.lock $(ARGS)

.PHONY: licences
licences: dev ## Write docs/licences.md
	@$(BIN)/python -m tools.licences

.PHONY: sbom
sbom: dev ## Write what is installed as a bill of materials, build/sbom.json (CycloneDX)
	@mkdir -p build
	@$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		--output-file build/sbom.json $(BIN)/python

.PHONY: site
site: ## Build the documents as a site, build/site
	@[ -x build/site-venv/bin/mkdocs ] || { python3 -m venv build/site-venv && \
		build/site-venv/bin/pip --disable-pip-version-check install --quiet "mkdocs-material>=9.7,<10"; }
	@NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build --quiet
	@echo "build/site/index.html"

.PHONY: proto
proto: dev ## Generate bridge/rpc/_pb from proto/
	@$(BIN)/python tools/gen_proto.py

.PHONY: runtime dev
runtime dev:
	@tools/bootstrap.sh $@

.PHONY: clean
clean: ## Remove .venv, caches and build outputs; runs/ stays
	@rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
