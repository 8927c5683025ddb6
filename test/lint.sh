#!/usr/bin/env bash
# Format, vet, static analysis, unreachable code.
set -euo pipefail
cd "$(dirname "$0")/.."
gofumpt=mvdan.cc/gofumpt@v0.12.0
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
deadcode=golang.org/x/tools/cmd/deadcode@v0.51.0

echo "== gofumpt"
odd=$(go run $gofumpt -l cmd internal test bench deploy)
if [ -n "$odd" ]; then
	echo "not formatted; run gofumpt -w on:" "$odd" >&2
	exit 1
fi
echo "== go vet"
go vet ./...
echo "== staticcheck"
go run $staticcheck ./...
echo "== deadcode: nothing unreachable from cmd/weir"
dead=$(go run $deadcode ./cmd/weir)
if [ -n "$dead" ]; then
	echo "$dead" >&2
	exit 1
fi
