#!/bin/bash
# same_as_qemu_test.sh HARDCLOCK ABI PROGRAM...: each program prints the same and ends in the same way under
# QEMU's user mode emulation and under hardclock, which finds out by itself that it is for Linux.
set -u
hardclock=$PWD/$1
# The processor that QEMU takes for n32 and n64, 5KEf, loses what is written to FCSR.
case $2 in
  o32) emulator=(qemu-mips) ;;
  o32el) emulator=(qemu-mipsel) ;;
  n32) emulator=(qemu-mipsn32 -cpu MIPS64R2-generic) ;;
  n32el) emulator=(qemu-mipsn32el -cpu MIPS64R2-generic) ;;
  n64) emulator=(qemu-mips64 -cpu MIPS64R2-generic) ;;
  n64el) emulator=(qemu-mips64el -cpu MIPS64R2-generic) ;;
  hppa) emulator=(qemu-hppa) ;;
esac
shift 2

# A superuser's programs do without the privilege that no permission holds for them.
as_user=()
unprivileged=(setpriv --bounding-set=-dac_override,-dac_read_search)
if [ "$(id -u)" = 0 ] && "${unprivileged[@]}" true 2>/dev/null; then as_user=("${unprivileged[@]}"); fi

# A guest's nice value is 0 at its start; QEMU shows the host's.
renice -n 0 -p $$ >/dev/null 2>&1
own_nice=$(nice)

failures=0
for program in "$@"; do
  if [ "$own_nice" != 0 ] && [[ $program == *priorities* ]]; then
    echo "$program: skipped, as this test itself runs at nice value $own_nice"
    continue
  fi
  folder=$(mktemp -d "$TEST_TMPDIR/run.XXXXXX")
  mkdir "$folder/qemu" "$folder/hardclock"
  cp "$program" "$folder/qemu/program"
  cp "$program" "$folder/hardclock/program"
  (
    cd "$folder/qemu" || exit
    # As Linux has them by itself: QEMU passes on those that it finds.
    ulimit -Sn 1024
    ulimit -Hn 4096
    "${as_user[@]}" env -i GUEST=1 "${emulator[@]}" ./program one "two words" </dev/null >../expected 2>../expected.errors
    echo "status $?" >>../expected
  ) 2>/dev/null
  (
    cd "$folder/hardclock" || exit
    "${as_user[@]}" "$hardclock" run --env GUEST=1 -- ./program one "two words" </dev/null >../found 2>../found.errors
    echo "status $?" >>../found
  )
  if ! diff -u "$folder/expected" "$folder/found"; then
    echo "$program: hardclock's output differs from that of ${emulator[*]}"
    cat "$folder/found.errors"
    failures=$((failures + 1))
  fi
done
exit $((failures > 0))
