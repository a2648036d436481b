#!/bin/sh
# A chromium for the browser tests of the page: where there is none, Debian's, if we may install it.
# Ends well either way: without one the tests are skipped and say so.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "no chromium, and no right to install one: the browser tests are skipped (apt install chromium)"
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 ||
    echo "chromium could not be installed: the browser tests are skipped"
