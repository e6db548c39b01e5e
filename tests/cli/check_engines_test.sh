#!/bin/bash
# check_engines_test.sh HARDCLOCK MIPS PA_RISC IA64: --check=engines finds nothing in real programs, and has no influence
# on them: with and without a machine's caches, with processes that fork and exec.
set -u
hardclock=$PWD/$1 mips=$PWD/$2 pa_risc=$PWD/$3 ia64=$PWD/$4
cd "$TEST_TMPDIR" || exit

# same OPTION... PROGRAM
same() {
  "$hardclock" run --stats=plain.json "$@" >plain 2>plain.lines </dev/null
  local plain=$?
  "$hardclock" run --stats=checked.json --check=engines --engine=translator,0 "$@" >checked 2>checked.lines </dev/null
  local status=$?
  [[ $status == "$plain" ]] && cmp plain checked && cmp plain.lines checked.lines && cmp plain.json checked.json && return
  echo "$*: status $status instead of $plain: $(cat checked.lines)"
  exit 1
}
same --max-cycles=1M "$mips"
same --max-cycles=1M --machine=indigo2-r4400 "$mips"
same --max-cycles=300k --machine=octane "$mips"
same --max-cycles=1M "$pa_risc"
same --max-cycles=300k --machine=c180 "$pa_risc"
same --max-cycles=500k "$ia64"
same --max-cycles=500k --machine=i2000 "$ia64"

"$hardclock" run --check=nonsense "$mips" 2>lines
[[ $? == 125 && $(cat lines) == *"no such check; MIPS has: engines, snapshots" ]] || { cat lines; exit 1; }
"$hardclock" run --check=engines --trace "$mips" 2>lines
[[ $? == 125 && $(cat lines) == *"--trace and --pipeline turn off; leave them out"* ]] || { cat lines; exit 1; }
