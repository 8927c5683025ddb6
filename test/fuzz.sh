#!/usr/bin/env bash
# Fuzzes every target of the project, each for the time given.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
time=${1:-10s}
grep -rlE '^func Fuzz' --include='*_test.go' internal | xargs -n1 dirname | sort -u | while read -r dir; do
	grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //' | sort -u | while read -r target; do
		echo "fuzz $dir $target $time"
		$GO test "./$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x -parallel 2 </dev/null
	done
done
