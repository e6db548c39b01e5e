#!/bin/bash
# as_expected_test.sh HARDCLOCK EXPECTED PROGRAM...: programs that QEMU cannot run print what Linux would let them print,
# with hot code translated and without. They get their own paths as they are.
set -u
hardclock=$1
expected=$2
shift 2

failures=0
for program in "$@"; do
  for engine in translator interpreter; do
    output=$TEST_TMPDIR/$(basename "$program").$engine
    "$hardclock" run --timing=functional --engine=$engine "$program" >"$output" 2>&1 || {
      echo "$program: status $?"
      failures=$((failures + 1))
    }
    diff "$expected" "$output" || {
      echo "$program, --engine=$engine: the lines with > are its"
      failures=$((failures + 1))
    }
  done
done
exit $((failures > 0))
