#!/bin/bash
# Makes prebuilt/NAME_64 of each hpux/NAME.c: static 64-bit ELF programs for HP-UX. It needs GCC
# 12.2.0 and binutils 2.40 configured with --target=hppa64-hp-hpux11.11, in PATH. The bytes are the
# same every time.
set -eu
cd "$(dirname "$0")/../../.."
hppa=tests/guests/hppa
target=hppa64-hp-hpux11.11
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

for program in files forkexec hello signals split75 sprofil; do
  objects=()
  for source in "$hppa/hpux/$program.c" guest/runtime/{check,format,string}.c; do
    objects+=("$work/$(basename "$source").o")
    "$target-gcc" -DGUEST_HPUX -I. -O2 -ffreestanding -Wall -Wextra -Werror -g0 -fno-ident \
      -c -o "${objects[-1]}" "$source"
  done
  "$target-as" -o "$work/start.o" "$hppa/hpux/start_64.S"
  "$target-ld" -static -T "$hppa/hpux/static_64.ld" --fatal-warnings \
    -o "$hppa/prebuilt/${program}_64" "$work/start.o" "${objects[@]}"
done
"$target-objdump" -x "$hppa/prebuilt/signals_64" > "$hppa/expected/signals_64.objdump"
