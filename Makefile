# Everything runs in a virtual environment made here; `make demo` and `make test` need nothing but Python and a C++ compiler.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(shell git ls-files cpp src pyproject.toml CMakeLists.txt 2>/dev/null)
NATIVE := $(shell git ls-files '*.cpp' '*.hpp' 2>/dev/null)
TIDY ?= $(shell git ls-files 'cpp/nonproj/*.cpp' 2>/dev/null)
MINUTES ?= 5
# Test functions may be untyped; what is typed has to check.
UNTYPED := --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls --no-warn-return-any
NEEDS_TORCH := torch/* neural/* parser/neural.py
INSTALL = $(BIN)/python .ci/install.py
# The module with what only the tests ask.
TESTED := -C cmake.define.NONPROJ_TESTING=ON

.PHONY: demo test lint unit extra test-web test-scale fuzz faults kills load tidy bench docs sanitize sanitize-threads clean

demo: $(VENV)/.installed
	@sh examples/demo.sh $(BIN)/nonproj

test: lint unit

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	$(BIN)/mypy --strict -p nonproj
	$(BIN)/mypy $(UNTYPED) --exclude tests/web/conftest.py tests
	$(BIN)/mypy $(UNTYPED) tests/web/conftest.py

unit: $(VENV)/.installed-test
	$(BIN)/python -m pytest tests
	$(BIN)/python -m pytest --doctest-modules --pyargs nonproj -p no:cacheprovider $(NEEDS_TORCH:%=--ignore-glob='*/nonproj/%')

# The tests of one extra, such as `make extra EXTRA=dask`; what is built stays.
extra: $(VENV)/.installed-test
	@$(INSTALL) --extra $(EXTRA)
	$(BIN)/python -m pytest tests/$(EXTRA)

# The page, in a browser where there is one or one can be installed.
test-web: $(VENV)/.installed-test
	@sh .ci/chromium.sh
	@$(INSTALL) --extra web browser
	$(BIN)/python -m pytest tests/web

# Fuzzers, and property tests on new examples, for MINUTES minutes; with MODE=release without sanitizers, and then also of TARGETS alone.
fuzz: $(VENV)/.installed-test
	$(BIN)/python tests/fuzz.py $(MINUTES) $(MODE) $(TARGETS)

# Every call of the system that fails, in turn, under eight commands; kills at MOMENTS moments.
faults: $(VENV)/.installed-test
	$(BIN)/python tests/faults.py

# Memory with 10^5 and 10^6 sentences.
load: $(VENV)/.installed-test
	$(BIN)/python tests/load.py

# The proof at scale, on a corpus of WORDS words drawn from the treebanks in NONPROJ_DATA; with the extra dask.
NONPROJ_DATA ?= ../shared/data
WORDS ?= 100000000
test-scale: $(VENV)/.installed-test
	@$(INSTALL) $(TESTED) ".[test,plot,dask]"
	$(BIN)/python tests/scale/proof.py $(NONPROJ_DATA) --words $(WORDS)

MOMENTS ?= 200
kills: $(VENV)/.installed-test
	$(BIN)/python tests/kills.py $(MOMENTS)

# TIDY may name a few of the core's files: all take some minutes.
tidy: $(VENV)/.installed-test
	printf '%s\n' $(TIDY) | xargs -P 2 -I FILE $(BIN)/clang-tidy --quiet FILE -- -std=c++20 -Icpp

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-test
	$(BIN)/python docs/generate.py

# AddressSanitizer and UBSan over the tests that reach the core; ThreadSanitizer over what runs on several threads.
sanitize:
	sh tests/sanitize.sh $(PYTHON) address

sanitize-threads:
	sh tests/sanitize.sh $(PYTHON) thread

clean:
	rm -rf build $(VENV) .venv-sanitize*

$(VENV)/bin/python:
	@echo "making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	@$(INSTALL) .
	@touch $@

$(VENV)/.installed-test: $(VENV)/bin/python $(SOURCES)
	@$(INSTALL) $(TESTED) ".[test,plot]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/bin/python $(SOURCES)
	@$(INSTALL) $(TESTED) ".[test,plot,bench]"
	@touch $@ $(VENV)/.installed
