#!/bin/bash
# The expected outputs are what QEMU prints for the Linux builds, in both byte orders.
set -u
cd tests/guests || exit 1
failures=0

same() {  # EMULATOR PROGRAM EXPECTED
  if ! diff -u "expected/$3" <("$1" "./$2"); then
    echo "$1 $2 differs from expected/$3"
    failures=$((failures + 1))
  fi
}

for program in bench compute delay floats; do
  same qemu-mips "${program}_linux" "$program.txt"
  same qemu-mipsel "${program}_little_linux" "$program.txt"
done
same qemu-mips unaligned_linux unaligned.txt
same qemu-mipsel unaligned_little_linux unaligned-little.txt
exit $((failures > 0))
