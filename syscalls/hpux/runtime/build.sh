#!/bin/bash
# build.sh DIRECTORY
# Makes HP-UX's dynamic loader and C library, dld.sl and libc.1 of built/, of loader/ and libc/ with
# Debian's hppa-linux-gnu-gcc. From the root of the source tree:
#
#   syscalls/hpux/runtime/build.sh syscalls/hpux/runtime/built
#
# The same sources give the same bytes with GCC 12.2.0 and binutils 2.40 (Debian 12);
# //syscalls/hpux/runtime:built_test compares.
set -euo pipefail

to=$(realpath "$1")
cd "$(dirname "$(realpath "$0")")"
elf2som=../../../tools/elf2som
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Code for every PA-RISC processor, at any address.
gcc=hppa-linux-gnu-gcc
code=(-march=1.0 -Os -fPIC -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-ident
  -fno-tree-loop-distribute-patterns -ffunction-sections -g0 -Wall -Wextra -Werror)
system=(-U__linux__ -U__linux -Ulinux -U__gnu_linux__ -nostdinc -Iinclude -isystem "$($gcc -print-file-name=include)")
link=(-shared -nostdlib -Wl,--build-id=none -Wl,--fatal-warnings -Wl,-z,max-page-size=4096)

compile() {
  for source in "$@"; do
    $gcc "${code[@]}" "${system[@]}" "${options[@]}" -c -o "$work/$part/$(basename "$source").o" "$source"
  done
}

make() {
  name=$1 magic=$2 info=$3
  shift 3
  $elf2som --linker-script --magic "$magic" --shlib-info "$info" >"$work/script"
  $gcc "${link[@]}" "$@" -Wl,-T,"$work/script" -o "$work/elf" "$work/$part"/*.o -lgcc
  $elf2som --magic "$magic" --system-id 1.0 --shlib-info "$info" "$work/elf" "$work/$name"
  install -m 755 "$work/$name" "$to/$name"
}

part=loader options=(-fvisibility=hidden)
mkdir "$work/$part"
compile loader/*.[cS] parisc32/*.S
make dld.sl dld 0x800 -Wl,-Bsymbolic -Wl,-e,start

part=libc options=(-D_HC_LIBRARY -Ilibc -Wa,-Ilibc)
mkdir "$work/$part"
compile libc/*.c libc/parisc32/*.[cS] parisc32/*.S
make libc.1 shl 0x4000 -Wl,--dynamic-list=libc/interposable.list

# functions.txt says what the library has.
said() { awk '!/^#/ && $2 != "missing" { print $1 }' functions.txt; }
has() { hppa-linux-gnu-nm -D --defined-only "$work/elf" | awk '$2 != "A" && $3 != "_GLOBAL_OFFSET_TABLE_" { print $3 }'; }
diff <(said | LC_ALL=C sort -u) <(has | LC_ALL=C sort -u) ||
  { echo "build.sh: functions.txt (<) and libc.1 (>) differ" >&2; exit 1; }
