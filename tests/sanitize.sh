#!/bin/sh
# Builds the native core with sanitizers, assertions on, and runs the tests that reach it.
#   sh tests/sanitize.sh [PYTHON] [address | thread] [PYTEST ARGUMENTS...]
# address: AddressSanitizer and UBSan, over every room that the core does the work of. thread: ThreadSanitizer, over what
# runs on several threads. Clang compiles the charts in half of GCC's time; CXX chooses another compiler.
set -eu
cd "$(dirname "$0")/.."
python=${1:-python3}
kind=${2:-address}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
if [ -z "${CXX:-}" ]; then
    CXX=g++
    for found in clang++ clang++-19; do
        command -v $found > /dev/null && CXX=$found
    done
fi
export CXX
venv=.venv-sanitize-$kind
[ -x $venv/bin/python ] || "$python" -m venv $venv
$venv/bin/pip install --quiet --config-settings=cmake.define.NONPROJ_SANITIZE=$kind \
    --config-settings=cmake.build-type=Debug --config-settings=install.strip=false --config-settings=build-dir=build/sanitize-$kind ".[test,plot]"

# The sanitizer has to be loaded before Python.
case $kind in address) names="asan ubsan" ;; thread) names=tsan ;; esac
if "$CXX" --version | grep -q clang; then
    LD_PRELOAD=$("$CXX" -print-file-name=libclang_rt.${names% *}-$(uname -m).so)
    [ -e "$LD_PRELOAD" ] || LD_PRELOAD=$("$CXX" -print-file-name=libclang_rt.${names% *}.so)
else
    LD_PRELOAD=$(for name in $names; do printf '%s ' "$("$CXX" -print-file-name=lib$name.so)"; done)
fi
# Python itself leaks on purpose at exit, so leaks are not looked for; every invalid access, overflow or race is fatal.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1:exitcode=66
export NONPROJ_PROFILE=sanitize
if [ $# -gt 0 ]; then
    LD_PRELOAD="$LD_PRELOAD" $venv/bin/python -m pytest -p no:cacheprovider --capture=sys "$@"
elif [ $kind = thread ]; then
    LD_PRELOAD="$LD_PRELOAD" $venv/bin/python -m pytest -p no:cacheprovider --capture=sys tests/native/test_threads.py
else
    # A file at a time, on every processor, the largest first: a finding ends the process, and so the tests of its file.
    # Left out are tests of what is in Python alone, one that builds the core again, and those that take minutes here
    # without going where others do not: censuses of 8 words and sums over two gaps of long sentences.
    find tests/decode tests/native tests/parser tests/text tests/transition tests/trees tests/treebank tests/lifting \
        tests/grammar tests/report tests/test_hostile.py -name 'test_*.py' |
        grep -vE 'test_(core|tables|chance|causes|states|punctuation|queries|writing|conversions|columns|decode_cli|real_treebanks|structural|grammar_files).py' |
        xargs wc -c | sort -rn | awk '$2 != "total" { print $2 }' |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -I FILE sh -c \
            'LD_PRELOAD="$1" "$2" -m pytest -q -p no:cacheprovider --capture=sys "$3" -k "$4" ||
                [ $? -eq 5 ] || { echo "failed: $3"; exit 1; }' sh "$LD_PRELOAD" $venv/bin/python FILE \
            'not (links_the_core or agree_with_a_census or strongly_ill_nested or far_apart or (large_scores and WG3))'
fi
