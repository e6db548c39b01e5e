#!/bin/bash
# build.sh DIRECTORY [NAME...]
# Makes the shells of built/, or those named, of sh/, systems/ and processors/. From the root of the
# source tree:
#
#   guest/shell/build.sh guest/shell/built
#
# Those for MIPS and PA-RISC need Debian 12's gcc-mips-linux-gnu, gcc-mipsel-linux-gnu and
# gcc-hppa-linux-gnu; those for IA-64 (linux-ia64, hpux-ia64) GCC 12.2.0 and binutils 2.40 configured
# with --target=ia64-linux-gnu and --target=ia64-hp-hpux11.31, in PATH, and Debian's
# binutils-ia64-linux-gnu. The same sources give the same bytes; //guest/shell:built_test compares.
set -euo pipefail

to=$(realpath "$1")
shift
cd "$(dirname "$(realpath "$0")")"
tools=../../tools
guests=../../tests/guests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

code=(-std=c11 -Os -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-ident
  -fno-tree-loop-distribute-patterns -g0 -Wall -Wextra -Werror -Isystems)
link=(-static -nostdlib -nostartfiles -Wl,-s,--build-id=none -Wl,--fatal-warnings -Wl,-z,max-page-size=4096)
mips=(-mabi=32 -mfp32 -march=mips1 -mno-abicalls -fno-pic -G0)

# COMPILER OPTION... SYSTEM.c PROCESSOR.S: objects in $work.
compile() {
  for source in sh/*.c "${@: -2}"; do
    "${@:1:$#-2}" "${code[@]}" -c -o "$work/$(basename "$source").o" "$source"
  done
}

make_linux() {
  compile "$@" systems/linux.c processors/mips.S
  "$@" "${link[@]}" -Wl,-e,_start -o "$work/sh" "$work"/*.o
}

make_linux-mips() { make_linux mips-linux-gnu-gcc "${mips[@]}"; }
make_linux-mipsel() { make_linux mipsel-linux-gnu-gcc "${mips[@]}"; }

make_irix-mips() {
  compile mips-linux-gnu-gcc "${mips[@]}" -DIRIX systems/irix.c processors/mips.S
  mips-linux-gnu-gcc "${mips[@]}" "${link[@]}" -Wl,-T,"$guests/irix.ld" -o "$work/sh" "$work"/*.o
}

hppa=(hppa-linux-gnu-gcc -march=1.0 -fno-pic)

make_linux-hppa() {
  compile "${hppa[@]}" systems/linux.c processors/pa_risc.S
  "${hppa[@]}" "${link[@]}" -o "$work/sh" "$work"/*.o -lgcc
}

make_hpux-hppa() {
  compile "${hppa[@]}" -DHPUX systems/hpux.c processors/pa_risc.S
  "$tools/elf2som" --linker-script --magic share >"$work/script"
  "${hppa[@]}" "${link[@]}" -Wl,-T,"$work/script" -o "$work/elf" "$work"/*.o -lgcc
  "$tools/elf2som" --magic share --system-id 1.0 "$work/elf" "$work/sh"
}

make_linux-ia64() {
  compile ia64-linux-gnu-gcc systems/linux.c processors/ia64.S
  ia64-linux-gnu-ld -static -s --fatal-warnings -o "$work/sh" "$work"/*.o
}

# GNU ld does not link for HP-UX on IA-64: it links without a system, and ia64_to_hpux.py does the rest.
make_hpux-ia64() {
  compile ia64-hp-hpux11.31-gcc -mlp64 -DHPUX systems/hpux.c processors/ia64.S
  sed -e s/TEXT/0x4000000000000000/ -e s/DATA/0x6000000000010000/ "$guests/ia64/static.ld" >"$work/script"
  ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -static -z max-page-size=0x1000 -T "$work/script" \
    --fatal-warnings -o "$work/elf" "$work"/*.o
  "$tools/ia64_to_hpux.py" 64 "$work/elf" "$work/sh"
}

(($#)) || set -- linux-mips linux-mipsel irix-mips linux-hppa hpux-hppa linux-ia64 hpux-ia64
for name in "$@"; do
  rm -f "$work"/*
  "make_$name"
  install -m 755 "$work/sh" "$to/$name"
done
