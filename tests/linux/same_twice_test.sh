#!/bin/bash
# same_twice_test.sh HARDCLOCK PROGRAM...: two runs of a program print the same and are the same to the
# cycle.
set -u
hardclock=$PWD/$1
shift

failures=0
for program in "$@"; do
  for run in first second; do
    mkdir "$TEST_TMPDIR/work"
    cp "$program" "$TEST_TMPDIR/work/program"
    (
      cd "$TEST_TMPDIR/work" || exit
      "$hardclock" run --timing=functional --stats="../$run.json" -- ./program >"../$run.out" 2>&1
      echo "status $?" >>"../$run.out"
    )
    rm -r "${TEST_TMPDIR:?}/work"
  done
  if ! grep -q '^status 0$' "$TEST_TMPDIR/first.out"; then
    cat "$TEST_TMPDIR/first.out"
    failures=$((failures + 1))
  fi
  for file in out json; do
    if ! diff "$TEST_TMPDIR/first.$file" "$TEST_TMPDIR/second.$file"; then
      echo "$program: two runs differ"
      failures=$((failures + 1))
    fi
  done
done
exit $((failures > 0))
