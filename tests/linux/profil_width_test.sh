#!/bin/bash
# profil_width_test.sh HARDCLOCK GPROF PROGRAM...: the gmon.out that glibc's monstartup() makes is read by the scale that
# it gave to profil(). It rounds the number of counters up, to 4 bytes or 8, and then the counters do not divide the text
# as GNU's gprof thinks. The exact profile of the same run says whose the time is. What hardclock writes of that file
# gprof reads right, too.
set -u
hardclock=$PWD/$1 gprof=$2 programs=("${@:3}")
fail() {
  echo "$program: $*"
  exit 1
}
# The ticks of a function in a table; nothing where it has no row.
ticks() { awk -F, -v name="$1" 'NR > 1 && $1 == name { print $4 }' "$2"; }

root=$PWD misread=0
for program in "${programs[@]}"; do
  folder=$TEST_TMPDIR/${program##*/}
  mkdir "$folder" && cd "$folder" || exit
  file=$root/$program
  "$hardclock" run --profile=exact.json "$file" 2>errors || fail "status $?: $(cat errors)"
  "$hardclock" report --output=exact.csv exact.json "$file" || fail "no exact table"
  [[ $(ticks hot exact.csv) -ge 2 ]] || fail "hot took no time: $(cat exact.csv)"

  "$hardclock" report --output=counted.csv gmon.out "$file" || fail "no table"
  # glibc's timer has its first tick one later than the machine's clock (Linux, set_cpu_itimer()).
  late=$(($(ticks hot exact.csv) - $(ticks hot counted.csv)))
  ((late == 0 || late == 1)) || fail "hot's ticks: $(cat counted.csv)"
  [[ -z $(ticks cold counted.csv) ]] || fail "cold has ticks: $(cat counted.csv)"
  "$hardclock" report --truth --exact=exact.json gmon.out "$file" >truth || fail "no sources of errors"
  awk '$NF == "hot" && $2 != "0.00" { wrong = 1 } END { exit wrong }' truth || fail "binning: $(cat truth)"
  "$hardclock" report --output=callgrind.out gmon.out "$file" || fail "no callgrind.out"
  grep -qx fn=hot callgrind.out && ! grep -qx fn=cold callgrind.out || fail "$(cat callgrind.out)"

  "$hardclock" report --output=kept.json gmon.out "$file" || fail "no JSON"
  "$hardclock" report --output=kept.csv kept.json "$file" || fail "no table of the JSON"
  cmp counted.csv kept.csv || fail "the JSON has other counters"
  "$hardclock" report --output=again.gmon gmon.out "$file" || fail "no gmon.out"
  "$hardclock" report --output=again.csv again.gmon "$file" || fail "no table of the gmon.out"
  cmp counted.csv again.csv || fail "the gmon.out has other counters"
  "$gprof" -b -p "$file" again.gmon >again 2>&1 || fail "gprof: $(cat again)"
  ! grep -qw cold again && grep -q ' hot$' again || fail "gprof of what hardclock wrote: $(cat again)"
  "$gprof" -b -p "$file" gmon.out | grep -qw cold && misread=$((misread + 1))
done
# Else the test would prove nothing.
echo "GNU's gprof names cold in $misread of ${#programs[@]}"
((misread > 0))
