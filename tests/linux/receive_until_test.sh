#!/bin/bash
# receive_until_test.sh HARDCLOCK PROGRAM...: each program says what recvmmsg(2) is documented to do with a
# time limit, and the same in a second run.
set -u
hardclock=$PWD/$1
shift

expected='none: -1, Resource temporarily unavailable, took the time, left all
one: 1, no error, took the time, left nothing
three: 3, no error, took no time, left some
two that come late: 2, no error, took the time, left nothing
no time: 1, no error, took no time, left all'

failures=0
for program in "$@"; do
  for _ in 1 2; do
    found=$("$hardclock" run -- "$program" </dev/null 2>/dev/null)
    if ! diff -u <(echo "$expected") <(echo "$found"); then
      echo "$program: not what was expected"
      failures=$((failures + 1))
    fi
  done
done
exit $((failures > 0))
