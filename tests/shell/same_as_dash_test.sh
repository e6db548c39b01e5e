#!/bin/bash
# same_as_dash_test.sh HARDCLOCK SHELL SCRIPT...: the shell does what Debian's dash does with each
# script: the same standard output, and the same status. Each runs in an empty folder.
set -u
hardclock=$(realpath "$1")
shell=$(realpath "$2")
shift 2
command -v dash >/dev/null || { echo "no dash; install it: sudo apt-get install dash"; exit 1; }
failed=0
for script in "$@"; do
  script=$(realpath "$script")
  work=$(mktemp -d)
  mkdir "$work/ours" "$work/dash"
  (cd "$work/dash" && env -i PATH=/usr/bin:/bin dash "$script" >../dash.out 2>../dash.err; echo "status $?" >>../dash.out)
  (cd "$work/ours" && "$hardclock" run --timing=functional --cwd=rw --bind "$script:/script:ro" \
    --env PATH=/usr/bin:/bin -- "$shell" /script >../ours.out 2>../ours.err; echo "status $?" >>../ours.out)
  if ! diff -a "$work/dash.out" "$work/ours.out"; then
    echo "$(basename "$script"): dash (<) and $(basename "$shell") (>) differ; on standard error:"
    cat "$work/ours.err"
    failed=1
  fi
  rm -rf "$work"
done
exit $failed
