#!/bin/bash
# build.sh DIRECTORY [FORMAT...]
# Makes HP-UX's dynamic loader and C library of loader/ and libc/, as they are in built/, for each format:
#
#   som     dld.sl and libc.1, 32-bit programs for PA-RISC     Debian's gcc-hppa-linux-gnu
#   pa20_64 the same for 64-bit ones (ELF)                      GCC for hppa64-hp-hpux11.11
#   hpux32  uld.so and libc.so.1, 32-bit programs for IA-64     GCC for ia64-hp-hpux11.31, Debian's
#   hpux64  the same for 64-bit ones                            binutils-ia64-linux-gnu
#
# Beside them stands libm. Its arithmetic, and libc's regular expressions and patterns, are those of Debian's musl, of
# which `apt-get source musl=1.2.3-1` makes the folder musl-1.2.3, that MUSL names (/usr/src/musl-1.2.3 if it is not
# set). Without it there is neither.
#
# The arithmetic of quads is libgcc's soft-fp, in Debian's package gcc-12-source, which GCC names
# (/usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz if it is not set). What musl computes only as double when it is asked for
# quads, or not right, is libquadmath's, of the same package. Both must be there.
#
# From the root of the source tree, with the compilers in PATH:
#
#   guest/hpux/build.sh guest/hpux/built
#
# The same sources give the same bytes with GCC 12.2.0 and binutils 2.40, of which Debian 12 has the
# sources; //guest/hpux:built_test compares.
set -euo pipefail

to=$(realpath "$1")
musl=$(realpath -m "${MUSL:-/usr/src/musl-1.2.3}")
gcc_source=$(realpath -m "${GCC:-/usr/src/gcc-12/gcc-12.2.0-dfsg.tar.xz}")
shift
[ $# != 0 ] || set -- som pa20_64 hpux32 hpux64
cd "$(dirname "$(realpath "$0")")"
tools=../../tools
work=$(mktemp -d)
of_gcc=$(mktemp -d)
trap 'rm -rf "$work" "$of_gcc"' EXIT

# Code at any address. The library has no memcpy() but its own.
code=(-Os -ffreestanding -fno-stack-protector -fno-ident -fno-tree-loop-distribute-patterns -ffunction-sections
  -g0 -Wall -Wextra -Werror)

# To $work/$part, with the options of the part and of the format; the loader's with its name.
compile() {
  mkdir -p "$work/$part"
  for source in "$@"; do
    compile_one "$source" "$work/$part/$(basename "$source").o"
  done
}

# FILE FOLDER
install_as() {
  mkdir -p "$to/$2"
  install -m 755 "$1" "$to/$2/$(basename "$1")"
}

# FILE: compares the list of functions with what the part exports, but for what only some formats have.
compare() {
  has() { "$nm" -D --defined-only "$1" | awk '$2 ~ /[B-Z]/ && $3 !~ /^(\.|_hc_|_GLOBAL_OFFSET_TABLE_$)/ { print $3 }'; }
  diff <(said | LC_ALL=C sort -u) <(has "$1" | LC_ALL=C sort -u) ||
    { echo "build.sh: ${lists[$part]} (<) and $part of $format (>) differ" >&2; exit 1; }
}

declare -A lists=([libc]=functions.txt [libm]=libm_functions.txt)

# What the part exports in this format.
said() { awk -v format="$format" '!/^#/ && $2 != "missing" && !/the loader.s$/ && ($3 != "only" || index($0, format)) { print $1 }' "${lists[$part]}"; }

# Exports that alone, and what the loader fills in.
version_script() { said | awk 'BEGIN { print "{ global: _hc_malloc; _hc_calloc; _hc_free; _hc_*_data; _hc_rsqrt_tab;" } { print $1 ";" } END { print "local: *; };" }'; }

has_sources() {
  [[ -r $musl/src/internal/libm.h ]] || { echo "build.sh: no musl in $musl; libc and libm are not made" >&2; return 1; }
  [[ -r $gcc_source ]] || { echo "build.sh: no $gcc_source (package gcc-12-source); libc and libm are not made" >&2; return 1; }
}

# [FOLDER]: the files of musl that the part, or its folder, is made of, in $work/musl.
take_musl() {
  local list=$part${1:+/$1}/musl_files.txt
  rm -rf "$work/musl"
  mkdir "$work/musl"
  while read -r name; do
    cp "$musl"/src/{crypt,ctype,internal,math,misc,network,regex,search,string}/"$name" "$work/musl/" 2>/dev/null || [[ -e $work/musl/$name ]]
  done <"$list"
}

# Those for long double are compiled with libm's options; libquadmath's get libm's names.
compile_long_double() {
  take_musl long_double
  compile libm/long_double/*.c "$work"/musl/*.c
  take_of_gcc
  local of_musl=("${options[@]}") file sources=()
  for file in $(<libm/long_double/quadmath_files.txt); do sources+=("$of_gcc/$file"); done
  options=(-Ilibm/long_double/quadmath "${options[@]}")
  compile "${sources[@]}"
  options=("${of_musl[@]}")
}

# Those of libc, with the options of its own.
compile_musl_of_libc() {
  take_musl
  options=(-Ilibc/musl "-I$work/musl" "${options[@]}" -include libc/musl/features.h -w)
  local of_unicode=("$work"/musl/{iswalpha,iswpunct,towctrans}.c) of_others=("${options[@]}")
  options+=(-include libc/musl/unicode.h)
  compile "${of_unicode[@]}"
  rm "${of_unicode[@]}"
  options=("${of_others[@]}")
  compile "$work"/musl/*.c
}

# soft-fp and libquadmath, in $of_gcc, which are unpacked once: soft-fp's quads are this library's type.
take_of_gcc() {
  [[ ! -e $of_gcc/quad.h ]] || return 0
  tar xf "$gcc_source" -C "$of_gcc" --no-same-owner --wildcards --transform='s|.*/||' '*/libgcc/soft-fp/*.[ch]' '*/include/longlong.h' \
    '*/libquadmath/quadmath-imp.h' '*/libquadmath/math/*.[ch]'
  sed -i 's/^typedef float TFtype .*/#include <long_double.h>\ntypedef quad TFtype;/' "$of_gcc/quad.h"
}

# FOLDER FILE...: libc's arithmetic of quads, with the options of libc; libm/FOLDER knows the processor's status.
compile_quads() {
  take_of_gcc
  local of_others=("${options[@]}") source sources=()
  for source in $(<libc/soft_fp_files.txt) "${@:2}"; do sources+=("$of_gcc/$source"); done
  options+=(-Ilibm -Ilibc/quad "-I$of_gcc" -include libc/quad/renamed.h -O2 -w)
  compile libm/$1/status.c libc/quad/quad.c "${sources[@]}"
  options=("${of_others[@]}")
}

# FOLDER: the sources of libm; one there stands in for musl's of that name. Contraction would change what musl's
# compute.
compile_libm() {
  local own=(libm/"$1"/*.c) others=() source
  part=libm
  take_musl
  for source in "$work"/musl/*.c; do
    [[ -e libm/$1/$(basename "$source") ]] || others+=("$source")
  done
  options=(-Ilibm -Ilibm/include "-I$work/musl" -Iinclude -O2 -fbuiltin -ffp-contract=off -fPIC)
  compile libm/environment.c libm/errors.c libm/other_names.c
  options+=(-include libm/renamed.h -w)
  compile "${own[@]}" "${others[@]}"
  version_script >"$work/exports"
}

# ---- SOM

som_one() {
  hppa-linux-gnu-gcc "${code[@]}" -march=1.0 -fPIC -fno-asynchronous-unwind-tables -U__linux__ -U__linux -Ulinux \
    -U__gnu_linux__ -nostdinc "${options[@]}" \
    -isystem "$(hppa-linux-gnu-gcc -print-file-name=include)" -c -o "$2" "$1"
}

# NAME MAGIC INFO OPTION...
link_som() {
  local name=$1 magic=$2 info=$3
  shift 3
  $tools/elf2som --linker-script --magic "$magic" --shlib-info "$info" >"$work/script"
  hppa-linux-gnu-gcc -shared -nostdlib -Wl,--build-id=none -Wl,--fatal-warnings -Wl,-z,max-page-size=4096 "$@" \
    -Wl,-T,"$work/script" -o "$work/elf" "$work/$part"/*.o -lgcc
  $tools/elf2som --magic "$magic" --system-id 1.0 --shlib-info "$info" "$work/elf" "$work/$name"
  install_as "$work/$name" som
}

build_som() {
  compile_one() { som_one "$@"; }
  part=loader options=(-Iinclude -Iloader -Iloader/som -fvisibility=hidden '-DLOADER_NAME="/usr/lib/dld.sl"')
  compile loader/*.c loader/som/*.[cS] parisc32/*.S
  link_som dld.sl dld 0x800 -Wl,-Bsymbolic -Wl,-e,start
  has_sources || return 0
  part=libc options=(-Iinclude -D_HC_LIBRARY -Ilibc -Wa,-Ilibc)
  compile libc/*.c libc/parisc/*.c libc/parisc32/*.[cS] parisc32/*.S
  compile_musl_of_libc
  compile_quads parisc
  link_som libc.1 shl 0x9000 -Wl,--dynamic-list=libc/interposable.list
  nm=hppa-linux-gnu-nm
  compare "$work/elf"
  compile_libm parisc
  options=()
  compile libc/parisc/long_long.c parisc32/*.S
  link_som libm.1 shl 0x5000 -Wl,-Bsymbolic -Wl,--version-script="$work/exports"
  compare "$work/elf"
}

# ---- ELF for PA-RISC

# TEXT DATA OUTPUT
link_at() {
  sed -e "s/TEXT/$1/" -e "s/DATA/$2/" parisc64/library.ld > "$work/script"
  hppa64-hp-hpux11.11-ld -shared -soname $part.2 -T "$work/script" --version-script="$work/exports" --fatal-warnings \
    -o "$3" "$work/$part"/*.o
}

link_pa20_64() {
  link_at 0x4000000000000000 0x8000000100000000 "$work/elf"
  link_at 0x4000000000100000 0x8000000100200000 "$work/other"
  parisc64/add_relocations.py "$work/elf" "$work/other" "$work/$part.2"
  install_as "$work/$part.2" pa20_64
  nm=hppa64-hp-hpux11.11-nm
  compare "$work/$part.2"
}

build_pa20_64() {
  local gcc=hppa64-hp-hpux11.11-gcc
  compile_one() { $gcc "${code[@]}" -nostdinc "${options[@]}" -isystem "$($gcc -print-file-name=include)" -c -o "$2" "$1"; }
  part=loader options=(-Iinclude -Iloader -Iloader/elf -Iloader/elf/parisc64 '-DLOADER_NAME="/usr/lib/pa20_64/dld.sl"')
  compile loader/*.c loader/elf/*.c loader/elf/parisc64/*.[cS] parisc64/*.S libc/parisc/long_long.c
  hppa64-hp-hpux11.11-ld -static -T loader/elf/parisc64/loader.ld --fatal-warnings -s -o "$work/dld.sl" "$work/$part"/*.o
  install_as "$work/dld.sl" pa20_64
  has_sources || return 0
  part=libc options=(-Iinclude -D_HC_LIBRARY -Ilibc -fPIC -Wa,-Ilibc)
  version_script >"$work/exports"
  compile libc/*.c libc/parisc/*.c libc/parisc64/*.[cS] parisc64/*.S
  compile_musl_of_libc
  compile_quads parisc
  link_pa20_64
  compile_libm parisc
  options=()
  compile libc/parisc/long_long.c parisc64/*.S
  link_pa20_64
}

# ---- ELF for IA-64

# What `as` assembles for 64 bits becomes 32 in the end. GCC finds constants by gp, and so they are data;
# jump tables would have to be at a distance from the code that does not change.
ia64_one() {
  local gcc=ia64-hp-hpux11.31-gcc
  case $1 in
    *.S) $gcc $model -E -P -x assembler-with-cpp "${options[@]}" -o "$work/code.s" "$1" ;;
    *)
      $gcc $model "${code[@]}" -fPIC -fno-asynchronous-unwind-tables -fno-ivopts -fno-schedule-insns2 -fno-jump-tables -fno-tree-vectorize \
        -ffixed-r31 \
        -nostdinc "${options[@]}" -isystem "$($gcc -print-file-name=include)" -S -o "$work/wide.s" "$1"
      if [ $width = 32 ]; then ia64/swizzle.py; else cat; fi <"$work/wide.s" >"$work/code.s"
      ;;
  esac
  ia64-hp-hpux11.31-as -x -mlp64 -Ilibc -o "$2" "$work/code.s"
}

build_ia64() {
  width=$1 model=-mlp64
  [ $width = 64 ] || model=-milp32
  compile_one() { ia64_one "$@"; }
  part=loader options=(-Iinclude -Iloader -Iloader/elf -Iloader/elf/ia64 "-DLOADER_NAME=\"/usr/lib/hpux$width/uld.so\"")
  compile loader/*.c loader/elf/*.c loader/elf/ia64/*.[cS] ia64/*.c
  ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -static -z max-page-size=0x1000 -T loader/elf/ia64/loader.ld \
    --fatal-warnings -s -o "$work/elf" "$work/$part"/*.o
  $tools/ia64_to_hpux.py $width "$work/elf" "$work/uld.so"
  install_as "$work/uld.so" hpux$width
  has_sources || return 0
  part=libc options=(-Iinclude -D_HC_LIBRARY -Ilibc)
  version_script >"$work/exports"
  compile libc/*.c libc/ia64/*.[cS] ia64/*.c
  compile_musl_of_libc
  compile_quads ia64 fixuns{tfdi,tfsi}.c extendxftf2.c trunctfxf2.c
  link_ia64 --dynamic-list=libc/interposable.list
  compile_libm ia64
  compile_long_double
  options=()
  compile ia64/*.c
  link_ia64 -Bsymbolic
}

# OPTION...
link_ia64() {
  local text=0x4000000000000000 data=0x6000000000000000
  [ $width = 64 ] || text=0x04000000 data=0x2000000040010000
  sed -e "s/TEXT/$text/" -e "s/DATA/$data/" ia64/library.ld > "$work/script"
  ia64-linux-gnu-ld -EB --oformat elf64-ia64-big -shared -soname $part.so.1 -z max-page-size=0x1000 -T "$work/script" \
    --version-script="$work/exports" "$@" --fatal-warnings -o "$work/elf" "$work/$part"/*.o
  $tools/ia64_to_hpux.py $width "$work/elf" "$work/$part.so.1"
  install_as "$work/$part.so.1" hpux$width
  nm=ia64-linux-gnu-nm
  compare "$work/elf"
}

build_hpux32() { build_ia64 32; }
build_hpux64() { build_ia64 64; }

for format in "$@"; do
  build_$format
  rm -rf "$work"/*
done
