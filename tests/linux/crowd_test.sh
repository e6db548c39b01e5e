#!/bin/bash
# crowd_test.sh HARDCLOCK PROGRAM: processes whose translations do not find room together take it from each other by turns,
# and get on.
set -u
out=$("$1" run --cpu=mips32r2 --max-memory=256M --max-seconds=40 "$2" 2>&1)
[[ $? == 0 && $out == 120 ]] || { echo "says $out"; exit 1; }
