#!/bin/bash
# c_torture_test.sh TOOL HARDCLOCK: every 45th of GCC's c-torture programs, at each level, has the same verdict
# under QEMU and under hardclock; for IA-64, as when it is compiled for this machine. The whole of it is tools/c-torture.
set -eu
if [[ -z $(compgen -G '/usr/src/gcc-12/gcc-12*.tar.xz') ]]; then
  echo "skipped: GCC's sources are not installed; tools/install-deps test brings gcc-12-source"
  exit 0
fi
"$1" --hardclock "$2" --every 45
# Debian has no compiler for IA-64.
if type -P ia64-linux-gnu-gcc >/dev/null; then
  "$1" --hardclock "$2" --every 45 --targets ia64
else
  echo "skipped for IA-64: there is no ia64-linux-gnu-gcc in PATH"
fi
