#!/bin/bash
# check_snapshots_test.sh HARDCLOCK MIPS HPPA IA64 LINUX...: programs whose state is saved and loaded again and again print
# what they print without that, and end in the same way: with caches, out of order, with processes, pipes, sockets, signals,
# timers, semaphores and shared memory.
set -u
hardclock=$PWD/$1 mips=$PWD/$2 hppa=$PWD/$3 ia64=$PWD/$4
shift 4
programs=()
for program in "$@"; do programs+=("$PWD/$program"); done
cd "$TEST_TMPDIR" || exit

fail() {
  echo "$*: $(cat checked.lines)"
  exit 1
}

# same OPTION... PROGRAM
same() {
  rm -rf plain checked && mkdir plain checked
  (cd plain && "$hardclock" run "$@" >../plain.out 2>/dev/null </dev/null)
  local plain=$?
  (cd checked && "$hardclock" run --check=snapshots "$@" >../checked.out 2>../checked.lines </dev/null)
  [[ $? == "$plain" ]] || fail "$*: not status $plain"
  cmp plain.out checked.out || fail "$*"
  grep -q -- "--check: the state was saved and loaded [1-9][0-9]* times$" checked.lines || fail "$*"
}
same --max-cycles=5M --machine=indigo2-r4400 "$mips"
same --max-cycles=5M --machine=octane "$mips"
same --max-cycles=5M --machine=c180 "$hppa"
same --max-cycles=5M --machine=rx2600-900 "$ia64"
for program in "${programs[@]}"; do
  case $program in
    *inotify*) inotify=$program ;;
    *) same -- "$program" ;;
  esac
done

"$hardclock" run --check=snapshots "$inotify" >plain.out 2>checked.lines </dev/null
grep -q "times it could not be saved: an inotify(7)$" checked.lines || fail "$inotify"
"$hardclock" run --check=snapshots --max-cycles=1M --profile=profile.json "$mips" >plain.out 2>checked.lines
grep -q "loaded 0 times; [0-9]* times it could not be saved: a profile of cycles$" checked.lines || fail "a profile"
