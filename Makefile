# Everything runs in a virtual environment made here; `make demo` and `make test` need nothing but Python and a C++ compiler.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(shell git ls-files cpp src pyproject.toml CMakeLists.txt 2>/dev/null)
NATIVE := $(shell git ls-files '*.cpp' '*.hpp' 2>/dev/null)

.PHONY: demo test lint unit bench docs sanitize clean

demo: $(VENV)/.installed
	@sh examples/demo.sh $(BIN)/nonproj

test: lint unit

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	$(BIN)/mypy --strict -p nonproj

unit: $(VENV)/.installed-test
	$(BIN)/python -m pytest tests
	$(BIN)/python -m pytest --doctest-modules --pyargs nonproj -p no:cacheprovider

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-test
	$(BIN)/python docs/generate.py

sanitize:
	sh tests/sanitize.sh $(PYTHON)

clean:
	rm -rf build $(VENV) .venv-sanitize

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet .
	@touch $@

$(VENV)/.installed-test: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet ".[test,plot]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet ".[test,plot,bench]"
	@touch $@ $(VENV)/.installed
