#!/usr/bin/env bash
# Fuzzes every target of the project, or of the packages in the folders given, each for the time (60s) or the number of inputs
# (2000x) given. As many packages at a time as there are processors.
set -euo pipefail
cd "$(dirname "$0")/.."
export GO=${GO:-go} WEIR_SEEDS
budget=${1:-10s}
shift || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A burst begins from some seeds alone, so that it takes as long everywhere; a long run goes on from what earlier ones found.
case $budget in
*x | *ms) cache=$work/found WEIR_SEEDS=8 ;;
*) cache=$($GO env GOCACHE)/fuzz ;;
esac

if [ $# -ne 1 ]; then
	# shellcheck disable=SC2046
	[ $# -gt 0 ] || set -- $(grep -rlE '^func Fuzz' --include='*_test.go' internal | xargs -n1 dirname | sort -u)
	printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 ./test/fuzz.sh "$budget"
	exit
fi

module=$($GO list -m)

# fuzz runs one target of the test program of a folder. Go's fuzzer at times reports its own deadline as a failure, when the
# time is over while an input runs; a failure of the target names the input that it wrote down.
fuzz() {
	if (cd "$1" && "$work/fuzz.test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$3" -test.fuzzminimizetime 20x \
		-test.parallel 1 -test.fuzzcachedir "$cache/$module/$1") </dev/null >"$work/log" 2>&1; then
		last=$(sed -n 's/^fuzz: elapsed: //p' "$work/log" | tail -n 1)
	elif grep -q 'context deadline exceeded' "$work/log" && ! grep -q 'Failing input written' "$work/log"; then
		last="the time was over"
	else
		echo "fuzz $1 $2: FAILED"
		cat "$work/log"
		return 1
	fi
}

# burst fuzzes a target, and gives it longer if all its time went into its seeds.
burst() {
	fuzz "$1" "$2" "$budget"
	case $budget:$last in
	*ms:*gathering* | *ms:"the time was over") fuzz "$1" "$2" 1s ;;
	esac
	case $last in
	*gathering*) last="only its seeds: $last" ;;
	esac
	echo "fuzz $1 $2: $last"
}

$GO test -c -vet=off -ldflags='-s -w' -fuzz=. -o "$work/fuzz.test" "./$1"
for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$1"/*_test.go | sed 's/^func //' | sort -u); do
	burst "$1" "$target"
done
