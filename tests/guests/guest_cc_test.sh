#!/bin/bash
# guest_cc_test.sh GUEST-CC HARDCLOCK: what tools/guest-cc makes is, byte for byte, what the rules of guest.bzl make of the same sources, for
# MIPS and as SOM for PA-RISC; a program of a reader's own runs; mistakes are told in one line and leave nothing.
set -u
guest_cc=$PWD/$1 hardclock=$PWD/$2 guests=$PWD/tests/guests
failures=0
fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
same() {  # EXPECTED ARGUMENT...
  local expected=$1
  shift
  "$guest_cc" "$@" -o "$TEST_TMPDIR/made" || fail "$*: status $?"
  cmp "$TEST_TMPDIR/made" "$expected" || fail "$* is not the same as $expected"
}
same "$guests/spin" tests/guests/spin.c
same "$guests/compute" tests/guests/compute.c
same "$guests/floats" --march=mips2 tests/guests/floats.c
same "$guests/forkprof" tests/guests/{forkprof,tap,profiling}.c

cd "$TEST_TMPDIR" || exit
cat >own.c <<'END'
#include <stdio.h>
int main(int argc, char** argv) {
  printf("%d %s\n", argc, argv[1]);
  return 7;
}
END
for options in "" "--march mips3" "--march=mips4 -O0 -g" "--os=hpux" "--os hpux --march 2.0" "--os=4.3bsd" "--os=v7"; do
  "$guest_cc" $options own.c -o own || fail "$options: status $?"
  system=$(sed -n 's/.*--os[= ]\([^ ]*\).*/\1/p' <<<"$options")
  out=$("$hardclock" run ${system:+--os=$system} ./own a)
  [[ $? == 7 && $out == "2 a" ]] || fail "the program made with '$options' prints $out"
done

refused() {  # WHAT IT SAYS, ARGUMENT...
  local says=$1
  shift
  "$guest_cc" "$@" >out 2>errors && fail "$* is not refused"
  [[ $(wc -l <errors) == 1 ]] && grep -q "$says" errors || fail "$*: says $(cat errors), not $says"
  [[ ! -e none ]] || fail "$*: leaves a file"
}
refused 'no FILE.c' -o none
refused 'where to?' own.c
refused 'cannot be read' missing.c -o none
refused 'neither a .c' own -o none
refused 'is not known' --wrong own.c -o none
refused 'no system' --os=plan9 own.c -o none
refused 'no system' --os=linux own.c -o none
refused 'MIPS is mips1' --march=2.0 own.c -o none
refused 'PA-RISC is' --os=hpux --march=mips1 own.c -o none
refused 'needs a file name' own.c -o
refused 'over a source' own.c -o own.c
echo 'int main(void) { return }' >wrong.c
"$guest_cc" wrong.c -o none 2>errors && fail "a syntax error is no error"
grep -q 'wrong.c:1' errors || fail "the compiler says $(cat errors)"
[[ ! -e none ]] || fail "a file is left of what does not compile"
exit $((failures != 0))
