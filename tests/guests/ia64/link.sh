#!/bin/bash
# Makes prebuilt/NAME_32 and NAME_64: static programs for HP-UX on IA-64, in both data models, of the
# sources in hpux and ../hppa/hpux; of those in ../lmbench that measure memory, in 64 bits. It needs GCC 12.2.0 and binutils 2.40 configured with
# --target=ia64-hp-hpux11.31, and Debian's binutils-ia64-linux-gnu, in PATH: GNU ld does not link for
# HP-UX on IA-64, so it links for ELF64 without a system, and tools/ia64_to_hpux.py does the rest. The
# bytes are the same every time.
set -eu
cd "$(dirname "$0")/../../.."
ia64=tests/guests/ia64
hppa=tests/guests/hppa/hpux
target=ia64-hp-hpux11.31
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# OUTPUT SOURCE [OPTION...]: for the data model of $model. In 32 bits GCC 12.2.0 extends many a pointer with zeros,
# by addp4 with r0 as the operand whose region counts, which is the last one.
compile() {
  "$target-gcc" "${model[@]}" -DGUEST_HPUX -I. -O2 -ffreestanding -Wall -Wextra -Werror -g0 -fno-ident \
    -S -o "$work/code.s" "${@:2}"
  [ "$width" = 64 ] || sed -i -E 's/addp4 (r[0-9]+) = (r[1-9][0-9]*), r0$/addp4 \1 = 0, \2/' "$work/code.s"
  "$target-as" -x -mlp64 -o "$1" "$work/code.s"
}

# NAME OBJECT...: links them with start.o.
link() {
  ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -static -z max-page-size=0x1000 -T "$work/script.ld" --fatal-warnings \
    -o "$work/program" "$work/start.o" "${@:2}"
  tools/ia64_to_hpux.py "$width" "$work/program" "$ia64/prebuilt/${1}_$width"
  chmod 755 "$ia64/prebuilt/${1}_$width"
}

for width in 32 64; do
  case $width in
    32) model=(-milp32 -fno-ivopts) text=0x04000000 data=0x2000000040010000 ;;
    64) model=(-mlp64) text=0x4000000000000000 data=0x6000000000010000 ;;
  esac
  sed -e "s/TEXT/$text/" -e "s/DATA/$data/" "$ia64/static.ld" > "$work/script.ld"
  "$target-gcc" "${model[@]}" -E -P -x assembler-with-cpp -o "$work/start.s" "$ia64/hpux/start.S"
  "$target-as" -x -mlp64 -o "$work/start.o" "$work/start.s"
  for source in guest/runtime/{check,format,string}.c guest/hpux/ia64/divide.c; do
    compile "$work/$(basename "$source" .c).o" "$source"
  done
  for source in "$hppa"/{files,forkexec,hello,split75,sprofil}.c "$ia64/hpux/signals.c"; do
    program=$(basename "$source" .c)
    compile "$work/program.o" "$source"
    link "$program" "$work"/{program,check,format,string,divide}.o
  done
done

# On the C library of guest/runtime.
library=(-D__hardclock_guest__ -include guest/runtime/systems/hpux.h -nostdinc -Iguest/runtime/include
  -isystem "$("$target-gcc" -print-file-name=include)")
for source in guest/runtime/library/{stdio,stdlib}.c; do
  compile "$work/$(basename "$source" .c).o" "$source" "${library[@]}"
done
for program in bw_mem lat_mem_rd; do
  compile "$work/program.o" "tests/guests/lmbench/$program.c" "${library[@]}"
  link "$program" "$work"/{program,stdio,stdlib,string,divide}.o
done
