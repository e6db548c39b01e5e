#!/bin/bash
# threads_test.sh HARDCLOCK PROGRAM...: robust locks do what pthread_mutexattr_setrobust(3) says, and
# two runs of a program with threads are the same to the cycle.
set -u
hardclock=$1
shift

expected="from a thread: EOWNERDEAD
consistent 0, unlocked 0
from a process: EOWNERDEAD
consistent 0, unlocked 0"

failures=0
fail() {
  echo "$1"
  failures=$((failures + 1))
}
run() {
  "$hardclock" run --timing=functional --stats="$TEST_TMPDIR/$2.json" "$1" >"$TEST_TMPDIR/$2" 2>&1
}
for program in "$@"; do
  run "$program" first || fail "$program: status $?: $(cat "$TEST_TMPDIR/first")"
  run "$program" second
  cmp "$TEST_TMPDIR/first" "$TEST_TMPDIR/second" || fail "$program: two runs print differently"
  cmp "$TEST_TMPDIR/first.json" "$TEST_TMPDIR/second.json" || fail "$program: two runs differ"
  case $program in
    *robust_*) [ "$(cat "$TEST_TMPDIR/first")" = "$expected" ] || fail "$program: $(cat "$TEST_TMPDIR/first")" ;;
  esac
done
exit $((failures > 0))
