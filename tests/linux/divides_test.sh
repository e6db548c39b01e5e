#!/bin/bash
# divides_test.sh HARDCLOCK PROGRAM GPROF: what a program that divides wrote of itself, read by GNU's gprof, is what the
# exact profile of the same run says: $$divU has most of it. QEMU gives it a twentieth.
set -u
hardclock=$PWD/$1 program=$PWD/$2 gprof=$3
cd "$TEST_TMPDIR" || exit

"$hardclock" run --profile=exact.json "$program" || exit
"$gprof" -b -p "$program" gmon.out >flat || exit
"$hardclock" report --output=exact.csv exact.json "$program" || exit
exact=$(awk -F, '$1 == "$$divU" { print $8 }' exact.csv)
sampled=$(awk '$NF == "$$divU" { print $1 }' flat)
echo "\$\$divU: $sampled % of the ticks, $exact % of the cycles"
awk -v exact="$exact" -v sampled="$sampled" 'BEGIN { exit !(exact > 80 && sampled > exact - 3 && sampled < exact + 3) }'
