#!/bin/bash
# call_paths_test.sh HARDCLOCK ABI: exact calls are the same on each engine, byte for byte, and as the programs' sources
# say, for programs that leave many calls from another stack, and whose code comes and goes.
set -u
hardclock=$PWD/$1 abi=$2 programs=$PWD/tests/linux
cd "$TEST_TMPDIR" || exit
fail() {
  echo "$*"
  exit 1
}
profile() {  # PROGRAM OUTPUT
  for engine in interpreter translator translator,0; do
    "$hardclock" run --engine=$engine --calls --profile=$engine.json "$programs/$1_$abi" >out 2>errors ||
      fail "$1: status $?: $(cat errors)"
    [[ $(cat out) == "$2" ]] || fail "$1 prints $(cat out), not $2"
    cmp interpreter.json $engine.json || fail "$1: $engine has other calls"
  done
  "$hardclock" report interpreter.json "$programs/$1_$abi" --format=folded >folded || fail "$1: no paths"
}

profile other_stack 50
[[ $(grep -c ';after ' folded) == 1 ]] && grep -q ';main;after ' folded ||
  fail "after() is not called by main alone: $(grep ';after ' folded)"
grep ';handle' folded | grep ';main;.*;main' && fail "main is called by the handler"
# 50 times 201 calls, all but the outermost in one place.
python3 - <<'END' || fail "deep() is not called 10050 times"
import json
calls = {}
for parent, function, times, cycles, ticks in json.load(open("interpreter.json"))["processes"][0]["call_tree"]:
    calls.setdefault(function, []).append(times)
exit(not any(sorted(each) == [50, 10000] for each in calls.values()))
END
[[ $abi == o32 ]] || exit 0
profile mapped_code 1001001
