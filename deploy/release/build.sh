#!/bin/sh
# Builds a release in dist/: make release. A commit with a tag v1.2.3 becomes that version, and must be signed and in CHANGELOG.md; any other
# commit becomes a version for trying out.
set -eu
cd "$(dirname "$0")/../.."
GO=${GO:-go}
goreleaser=${GORELEASER:-$GO run github.com/goreleaser/goreleaser/v2@v2.15.0}
tool=.cache/release/tool

say() { printf '== %s\n' "$*"; }
fail() {
	printf 'release: %s\n' "$*" >&2
	exit 1
}

# Only the step that signs gets the key.
key=${WEIR_SIGNING_KEY:-} password=${WEIR_SIGNING_PASSWORD:-}
unset WEIR_SIGNING_KEY WEIR_SIGNING_PASSWORD
tag=$(git describe --exact-match --tags --match 'v*' 2>/dev/null || true)
if [ -n "$(git status --porcelain)" ]; then
	fail "the checkout has changes that are not committed, so the binaries would not be those of a commit; commit or stash them"
fi
mkdir -p .cache/release
if [ -n "$tag" ]; then
	[ -n "$key" ] ||
		fail "$tag must be signed; set WEIR_SIGNING_KEY to the text of the private key (docs/releasing.md says how to make one)"
	$GO run -C deploy/release . notes -changelog ../../CHANGELOG.md "$tag" >.cache/release/notes.md
	set --
else
	set -- --snapshot
fi

say "goreleaser: binaries, archives, packages, SPDX, checksums"
$goreleaser release --clean --skip=publish "$@" || fail "goreleaser failed; it says above at which step"

# What is published elsewhere than the archives.
say "container image"
$tool image -dist dist -out dist/elsewhere/weir_image.tar
say "packages for npm and PyPI, Homebrew formula"
$tool npm -dist dist -out dist/elsewhere/npm
$tool pypi -dist dist -out dist/elsewhere/pypi
$tool formula -dist dist -out dist/elsewhere/weir.rb
$tool sums dist/elsewhere/*.tar dist/elsewhere/*.rb dist/elsewhere/*/* >dist/elsewhere/checksums.txt
say "checks"
$tool check -dist dist
if [ -n "$key" ]; then
	say "signatures"
	WEIR_SIGNING_KEY=$key WEIR_SIGNING_PASSWORD=$password $tool sign dist/checksums.txt dist/elsewhere/checksums.txt
fi
say "the release is in dist/"
