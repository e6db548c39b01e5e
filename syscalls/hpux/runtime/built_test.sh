#!/bin/bash
# built_test.sh BUILD BUILT...: the committed files are what their sources build.
# A different compiler version makes different code; only Debian 12's 12.2.0 must agree.
set -eu
version=$(hppa-linux-gnu-gcc -dumpfullversion)
if [[ $version != 12.2.0 ]]; then
  echo "skipped: hppa-linux-gnu-gcc is $version, not 12.2.0"
  exit 0
fi
build=$1
shift
made=$(mktemp -d)
"$build" "$made"
for file in "$@"; do
  cmp "$file" "$made/$(basename "$file")"
done
[[ $(ls "$made" | wc -l) == $# ]] || { echo "other files are built: $(ls "$made")"; exit 1; }
