#!/bin/sh
# Builds the native core with AddressSanitizer and UBSan, assertions on, and runs the tests against it.
#   sh tests/sanitize.sh [PYTHON] [PYTEST ARGUMENTS...]
set -eu
cd "$(dirname "$0")/.."
python=${1:-python3}
[ $# -gt 0 ] && shift
venv=.venv-sanitize
[ -x $venv/bin/python ] || "$python" -m venv $venv
$venv/bin/pip install --quiet --config-settings=cmake.define.NONPROJ_SANITIZE=ON \
    --config-settings=install.strip=false --config-settings=build-dir=build/sanitize ".[test,plot]"
if [ $# -eq 0 ]; then
    # The reader on mutated texts, by itself.
    fuzzer=build/sanitize/fuzz_conll
    ${CXX:-g++} -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Icpp \
        tests/native/fuzz_conll.cpp cpp/nonproj/conll/*.cpp cpp/nonproj/learn/corpus.cpp cpp/nonproj/tree/fault.cpp \
        -o $fuzzer
    $fuzzer
    set -- tests
fi
# Python itself leaks on purpose at exit, so leaks are not looked for; every invalid access or overflow is fatal.
export LD_PRELOAD="$(${CXX:-g++} -print-file-name=libasan.so) $(${CXX:-g++} -print-file-name=libubsan.so)"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
$venv/bin/python -m pytest -p no:cacheprovider --capture=sys "$@"
