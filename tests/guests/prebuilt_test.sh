#!/bin/bash
# prebuilt_test.sh BUILT PREBUILT: the committed program is what its source builds.
# A different compiler version makes different code; only Debian 12's 12.2.0 must agree.
set -eu
version=$(mips-linux-gnu-gcc -dumpfullversion)
if [[ $version != 12.2.0 ]]; then
  echo "skipped: mips-linux-gnu-gcc is $version, not 12.2.0"
  exit 0
fi
cmp "$1" "$2"
