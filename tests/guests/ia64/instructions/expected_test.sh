#!/bin/bash
# Each program prints what expected/PROGRAM.txt says; each program of faults.s ends as expected/faults.txt
# says. Where these come from is in README.md.
set -u
hardclock=$1
cd tests/guests/ia64/instructions || exit 1
hardclock=../../../../$hardclock
failures=0

for expected in expected/*.txt; do
  program=$(basename "$expected" .txt)
  [[ $program == faults ]] && continue
  if ! diff -u "$expected" <("$hardclock" run "./$program"); then
    echo "$program differs from $expected"
    failures=$((failures + 1))
  fi
done

while read -r case status _; do
  [[ $case == '#' ]] && continue
  "$hardclock" run "./fault$case" >/dev/null 2>&1
  ended=$?
  if [[ $ended != "$status" ]]; then
    echo "fault$case ends with $ended, not $status"
    failures=$((failures + 1))
  fi
done <expected/faults.txt
exit $((failures > 0))
