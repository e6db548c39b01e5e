#!/bin/bash
# built_test.sh BUILD BUILT...: the committed files are what their sources build, those of the formats
# that have a compiler here. A different compiler version makes different code; only 12.2.0 must agree.
set -eu
build=$1
shift
PATH=$PATH:/opt/hpux/bin
declare -A compilers=([som]=hppa-linux-gnu-gcc [pa20_64]=hppa64-hp-hpux11.11-gcc [hpux32]=ia64-hp-hpux11.31-gcc [hpux64]=ia64-hp-hpux11.31-gcc)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for format in som pa20_64 hpux32 hpux64; do
  version=$("${compilers[$format]}" -dumpfullversion 2>/dev/null || echo absent)
  if [[ $version != 12.2.0 ]]; then
    echo "skipped: $format: ${compilers[$format]} is $version, not 12.2.0"
    continue
  fi
  "$build" "$made" $format
  count=0
  for file in "$@"; do
    [[ $file == */$format/* ]] || continue
    # build.sh has said why it made neither.
    [[ $file != */lib[cm].* || -e $made/$format/$(basename "$file") ]] || continue
    cmp "$file" "$made/$format/$(basename "$file")"
    count=$((count + 1))
  done
  [[ $(ls "$made/$format" | wc -l) == "$count" ]] || { echo "other files are built: $(ls "$made/$format")"; exit 1; }
done
