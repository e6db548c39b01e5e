#!/bin/bash
# calls_test.sh HARDCLOCK PROGRAM GPROF QEMU: exact calls are those that GNU's -pg counts. PROGRAM was built with -pg,
# and its mcount() has noted who called which of its functions how often; hardclock, from outside, must have
# the same in the same form. Under QEMU the program's own numbers are the same.
set -u
hardclock=$PWD/$1 program=$PWD/$2 gprof=$3 qemu=$4
cd "$TEST_TMPDIR" || exit
fail() {
  echo "$*"
  exit 1
}

# Lines "CALLER CALLEE TIMES" of a gmon.out, among the program's own functions. In gprof's call graph those that called a
# function stand above it.
arcs() {
  "$gprof" -b -q "$program" "$1" | awk '
    function own(name) { return name ~ /^(main|fib|even|odd|deep|compare|handle|note|leave)$/ }
    function name_in(line) {
      sub(/ *\[[0-9]+\]$/, "", line)
      sub(/ <cycle [0-9]+>$/, "", line)
      sub(/.* /, "", line)
      return line
    }
    function times_in(line) { match(line, /[0-9]+(\/[0-9]+)? +[^ ]/); line = substr(line, RSTART); sub(/[^0-9].*/, "", line); return line }
    /^---/ { count = 0; above = 1; next }
    /^\[/ {
      for (i = 1; i <= count; ++i) if (own(callers[i]) && own(name_in($0))) print callers[i], name_in($0), times[i]
      above = 0
      next
    }
    above {
      callers[++count] = name_in($0)
      line = $0
      sub(/^ *([0-9]+\.[0-9]+ +[0-9]+\.[0-9]+ +)?(-nan +-nan +)?/, "", line)
      times[count] = times_in(line)
    }' | sort
}

"$hardclock" run --calls --profile=exact.gmon "$program" >out 2>errors || fail "status $?: $(cat errors)"
arcs gmon.out >counted
arcs exact.gmon >exact
diff -u counted exact || fail "exact calls differ from those that mcount() counted"
grep -qx 'fib fib 1972' exact || fail "fib(15) calls itself 1972 times, not as in: $(cat exact)"
grep -qx 'even odd 25' exact || fail "even(50) calls odd 25 times, not as in: $(cat exact)"
grep -qx 'handle note 25' exact || fail "the handler calls note 25 times, not as in: $(cat exact)"
[[ $(wc -l <exact) -ge 9 ]] || fail "too few calls: $(cat exact)"
"$qemu" "$program" >expected || fail "$qemu: status $?"
diff -u expected out || fail "the output is not QEMU's"
arcs gmon.out >of_qemu
diff -u of_qemu counted || fail "the program counts other calls than under QEMU"
