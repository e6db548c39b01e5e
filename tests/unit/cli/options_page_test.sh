#!/bin/bash
# docs/options.md is what the table of commands says.
set -euo pipefail
page=$1 made=$2

if ! diff "$page" "$made"; then
  echo "docs/options.md is not what cli/commands.table makes; write it anew:"
  echo "  bazel build //cli:options_page && cp -f bazel-bin/cli/options.md docs/options.md"
  exit 1
fi
