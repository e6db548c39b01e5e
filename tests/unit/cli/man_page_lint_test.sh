#!/bin/bash
# The manual page makes groff, with all its warnings on, say nothing; mandoc too where it is there.
set -euo pipefail
page=$1

complaints=$(LC_ALL=C groff -man -ww -rLL=78n -z -Tascii "$page" 2>&1)
if command -v mandoc >/dev/null; then
  complaints+=$(mandoc -T lint -W style "$page" 2>&1 || true)
fi
if [[ -n $complaints ]]; then
  echo "$complaints"
  exit 1
fi

# It is not empty either, and renders its sections.
text=$(LC_ALL=C groff -man -Tascii -P-cbou "$page")
for section in NAME SYNOPSIS DESCRIPTION COMMANDS 'EXIT STATUS' 'SEE ALSO'; do
  grep -qx "$section" <<<"$text" || { echo "no section $section"; exit 1; }
done
