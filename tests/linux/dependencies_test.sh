#!/bin/bash
# dependencies_test.sh HARDCLOCK SOURCE.s: --check=dependencies reports what the comments of an assembly program say,
# which GNU as confirms; and nothing of what a compiler made, if there is one for IA-64.
set -u
hardclock=$PWD/$1 source=$PWD/$2
if ! command -v ia64-linux-gnu-as >/dev/null; then
  echo "skipped: ia64-linux-gnu-as is missing; tools/install-deps brings it"
  exit 0
fi
cd "$TEST_TMPDIR" || exit
fail() {
  echo "$*"
  exit 1
}

# ---- The comments against as: the lines in which it says that an instruction violates a dependency, or may.
lines_with() { grep -n "$1" "$source" | cut -d: -f1 | sort; }
warned() {
  ia64-linux-gnu-as -xexplicit -o explicit.o "$source" 2>&1 |
    sed -nE "s/.*:([0-9]+): Warning: Use of '[^']*' ($1) .*/\1/p" | sort -u
}
lines_with '//! ' >reported
comm -23 reported <(lines_with 'as: silent') | comm -23 - <(warned 'violates|may violate') >unconfirmed
[[ -s unconfirmed ]] && fail "as does not warn of line $(cat unconfirmed)"
comm -23 <(warned violates) reported | comm -23 - <(lines_with 'as: static') >missing
[[ -s missing ]] && fail "as warns of line $(cat missing)"

# ---- The program.
ia64-linux-gnu-as -W -o program.o "$source" && ia64-linux-gnu-ld -o program program.o || fail "as or ld: $?"
"$hardclock" run --stats=plain.json program 2>plain ; [[ $? == 42 ]] || fail "without the check: $(cat plain)"
"$hardclock" run --stats=checked.json --check=dependencies program 2>lines
status=$?
[[ $status == 42 ]] || fail "status $status: $(cat lines)"
sed -nE 's,.*//! ([^/]*[^ /]).*,\1,p' "$source" | sed -E 's/ +as: .*//' >expected
sed -nE 's/^hardclock: 0x[0-9a-f]+ \(slot [012]\): (.*), which 0x[0-9a-f]+ \(slot [012]\) wrote in the same instruction group$/\1/p' \
  lines >found
diff -u expected found || fail "other dependencies than expected"
count=$(wc -l <expected)
[[ $(tail -n 1 lines) == "hardclock: --check: $count illegal dependencies within an instruction group" ]] ||
  fail "the last line: $(tail -n 1 lines)"
[[ $(wc -l <lines) == $((count + 1)) ]] || fail "more lines: $(cat lines)"
cmp plain.json checked.json || fail "the check has an influence on the program"
"$hardclock" run --check=nonsense program 2>lines
[[ $? == 125 && $(cat lines) == *"no such check; IA-64 has: engines, snapshots, dependencies" ]] || fail "--check=nonsense: $(cat lines)"
