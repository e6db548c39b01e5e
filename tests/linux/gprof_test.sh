#!/bin/bash
# gprof_test.sh HARDCLOCK PROGRAM GPROF QEMU: what a program built with -pg wrote of itself, read by GNU's gprof of
# its processor: hot took three quarters of the time. QEMU's run of it, whose clock is the host's, has the same
# functions with the same numbers of calls.
set -u
hardclock=$PWD/$1 program=$PWD/$2 gprof=$3 qemu=$4
cd "$TEST_TMPDIR" || exit
fail() {
  echo "$*"
  cat flat
  exit 1
}

"$hardclock" run "$program" 2>errors || fail "status $?: $(cat errors)"
"$gprof" -b -p "$program" gmon.out >flat 2>&1 || fail "gprof: $?"
awk '$NF == "hot" && $1 > 70 && $1 < 80 && $4 == 400 { hot = 1 }
     $NF == "warm" && $1 > 20 && $1 < 30 && $4 == 400 { warm = 1 }
     END { exit !(hot && warm) }' flat || fail "hot is not 75 %, warm not 25 %, or not called 400 times"
calls() { "$gprof" -b -p "$program" gmon.out | awk '$NF == "hot" || $NF == "warm" { print $NF, $4 }' | sort; }
calls >found
"$qemu" "$program" || fail "$qemu: status $?"
calls >expected
diff -u expected found
