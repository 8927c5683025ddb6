#!/usr/bin/env bash
# Runs all tests and says at the end what could not run here and why. With WEIR_REQUIRE=all that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
export WEIR_SKIPS
WEIR_SKIPS=$(mktemp)
trap 'rm -f "$WEIR_SKIPS"' EXIT

echo "== unit, scenarios, command line, house rules"
$GO test ./...
echo "== race detector"
# shellcheck disable=SC2086
$GO test -race ${RACE}
echo "== a short burst of every fuzz target"
./test/fuzz.sh 1000x

if [ -s "$WEIR_SKIPS" ]; then
	echo "== could not run here"
	sort -u "$WEIR_SKIPS" | column -t -s "$(printf '\t')" 2>/dev/null || sort -u "$WEIR_SKIPS"
	if [ "${WEIR_REQUIRE:-}" = all ]; then
		echo "WEIR_REQUIRE=all: everything must run" >&2
		exit 1
	fi
fi
echo "== all tests passed"
