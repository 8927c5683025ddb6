#!/usr/bin/env bash
# Runs all tests and says at the end what could not run here and why. With WEIR_REQUIRE=all that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
# What is built here does not depend on the folder: another checkout finds it in the cache.
export GOFLAGS="${GOFLAGS:-} -trimpath"

# What runs the real program, other programs, namespaces and file systems. What takes longest comes first.
system="./test/agents/opencode ./test/agents/gemini ./internal/app/cli ./test/mcp ./internal/run/confine ./test/agents/...
	./test/faults ./test/crash ./test/bounds ./test/docs ./test/terminal ./test/reading ./internal/app/cli/... ./internal/run/..."
# Of the rest, what takes longest.
slow="./internal/record/store ./test/scenarios ./test/clients/differential ./internal/model/dialect/openairesponses ./test/clients/...
	./internal/model/dialect/... ./internal/text/script"
# Where goroutines meet, the race detector watches.
race="./internal/model/proxy ./internal/app/daemon ./internal/mcp/registry ./internal/judge/... ./internal/mcp/... ./internal/gate/...
	./internal/record/recorder ./internal/record/recordlog ./internal/record/follower ./internal/record/checkpoint
	./internal/record/custodian ./internal/record/bodies ./internal/record/ship/...
	./internal/intake/... ./internal/run ./internal/run/egress ./internal/app/control ./internal/approval/..."
# Tests of those packages that compute much and ask one thing at a time. The race detector makes them ten times as slow, and
# sees nothing there that it does not see in the others.
alone="TestRereadsAreNeverLaxer|TestTooCostly|TestPresetsInShadowDeliverEverything|TestPresetsRefuseDestruction"
alone="$alone|TestBalancedLetsEverydayWorkPass|TestTextAllocatesNothing|TestHelloAsServersReadIt|TestVerdictsAreBounded"
alone="$alone|TestPlacesAreBounded|TestNoReaderOfFilesFindsAnUnjudgedCall|TestFilesPass|TestReadersFind"
alone="$alone|TestCompressedFilesPass|TestCompressedCallsStay|TestCompressedFilesRefused"
alone="$alone|TestCoverIsCounted|TestUnreadableAnswersDoNotPass"
# SQLite is slow under it: of the store's tests only those in which several work at once.
together="Share|Together|WhileRecording|MissesNothing|CutConnections|UnderLoad"

work=$(mktemp -d)
memory=$(mktemp -d "$(./test/memory.sh)/weir-XXXXXX")
chmod 711 "$memory" # PostgreSQL runs as another user
trap 'rm -rf "$work" "$memory"' EXIT
export WEIR_SKIPS=$work/skips
# Those that run the real program share one.
make -s build
export WEIR_BIN=$PWD/bin/weir

# Those that need PostgreSQL share a server. It ends with this script.
$GO build -o "$work/postgres" ./test/postgres
mkfifo "$work/orders" "$work/url"
TMPDIR=$memory "$work/postgres" <"$work/orders" >"$work/url" &
exec 3>"$work/orders"
trap 'exec 3>&-; wait; rm -rf "$work" "$memory"' EXIT
if ! read -r WEIR_POSTGRES <"$work/url"; then
	echo "no PostgreSQL for all: each package that needs one starts its own" >&2
	WEIR_POSTGRES=
fi
export WEIR_POSTGRES

# suite runs the tests of packages, so many at a time. Vet looks at all of them beforehand. As they do not run for long, they collect
# less garbage, and are linked without what only debuggers read.
processors=$(getconf _NPROCESSORS_ONLN)
suite() { GOGC=400 $GO test -vet=off -ldflags='-s -w' -timeout 20m -p "$@" 3>&-; }

# beside runs two functions at the same time: what the first prints follows when both have ended. What runs the program waits more
# than it computes, and so do databases; what runs beside them uses the processors meanwhile.
beside() {
	$1 >"$work/$1" 2>&1 &
	local first=$! failed=0
	$2 || failed=$?
	wait $first || failed=$?
	cat "$work/$1"
	return $failed
}

# packages lists those of the first argument without those of the second. Each is a list of patterns.
# shellcheck disable=SC2086
packages() { $GO list $1 | grep -vxF "$($GO list $2)"; }

# having lists the packages of the first argument that have a test with one of the names of the second.
# shellcheck disable=SC2086
having() { $GO list -f '{{.Dir}}' $1 | while read -r dir; do grep -qsE "^func ($2)\(" "$dir"/*_test.go && echo "$dir"; done || true; }

# The lists are patterns and names, without blanks in them.
# shellcheck disable=SC2046,SC2086
{
	program() {
		echo "== the program: command line, guarded runs, agents, MCP, faults, crashes"
		suite $((processors + 1)) $(packages "$system" "$race")
	}
	parts() {
		echo "== the parts, scenarios, SDK clients, house rules"
		TMPDIR=$memory suite $processors -run "^($alone)\$" $(having "$race" "$alone") &&
			TMPDIR=$memory suite $processors $slow $(packages ./... "$system $race $slow")
	}
	races() {
		echo "== race detector"
		TMPDIR=$memory suite $((processors * 2)) -race -skip "^($alone)\$" $race
	}
	storeRaces() { TMPDIR=$memory suite 1 -race -run "$together" ./internal/record/store; }

	echo "== vet"
	$GO vet ./...
	beside program parts
	beside storeRaces races
	# The seeds of all fuzz targets ran above. Beyond them a run fuzzes a third of the packages, each day another; make fuzz has all.
	echo "== a short burst of a third of the fuzz targets"
	./test/fuzz.sh 300ms $(grep -rlE '^func Fuzz' --include='*_test.go' internal | xargs -n1 dirname | sort -u |
		awk -v third=$((10#$(date +%j) % 3)) 'NR % 3 == third') 3>&-
}

if [ -s "$WEIR_SKIPS" ]; then
	echo "== could not run here"
	sort -u "$WEIR_SKIPS" | column -t -s "$(printf '\t')" 2>/dev/null || sort -u "$WEIR_SKIPS"
	if [ "${WEIR_REQUIRE:-}" = all ]; then
		echo "WEIR_REQUIRE=all: everything must run" >&2
		exit 1
	fi
fi
echo "== all tests passed"
