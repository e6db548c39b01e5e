#!/bin/bash
# ipc_test.sh HARDCLOCK PROGRAM...: System V's IPC tells what the manual pages say (QEMU's user mode stores part
# of it elsewhere), and two runs of a program with semaphores and messages are the same to the cycle.
set -u
hardclock=$1
shift

expected="new: 0 0, times 0 0 1
place 0, used by 1 1, times 1 1 1
highest 0, queues 1 messages 1 bytes 3
most: bytes 8192 of 16384, queues 32000
copy: 3 -1 3
set of 2, times 0 1
set of 2, times 1 1
highest 0, sets 1 semaphores 2
most: sets 32000, of 32000, operations 500, value 32767
attached 1, by 1 of 1, times 1 0 1
detached by the end of 1, at 1
highest 0, segments 1, resident pages 1
mode 2600
IPC_SET -1 EPERM, for others -1 EACCES, to write -1 EACCES
shmat 0 EACCES, to read 1"
apart="
msgsnd 0
msgrcv 4 \"new\"
msgctl 0
semctl 5
semtimedop -1
shmat 1, shmctl 0, shmdt 0"

failures=0
fail() {
  echo "$1"
  failures=$((failures + 1))
}
run() {
  "$hardclock" run --timing=functional --stats="$TEST_TMPDIR/$2.json" "$1" >"$TEST_TMPDIR/$2" 2>"$TEST_TMPDIR/$2.errors"
}
for program in "$@"; do
  run "$program" first || fail "$program: status $?: $(cat "$TEST_TMPDIR/first.errors")"
  run "$program" second
  cmp "$TEST_TMPDIR/first" "$TEST_TMPDIR/second" || fail "$program: two runs print differently"
  cmp "$TEST_TMPDIR/first.json" "$TEST_TMPDIR/second.json" || fail "$program: two runs differ"
  case $program in
    *status_o32*) wanted=$expected$apart ;;
    *status_*) wanted=$expected ;;
    *) continue ;;
  esac
  [ "$(cat "$TEST_TMPDIR/first")" = "$wanted" ] || fail "$program: $(diff <(echo "$wanted") "$TEST_TMPDIR/first")"
done
exit $((failures > 0))
