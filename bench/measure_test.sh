#!/bin/bash
# What bench/measure prints: rows with figures, rows that say what they lack, and mistakes.
set -u
measure=$1
unset HARDCLOCK_IDO HARDCLOCK_SOURCES HARDCLOCK_HELLO HARDCLOCK_CC1 HARDCLOCK_QEMU_IRIX
export HARDCLOCK_SKI="$TEST_TMPDIR/ski"
printf '#!/bin/sh\nexit 0\n' >"$HARDCLOCK_SKI"
chmod +x "$HARDCLOCK_SKI"
failures=0

# expect STATUS PATTERN ARGUMENT...: the pattern is grep's -E, of standard output and standard error.
expect() {
  local wanted=$1 pattern=$2 got=0 said
  shift 2
  said=$("$measure" --programs . --runs 1 "$@" 2>&1) || got=$?
  if [[ $got != "$wanted" ]] || ! grep -qE -e "$pattern" <<<"$said"; then
    printf 'bench/measure %s: status %s instead of %s, or no line with %s:\n%s\n' "$*" "$got" "$wanted" "$pattern" "$said"
    failures=$((failures + 1))
  fi
}

number='[0-9]+\.[0-9]+'
expect 0 "^\| 33,000 basic blocks, r4400 \| qemu-mips \| $number \| $number \| $number \[$number\.\.$number\] \|" blocks
expect 0 "^\| IA-64, sort, rx2600-900 \| Ski \| $number \| $number \|" sort
expect 0 "^\| integer loop, --pipeline .* \| hardclock \| $number \| $number \|" pipeline
expect 0 "^\| fork and exec .* \| - \| - \| $number \| $number \[.*\] ms \|" "fork and exec"
expect 0 "^\| hello on .* \| no .*; set HARDCLOCK_(QEMU_IRIX|IDO|HELLO) \| 9 \|" "libc, resident"
expect 1 "no such row; bench/rows.tsv" nothing-has-this-name
expect 2 "--runs: a number from 1 on" --runs 0
expect 2 "no .*/absent; run 'bazel build //bench:programs'" --hardclock absent
HARDCLOCK_SKI=false expect 1 "failed: false .*: status 1" calls
exit $((failures != 0))
