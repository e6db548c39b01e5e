#!/bin/bash
# Makes prebuilt/NAME of each NAME.c: static programs for Linux on IA-64. It needs GCC 12.2.0 and
# binutils 2.40 for ia64-linux-gnu in PATH. The bytes are the same every time.
set -eu
cd "$(dirname "$0")/../../.."
ia64=tests/guests/ia64
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

ia64-linux-gnu-as -o "$work/start.o" "$ia64/start.S"
for program in guest calls lmbench processes signals speed tracing; do
  ia64-linux-gnu-gcc -I. -O2 -ffreestanding -fno-builtin -Wall -Wextra -Werror -g0 -fno-ident \
    -fno-asynchronous-unwind-tables -c -o "$work/$program.o" "$ia64/$program.c"
done
for program in calls lmbench processes signals speed tracing; do
  ia64-linux-gnu-ld -static --fatal-warnings -o "$ia64/prebuilt/$program" \
    "$work/$program.o" "$work/guest.o" "$work/start.o"
done
