#!/bin/bash
# Makes prebuilt/FORMAT/NAME: the programs of ../ in each ELF format of HP-UX (guest/hpux/build.sh
# says which and with what compilers), and a library for them. The bytes are the same every time.
set -eu
cd "$(dirname "$0")/../../../../.."
dynamic=tests/guests/hppa/dynamic
runtime=guest/hpux
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

code=(-O2 -ffreestanding -fno-stack-protector -fPIC -g0 -fno-ident -Wall -Wextra -nostdinc -I$runtime/include)

# ---- PA-RISC

compile_pa20_64() {
  hppa64-hp-hpux11.11-gcc "${code[@]}" -isystem "$(hppa64-hp-hpux11.11-gcc -print-file-name=include)" -c -o "$1" "$2"
}

# NAME OBJECT OPTION...
link_library_pa20_64() {
  local name=$1 object=$2
  shift 2
  link_at() {
    sed -e "s/TEXT/$1/" -e "s/DATA/$2/" $runtime/parisc64/library.ld > "$work/script"
    hppa64-hp-hpux11.11-ld -shared -soname $name -T "$work/script" --init set_up --fatal-warnings -o "$3" "$object" "${@:4}"
  }
  link_at 0x4000000000000000 0x8000000100000000 "$work/elf" "$@"
  link_at 0x4000000000100000 0x8000000100200000 "$work/other" "$@"
  $runtime/parisc64/add_relocations.py "$work/elf" "$work/other" $dynamic/elf/prebuilt/pa20_64/$name
}

make_pa20_64() {
  local to=$dynamic/elf/prebuilt/pa20_64
  compile_pa20_64 "$work/start.o" $dynamic/elf/start_pa20_64.S
  compile_pa20_64 "$work/divide.o" $runtime/parisc64/divide.S
  compile_pa20_64 "$work/long_long.o" $runtime/libc/parisc/long_long.c
  for program in binding environment further library locales lost math more peer quads records searches services system; do compile_pa20_64 "$work/$program.o" $dynamic/$program.c; done
  link_library_pa20_64 libgreet.1 "$work/library.o"
  link_library_pa20_64 libmore.1 "$work/more.o" --fini tear_down $to/libgreet.1
  # Only their names count.
  for library in lib{alpha,beta}.1; do
    hppa64-hp-hpux11.11-ld -shared -soname $library -o "$work/$library" "$work/divide.o"
  done
  for program in binding environment further locales lost math peer quads records searches services system; do
    local others=$to/libgreet.1
    case $program in
      environment | math | quads) others=$runtime/built/pa20_64/libm.2 ;;
      lost) others="$work/libalpha.1 $to/libgreet.1 $work/libbeta.1" ;;
    esac
    hppa64-hp-hpux11.11-ld -E -T $dynamic/elf/pa20_64.ld --unresolved-symbols=ignore-all -o $to/$program \
      "$work"/{start,$program,divide,long_long}.o $others $runtime/built/pa20_64/libc.2
  done
}

# ---- IA-64

compile_ia64() {
  ia64-hp-hpux11.31-gcc $model "${code[@]}" -fno-asynchronous-unwind-tables -fno-ivopts -fno-schedule-insns2 -fno-jump-tables -fno-tree-vectorize \
    -ffixed-r31 \
    -isystem "$(ia64-hp-hpux11.31-gcc -print-file-name=include)" -S -o "$work/wide.s" "$2"
  if [ $width = 32 ]; then $runtime/ia64/swizzle.py; else cat; fi <"$work/wide.s" >"$work/code.s"
  ia64-hp-hpux11.31-as -x -mlp64 -o "$1" "$work/code.s"
}

# OUTPUT OPTION... : a shared object, which ia64_to_hpux.py makes a program of if it has an interpreter.
link_ia64() {
  local output=$1
  shift
  ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -shared -z max-page-size=0x1000 --fatal-warnings -o "$work/elf" "$@"
  tools/ia64_to_hpux.py $width "$work/elf" "$output"
}

make_ia64() {
  width=$1 model=-mlp64
  local to=$dynamic/elf/prebuilt/hpux$width text=0x4000000000000000 data=0x6000000000000000
  [ $width = 64 ] || model=-milp32 text=0x04000000 data=0x2000000040010000
  sed -e "s/TEXT/$text/" -e "s/DATA/$data/" $runtime/ia64/library.ld > "$work/library.ld"
  sed -e 's/^PHDRS {/ENTRY(main)\nPHDRS {\n  interp PT_INTERP FLAGS(4);/' -e 's/^  \.hash : .*/  .interp : { *(.interp) } :text :interp\n&/' \
    -e 's/^  \/DISCARD/  _end = .;\n&/' "$work/library.ld" > "$work/program.ld"
  printf '.section .interp, "a"\n.asciz "/usr/lib/hpux%d/uld.so:/usr/lib/hpux%d/dld.so"\n' $width $width > "$work/interp.s"
  ia64-hp-hpux11.31-as -x -mlp64 -o "$work/interp.o" "$work/interp.s"
  compile_ia64 "$work/divide.o" $runtime/ia64/divide.c
  for program in binding environment further library locales lost math more peer quads records searches services system; do compile_ia64 "$work/$program.o" $dynamic/$program.c; done
  # Only their names count.
  for library in lib{c,m,alpha,beta,greet}.so.1; do
    ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -shared -soname $library -o "$work/$library" "$work/interp.o"
  done
  link_ia64 $to/libgreet.so.1 -T "$work/library.ld" -soname libgreet.so.1 -init set_up "$work"/{library,divide}.o
  link_ia64 $to/libmore.so.1 -T "$work/library.ld" -soname libmore.so.1 -init set_up -fini tear_down "$work"/{more,divide}.o \
    --no-as-needed "$work/libgreet.so.1"
  for program in binding environment further locales lost math peer quads records searches services system; do
    local others=$work/libgreet.so.1
    case $program in
      environment | math | quads) others=$work/libm.so.1 ;;
      lost) others="$work/libalpha.so.1 $others $work/libbeta.so.1" ;;
    esac
    link_ia64 $to/$program -T "$work/program.ld" -Bsymbolic "$work"/{interp,$program,divide}.o --no-as-needed \
      $others "$work/libc.so.1"
  done
  ia64-hp-hpux11.31-as -x -mlp64 -o "$work/kept.o" $dynamic/elf/kept_ia64.S
  link_ia64 $to/kept -T "$work/program.ld" -Bsymbolic "$work"/{interp,kept}.o --no-as-needed "$work/libc.so.1"
}

mkdir -p $dynamic/elf/prebuilt/{pa20_64,hpux32,hpux64}
make_pa20_64
make_ia64 32
make_ia64 64
chmod 755 $dynamic/elf/prebuilt/*/*
