#!/usr/bin/env bash
# Proves what can be proven of a release on one Linux machine: make release-check. It builds this commit twice, in two folders, compares, and
# installs and runs each thing in a root or folder of its own. It lists at the end what it did not try. What it could try with other programs
# or rights is an error with WEIR_REQUIRE=all.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
GO=${GO:-go}
export GO
version=0.0.1-rc1 # of no release
python_version=0.0.1rc1
commit=$(git rev-parse HEAD) # even if somebody commits meanwhile
arch=$($GO env GOARCH)
work=$(mktemp -d)
untried=() missing=()
served=
finish() {
	if [ -n "$served" ]; then kill "$served" 2>/dev/null || true; fi
	rm -rf "$work"
}
trap finish EXIT
trap 'echo "release-check: failed while: $doing" >&2' ERR

doing=start
begin() {
	doing=$*
	echo "== $*"
}
fail() {
	echo "release-check: $*" >&2
	exit 1
}
not_tried() {
	untried+=("$*")
	echo "   not tried: $*"
}
# has says whether a program is there, and how to get it.
has() {
	command -v "$1" >/dev/null && return
	missing+=("$doing: there is no $1; apt-get install ${2:-$1}")
	return 1
}
# is_root says whether chroot and the like are allowed.
is_root() {
	[ "$(id -u)" = 0 ] && return
	missing+=("$doing: it needs the rights of root")
	return 1
}
# expect runs a command that must print the version.
expect() { "$@" | grep -F "v$version" || fail "$doing: $* does not print v$version"; }

# checkout makes a checkout of this commit with a tag, as a release has.
checkout() {
	git clone -q . "$1"
	(
		cd "$1"
		git checkout -q --detach "$commit"
		git tag -l | xargs -r git tag -d >/dev/null
		git -c tag.gpgSign=false tag "v$version"
		git remote set-url origin https://github.com/weir-gate/weir
	)
}

# program prints the path of the binary for this machine.
program() { echo "$dist"/weir_linux_"$arch"*/weir; }

sources() {
	begin "scripts and the tool of releases"
	if has shellcheck; then shellcheck install.sh deploy/release/*.sh; fi
	(cd deploy/release && $GO mod tidy -diff && $GO vet ./... && $GO test ./...)
}

build() {
	begin "build in one folder"
	checkout "$work/one"
	tool=$work/one/.cache/release/tool
	(cd "$work/one" && $GO run -C deploy/release . keygen "$work/key" "$work/key.pub")
	WEIR_SIGNING_KEY=$(cat "$work/key")
	export WEIR_SIGNING_KEY
	(cd "$work/one" && ./deploy/release/build.sh) >"$work/log" 2>&1 || { cat "$work/log" && false; }
	dist=$work/one/dist
	grep ' MB$' "$work/log"
	expect "$(program)" --version
	"$(program)" version --json | grep -F "\"commit\": \"$commit\"" >/dev/null || fail "weir does not know its commit"
}

again() {
	begin "build in another folder, zone and umask: the same bytes"
	checkout "$work/other/two"
	(cd "$work/other/two" && umask 027 && TZ=Asia/Tokyo ./deploy/release/build.sh) >"$work/log" 2>&1 || { cat "$work/log" && false; }
	local sums
	for sums in checksums.txt checksums.txt.minisig elsewhere/checksums.txt elsewhere/checksums.txt.minisig; do
		cmp "$dist/$sums" "$work/other/two/dist/$sums" || { diff "$dist/$sums" "$work/other/two/dist/$sums" || fail "two builds are not equal"; }
	done
	echo "   $(cat "$dist/checksums.txt" "$dist/elsewhere/checksums.txt" | wc -l) files are equal"

	begin "compile all anew for linux/$arch, with an empty cache: the same bytes"
	(
		cd "$work/other/two"
		GOCACHE=$work/cache CGO_ENABLED=0 GOOS=linux GOARCH=$arch $GO build -trimpath -buildvcs=true \
			-ldflags "-s -w -X github.com/weir-gate/weir/internal/app/version.given=v$version" -o "$work/cold" ./cmd/weir
	)
	cmp "$work/cold" "$(program)"
	rm -rf "$work/cache" "$work/other"
}

signatures() {
	begin "signatures"
	"$tool" verify -key "$work/key.pub" "$dist/checksums.txt" "$dist/elsewhere/checksums.txt"
	if has minisign; then
		minisign -Vqm "$dist/checksums.txt" -p "$work/key.pub"
		minisign -Vqm "$dist/elsewhere/checksums.txt" -p "$work/key.pub"
	fi
	mkdir "$work/forged"
	cp "$dist/checksums.txt.minisig" "$work/forged/"
	{ cat "$dist/checksums.txt" && echo; } >"$work/forged/checksums.txt"
	if "$tool" verify -key "$work/key.pub" "$work/forged/checksums.txt" 2>/dev/null; then fail "a forged file passes for signed"; fi
	(cd "$dist" && sha256sum --quiet -c checksums.txt)
}

documents() {
	begin "SPDX, by the tools of its makers"
	has python3 || return 0
	if ! { python3 -m venv "$work/spdx" && "$work/spdx/bin/pip" install --quiet spdx-tools==0.8.5; } >"$work/log" 2>&1; then
		missing+=("$doing: pip cannot install spdx-tools")
		return 0
	fi
	local document
	for document in "$dist"/*.spdx.json; do "$work/spdx/bin/pyspdxtools" --infile "$document"; done
}

deb() {
	begin "deb in a fresh Debian"
	is_root || return 0
	has debootstrap || return 0
	local root=$work/debian
	debootstrap --variant=minbase stable "$root" >"$work/log" 2>&1 || { tail -n 20 "$work/log" && false; }
	cp "$dist/weir_${version}_linux_$arch.deb" "$root/weir.deb"
	chroot "$root" dpkg --install /weir.deb >/dev/null
	expect chroot "$root" weir --version
	chroot "$root" dpkg --verify weir
	chroot "$root" dpkg --listfiles weir | grep -x /usr/share/man/man1/weir-run.1 >/dev/null || fail "the deb has no manual pages"
	chroot "$root" weir demo >/dev/null
	chroot "$root" dpkg --remove weir >/dev/null
	[ ! -e "$root/usr/bin/weir" ] || fail "dpkg --remove leaves weir behind"
}

rpms() {
	begin "rpm in an empty root"
	is_root || return 0
	has rpm || return 0
	local root=$work/rpm package=$dist/weir_${version}_linux_$arch.rpm
	mkdir "$root"
	rpm --root "$root" --initdb
	rpm --root "$root" --install "$package" 2>"$work/log" || { cat "$work/log" && false; }
	expect chroot "$root" /usr/bin/weir --version
	rpm --root "$root" --verify weir || fail "what rpm installed is not what is in the package"
	rpm --root "$root" --query --info weir | grep -E '^(Version|Release|License|URL) ' | sed 's/^/   /'
	rpm --root "$root" --erase weir 2>"$work/log" || { cat "$work/log" && false; }
	[ ! -e "$root/usr/bin/weir" ] || fail "rpm --erase leaves weir behind"
}

apk() {
	begin "apk, unpacked"
	mkdir "$work/apk"
	tar -xzf "$dist/weir_${version}_linux_$arch.apk" -C "$work/apk" 2>/dev/null
	grep -qx 'pkgname = weir' "$work/apk/.PKGINFO" || fail "the apk does not say what it is"
	grep -qE '^pkgver = [0-9.]+(_(alpha|beta|pre|rc)[0-9]*)?$' "$work/apk/.PKGINFO" || fail "apk does not take such a version"
	expect "$work/apk/usr/bin/weir" --version
	not_tried "apk: it was unpacked, not installed by apk"
}

archives() {
	begin "archive, by install.sh from a server"
	has python3 || return 0
	mkdir -p "$work/www/download/v$version" "$work/www/latest"
	cp "$dist"/*.tar.gz "$dist"/checksums.txt* "$work/www/download/v$version/"
	ln -s "../download/v$version" "$work/www/latest/download"
	mkfifo "$work/server"
	python3 -u -m http.server --bind 127.0.0.1 --directory "$work/www" 0 >"$work/server" 2>/dev/null &
	served=$!
	local url
	url=$(sed 's/.*(\(http[^)]*\)).*/\1/;q' "$work/server")
	[ -n "$url" ] || fail "the server of files did not start"
	local key=()
	if has minisign; then key=(--key "$(tail -n 1 "$work/key.pub")"); fi
	expect sh install.sh --from "${url%/}" --dir "$work/bin" "${key[@]}"
	if [ ${#key[@]} -gt 0 ]; then
		"$tool" keygen "$work/key2" "$work/key2.pub"
		if sh install.sh --from "${url%/}" --dir "$work/bin2" --key "$(tail -n 1 "$work/key2.pub")" 2>/dev/null; then
			fail "install.sh takes the signature of another key"
		fi
	fi
	cat "$work/www/download/v$version/checksums.txt" >>"$work/www/download/v$version/weir_${version}_linux_$arch.tar.gz"
	if sh install.sh --from "${url%/}" --dir "$work/bin2" 2>/dev/null; then fail "install.sh installs an archive that is not the one of the sums"; fi
	[ ! -e "$work/bin2/weir" ] || fail "install.sh refuses, but leaves a weir behind"
}

npm_packages() {
	begin "npm packages, from their files, offline"
	has npm || return 0
	local from=$dist/elsewhere/npm processor=$arch
	[ "$arch" != amd64 ] || processor=x64
	mkdir "$work/npm"
	(
		cd "$work/npm"
		echo '{"private":true}' >package.json
		npm install --offline --no-audit --no-fund --loglevel=error --cache "$work/npm-cache" \
			"$from/weir-gate-weir-$version.tgz" "$from/weir-gate-weir-linux-$processor-$version.tgz" >/dev/null
		expect npx --offline weir --version
		code=0
		npx --offline weir no-such-command 2>/dev/null || code=$?
		[ $code = 2 ] || fail "npx weir ends with $code, where weir ends with 2"
		rm -r "node_modules/@weir-gate/weir-linux-$processor"
		if npx --offline weir --version 2>"$work/log"; then fail "npx weir runs something without the package of the platform"; fi
		grep -q 'is not installed' "$work/log" || fail "npx weir does not say which package is missing"
	)
}

wheels() {
	begin "PyPI wheel, from its file, offline"
	has python3 || return 0
	python3 -m venv "$work/venv" || { missing+=("$doing: python3 has no venv; apt-get install python3-venv") && return 0; }
	"$work/venv/bin/pip" install --quiet --no-index --find-links "$dist/elsewhere/pypi" "weir-gate==$python_version"
	expect "$work/venv/bin/weir" --version
	"$work/venv/bin/pip" show --files weir-gate | grep bin/weir >/dev/null || fail "pip does not know that the program is part of the package"
	"$work/venv/bin/pip" uninstall --quiet --yes weir-gate
	[ ! -e "$work/venv/bin/weir" ] || fail "pip uninstall leaves weir behind"
}

image() {
	begin "container image, unpacked and run as its user"
	local root=$work/image other=amd64
	[ "$arch" != amd64 ] || other=arm64
	"$tool" unpack -image "$dist/elsewhere/weir_image.tar" -platform "linux/$other" | tar -t | grep -x usr/bin/weir >/dev/null ||
		fail "the image for $other has no weir"
	not_tried "image for $other: it was unpacked, not run"
	is_root || return 0
	mkdir "$root"
	"$tool" unpack -image "$dist/elsewhere/weir_image.tar" -platform "linux/$arch" | tar -x --same-owner -p -C "$root"
	chmod 755 "$work" "$root"
	local within=(env -i PATH=/usr/bin HOME=/home/weir "$(command -v chroot)" --userspec=65532:65532 "$root" /usr/bin/weir)
	expect "${within[@]}" --version
	"${within[@]}" demo >/dev/null
	"${within[@]}" init >/dev/null
	"${within[@]}" config check >/dev/null
	[ "$(grep -c BEGIN "$root/etc/ssl/certs/ca-certificates.crt")" -gt 100 ] || fail "the image has no bundle of certificates"
	[ -s "$root/usr/share/zoneinfo/Europe/Berlin" ] || fail "the image has no time zones"
	[ "$(find "$root" -type f -perm /111 | wc -l)" = 1 ] || fail "the image has other programs than weir"
	not_tried "image: no container runtime ran it; chroot did"
}

brew() {
	begin "Homebrew formula"
	if has ruby; then ruby -c "$dist/elsewhere/weir.rb" >/dev/null; fi
	local sum name
	while read -r sum name; do
		case $name in
		*linux*.tar.gz | *darwin*.tar.gz) grep -qF "\"$sum\"" "$dist/elsewhere/weir.rb" || fail "the formula does not have the sum of $name" ;;
		esac
	done <"$dist/checksums.txt"
	not_tried "formula: no brew installed it"
}

from_sources() {
	begin "make install"
	(cd "$work/one" && make -s install DESTDIR="$work/installed" PREFIX=/usr >/dev/null)
	expect "$work/installed/usr/bin/weir" --version
	if has man man-db; then man --local-file "$work/installed/usr/share/man/man1/weir-run.1" | grep WEIR-RUN >/dev/null; fi
}

sources
build
again
signatures
documents
deb
rpms
apk
archives
npm_packages
wheels
image
brew
from_sources
not_tried "macOS and Windows: their binaries were built, not run"
echo "== not tried here"
printf '   %s\n' "${untried[@]}" "${missing[@]}"
if [ ${#missing[@]} -gt 0 ] && [ "${WEIR_REQUIRE:-}" = all ]; then fail "WEIR_REQUIRE=all: get what is missing"; fi
echo "== what was tried works"
