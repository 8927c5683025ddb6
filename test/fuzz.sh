#!/usr/bin/env bash
# Fuzzes every target of the project, each for the time (60s) or the number of inputs (2000x) given.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
budget=${1:-10s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# fuzz runs one target. Go's fuzzer at times reports its own deadline as a failure, when the time is over while an input
# runs; a failure of the target names the input that it wrote down.
fuzz() {
	echo "fuzz $1 $2 $budget"
	if $GO test "./$1" -run '^$' -fuzz "^$2\$" -fuzztime "$budget" -fuzzminimizetime 20x -parallel 2 </dev/null >"$log" 2>&1; then
		tail -n 1 "$log"
	elif grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
		echo "ok: the time was over"
	else
		cat "$log"
		return 1
	fi
}

for dir in $(grep -rlE '^func Fuzz' --include='*_test.go' internal | xargs -n1 dirname | sort -u); do
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //' | sort -u); do
		fuzz "$dir" "$target"
	done
done
