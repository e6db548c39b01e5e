#!/bin/bash
# built_test.sh BUILD BUILT...: the committed files are what their sources build.
# A different compiler version makes different code; only Debian 12's 12.2.0 must agree. Debian has
# none for IA-64: those shells are built again where there is one in PATH or /opt.
set -eu
build=$1
shift
PATH=$PATH:/opt/ia64/bin:/opt/hpux/bin
made=$(mktemp -d)
for file in "$@"; do
  name=$(basename "$file")
  case $name in
    linux-mips | irix-mips) compiler=mips-linux-gnu-gcc ;;
    linux-mipsel) compiler=mipsel-linux-gnu-gcc ;;
    linux-ia64) compiler=ia64-linux-gnu-gcc ;;
    hpux-ia64) compiler=ia64-hp-hpux11.31-gcc ;;
    *) compiler=hppa-linux-gnu-gcc ;;
  esac
  version=$("$compiler" -dumpfullversion 2>&1) || version="not there"
  if [[ $version != 12.2.0 ]]; then
    echo "skipped: $name: $compiler is $version, not 12.2.0"
    continue
  fi
  "$build" "$made" "$name"
  cmp "$file" "$made/$name"
done
