#!/bin/sh
# The main job on the sample treebank that comes with nonproj: coverage, an explanation, a drawing.
#   sh examples/demo.sh [NONPROJ]
set -eu
nonproj=${1:-nonproj}
run() {
    printf '\n$ nonproj %s\n\n' "$*"
    "$nonproj" "$@"
}
run coverage --sample
run explain --sample -s en-hearing -c Pr,1EC,WG1,MH4
run draw --sample -s nl-cross-serial
printf "\nAll of it in the browser, step by step: pip install 'nonproj[web]' && nonproj serve --sample\n"
