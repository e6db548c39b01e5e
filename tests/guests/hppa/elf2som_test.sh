#!/bin/bash
# elf2som_test.sh ELF2SOM ELF SOM MIPS_ELF: what elf2som accepts and refuses, and what it says.
set -u
elf2som=$1 elf=$2 som=$3 mips=$4
failures=0

# refuses STATUS PART ARGUMENT...: exit status, and one line with that part.
refuses() {
  local expected=$1 part=$2 output status
  shift 2
  output=$("$elf2som" "$@" 2>&1)
  status=$?
  if [[ $status != "$expected" || $output != *"$part"* || $output == *Traceback* ]]; then
    echo "elf2som $*: status $status, '$output'; not $expected, '$part'"
    failures=1
  fi
}

# spoiled OFFSET BYTES: a copy of the program with other bytes there.
spoiled() {
  cp "$elf" "$TEST_TMPDIR/spoiled.elf"
  chmod u+w "$TEST_TMPDIR/spoiled.elf"
  printf "$2" | dd of="$TEST_TMPDIR/spoiled.elf" bs=1 seek="$1" conv=notrunc status=none
  echo "$TEST_TMPDIR/spoiled.elf"
}

out=$TEST_TMPDIR/out
"$elf2som" "$elf" "$out" && cmp "$out" "$som" || failures=1
refuses 1 "$som: no ELF file" "$som" "$out"
refuses 1 "/nonexistent/a: No such file or directory" /nonexistent/a "$out"
refuses 1 "for machine 8, not PA-RISC (15)" "$mips" "$out"
refuses 1 "data at 0x40001000 instead of 0x3000; link it with the script of" --magic exec "$elf" "$out"
refuses 1 "ET_EXEC" "$(spoiled 16 '\0\1')" "$out"
refuses 1 "no big-endian ELF32 file" "$(spoiled 4 '\2')" "$out"
refuses 1 "the entry address 0x0 is at no instruction" "$(spoiled 24 '\0\0\0\0')" "$out"
refuses 1 "e_flags 0x0 names no architecture; pass --system-id" "$(spoiled 36 '\0\0\0\0')" "$out"
refuses 1 "a dynamic program; link it with -static" "$(spoiled 52 '\0\0\0\3')" "$out"
refuses 1 "0 segments instead of text and data" "$(spoiled 44 '\0\0')" "$out"
refuses 1 "lie beyond the end of the file" "$(spoiled 32 '\177\0\0\0')" "$out"
head -c 60 "$elf" > "$TEST_TMPDIR/cut"
refuses 1 "$TEST_TMPDIR/cut: " "$TEST_TMPDIR/cut" "$out"
refuses 2 "name the ELF program and the SOM program to make" "$elf"
refuses 2 "invalid choice" --magic reloc "$elf" "$out"
refuses 0 '"$global$" = .;' --linker-script --magic exec
refuses 0 "tools/elf2som --linker-script > som.ld" --help
exit $failures
