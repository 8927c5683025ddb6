#!/usr/bin/env bash
# Fuzzes every target of the project, each for the time (60s) or the number of inputs (2000x) given.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
budget=${1:-10s}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A burst begins from the seeds alone, so that it takes as long everywhere; a long run goes on from what earlier ones found.
case $budget in
*x) cache=$work/found ;;
*) cache=$($GO env GOCACHE)/fuzz ;;
esac

# fuzz runs one target of the test program of a folder. Go's fuzzer at times reports its own deadline as a failure, when the
# time is over while an input runs; a failure of the target names the input that it wrote down.
fuzz() {
	echo "fuzz $1 $2 $budget"
	if (cd "$1" && "$work/fuzz.test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$budget" -test.fuzzminimizetime 20x \
		-test.parallel 2 -test.fuzzcachedir "$cache/$($GO list .)") </dev/null >"$work/log" 2>&1; then
		tail -n 2 "$work/log"
	elif grep -q 'context deadline exceeded' "$work/log" && ! grep -q 'Failing input written' "$work/log"; then
		echo "ok: the time was over"
	else
		cat "$work/log"
		return 1
	fi
}

for dir in $(grep -rlE '^func Fuzz' --include='*_test.go' internal | xargs -n1 dirname | sort -u); do
	$GO test -c -fuzz=. -o "$work/fuzz.test" "./$dir"
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //' | sort -u); do
		fuzz "$dir" "$target"
	done
done
