#!/bin/sh
# Installs weir on Linux or macOS: downloads an archive of a release, checks its sum, and copies one file.
#
#   sh install.sh                          the newest version, to ~/.local/bin
#   sh install.sh --version 0.1.0          that version
#   sh install.sh --dir /usr/local/bin     to that folder
#   sh install.sh --key RWQ...             also checks the signature of the sums, by the program minisign
#   sh install.sh --from URL               from another server that has the same files
#   sh install.sh --dry-run                says what it would do, and changes nothing
#
# It needs curl or wget, tar, and sha256sum, shasum or openssl. It runs nothing that it downloads before the sum is right, asks for no
# privileges, and changes no file but weir in the folder.
set -eu

releases=https://github.com/weir-gate/weir/releases
version=latest
folder=
key=
dry=
protocol=https

fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# fetch downloads a URL to a file.
fetch() {
	if has curl; then
		curl --fail --silent --show-error --location --proto "=$protocol" --retry 2 --output "$2" "$1" || fail "cannot download $1"
	elif has wget; then
		wget -q -O "$2" "$1" || fail "cannot download $1"
	else
		fail "install curl or wget, which download files"
	fi
}

# sum prints the SHA-256 of a file.
sum() {
	if has sha256sum; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif has shasum; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	elif has openssl; then
		openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
	else
		fail "install sha256sum, shasum or openssl: without one of them the download cannot be checked"
	fi
}

system() {
	case $(uname -s) in
	Linux) echo linux ;;
	Darwin) echo darwin ;;
	*) fail "there is no archive for $(uname -s) here; on Windows use the zip, npm or PyPI (docs/install.md)" ;;
	esac
}

processor() {
	case $(uname -m) in
	x86_64 | amd64) echo amd64 ;;
	aarch64 | arm64) echo arm64 ;;
	*) fail "there is no archive for $(uname -m); build weir from its sources (make install)" ;;
	esac
}

# check_signature checks the sums by the public key.
check_signature() {
	[ -n "$key" ] || return 0
	has minisign || fail "--key needs the program minisign; install it, or leave --key out and trust the server"
	fetch "$1.minisig" "$work/checksums.txt.minisig"
	minisign -Vqm "$work/checksums.txt" -P "$key" || fail "the sums are not signed by that key; nothing was installed"
}

while [ $# -gt 0 ]; do
	case $1 in
	--version | --dir | --key | --from)
		[ -n "${2:-}" ] || fail "$1 needs a value; sh install.sh --help"
		case $1 in
		--version) version=${2#v} ;;
		--dir) folder=$2 ;;
		--key) key=$2 ;;
		--from) releases=${2%/} protocol=http,https ;;
		esac
		shift
		;;
	--dry-run) dry=yes ;;
	-h | --help)
		sed -n '2,/^$/p' "$0" | sed -n 's/^# \{0,1\}//p'
		exit
		;;
	*) fail "unknown argument $1; sh install.sh --help" ;;
	esac
	shift
done
if [ -z "$folder" ]; then
	[ -n "${HOME:-}" ] || fail "HOME is not set; choose a folder with --dir"
	folder=$HOME/.local/bin
fi

system=$(system)
processor=$(processor)
platform=${system}_$processor
work=$(mktemp -d)
new=
trap 'rm -rf "$work" ${new:+"$new"}' EXIT
trap 'exit 1' HUP INT TERM

# The sums name the archives of a version, so they also say which version is the newest.
if [ "$version" = latest ]; then
	sums=$releases/latest/download/checksums.txt
else
	sums=$releases/download/v$version/checksums.txt
fi
fetch "$sums" "$work/checksums.txt"
check_signature "$sums"
line=$(grep -E "^[0-9a-f]{64}  weir_[0-9A-Za-z.-]+_$platform\.tar\.gz\$" "$work/checksums.txt") ||
	fail "$sums lists no archive for $platform"
[ "$(printf '%s\n' "$line" | wc -l)" -eq 1 ] || fail "$sums lists more than one archive for $platform"
expected=${line%% *}
name=${line##* }
found=${name#weir_}
found=${found%"_$platform.tar.gz"}
[ "$version" = latest ] || [ "$version" = "$found" ] || fail "$sums is of version $found, not $version"
archive=$releases/download/v$found/$name

if [ -n "$dry" ]; then
	printf 'would download %s\nwould check that its SHA-256 is %s\nwould install %s\n' "$archive" "$expected" "$folder/weir"
	exit
fi

fetch "$archive" "$work/$name"
actual=$(sum "$work/$name")
[ "$actual" = "$expected" ] ||
	fail "$archive has the SHA-256 $actual, but must have $expected; nothing was installed. Try again; if it stays so, tell us"
tar -xzf "$work/$name" -C "$work" weir || fail "$name has no weir in it; nothing was installed"
"$work/weir" --version >/dev/null || fail "the weir of $name does not run on this machine; nothing was installed"

# A new file takes the place of an old weir at once: one that runs keeps running.
mkdir -p "$folder" || fail "cannot create $folder; choose another with --dir"
new=$folder/.weir.$$
cp "$work/weir" "$new" 2>/dev/null || fail "cannot write to $folder; choose another with --dir, or run this with the rights to"
chmod 755 "$new"
mv -f "$new" "$folder/weir"
new=
printf 'installed %s: %s\n' "$folder/weir" "$("$folder/weir" --version)"
# shellcheck disable=SC2016 # the shell of the user replaces it
case :${PATH:-}: in
*:"$folder":*) ;;
*) printf 'put it on your PATH: export PATH="%s:$PATH"\n' "$folder" ;;
esac
