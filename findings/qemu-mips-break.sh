#!/bin/bash
# qemu-mips ends a division by zero with SIGTRAP, where Linux sends SIGFPE.
#
# Versions: Debian 12, qemu-user 7.2, binutils for mips-linux-gnu 2.40.
# Compilers check a divisor by BREAK 7 (MIPS I) or by a trap with code 7 (GCC's "teq $2,$0,7"). Linux makes SIGFPE of both
# (arch/mips/kernel/traps.c, do_trap_or_bp()). QEMU's source knows the codes, too, but the program gets SIGTRAP in
# each case, and its SIGFPE handler is not called.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack qemu-user=1:7.2+dfsg-7+deb12u18+b3 binutils-mips-linux-gnu=2.40-2cross2 libglib2.0-0 libgnutls30 \
  libgmp10 libnettle8 libhogweed6 libp11-kit0 libidn2-0 libunistring2 libtasn1-6 libffi8 libpcre2-8-0 liburing2 zlib1g

# run INSTRUCTION: the number of the signal that ends a program of it.
run() {
  printf '\t.set noreorder\n\t.globl __start\n__start:\t%s\n\tnop\n' "$1" >program.s
  mips-linux-gnu-as -mips32 -o program.o program.s
  mips-linux-gnu-ld -o program program.o
  local status=0
  { (ulimit -c 0; exec qemu-mips ./program) || status=$?; } >/dev/null 2>&1
  echo "$1: signal $((status - 128))"
}
{ run 'break 7'; run 'break 0, 7'; run 'teq $0, $0, 7'; } | tee found
printf '%s\n' 'break 7: signal 5' 'break 0, 7: signal 5' 'teq $0, $0, 7: signal 5' >expected
cmp -s expected found || fail "the signals are others now"
