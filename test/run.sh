#!/usr/bin/env bash
# Runs all tests and says at the end what could not run here and why. With WEIR_REQUIRE=all that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
export WEIR_SKIPS
WEIR_SKIPS=$(mktemp)
trap 'rm -f "$WEIR_SKIPS"' EXIT

echo "== unit, scenarios, command line, house rules"
# What the race detector watches runs once, below.
# shellcheck disable=SC2086,SC2046
$GO test -timeout 20m $($GO list ./... | grep -vxF "$($GO list ${RACE})")
echo "== race detector"
# shellcheck disable=SC2086
$GO test -race -timeout 20m ${RACE}
# SQLite is slow under it: of the store's tests only those in which several work at once.
$GO test -race -run 'Share|Together|WhileRecording|MissesNothing|CutConnections|UnderLoad' ./internal/record/store
echo "== a short burst of every fuzz target"
./test/fuzz.sh 300x

if [ -s "$WEIR_SKIPS" ]; then
	echo "== could not run here"
	sort -u "$WEIR_SKIPS" | column -t -s "$(printf '\t')" 2>/dev/null || sort -u "$WEIR_SKIPS"
	if [ "${WEIR_REQUIRE:-}" = all ]; then
		echo "WEIR_REQUIRE=all: everything must run" >&2
		exit 1
	fi
fi
echo "== all tests passed"
