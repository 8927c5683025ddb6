package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// program is the smallest thing that can be released.
const program = "package main\n\nfunc main() { println(\"weir\") }\n"

// makeDist makes a folder as goreleaser does, with a small program in place of weir.
func makeDist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := save(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/weir\n\ngo 1.26.0\n")
	write("main.go", program)
	write("LICENSE", "Apache License")
	write(".gitignore", "dist\n")
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, said)
		}
	}
	run("git", "init", "-q")
	run("git", "add", ".")
	run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "First", "--date", "2026-01-02T03:04:05Z")
	run("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", "dist/weir_linux_amd64/weir", ".")
	type artifact struct{ Name, Path, GOOS, GOARCH, Type string }
	all := []artifact{{"weir", "dist/weir_linux_amd64/weir", "linux", "amd64", "Binary"}}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			name := fmt.Sprintf("weir_1.2.3_%s_%s.tar.gz", system, processor)
			write("dist/"+name, name)
			all = append(all, artifact{name, "dist/" + name, system, processor, "Archive"})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	write("dist/artifacts.json", string(text))
	write("dist/metadata.json", `{"version":"1.2.3","commit":"abc","date":"now"}`)
	return filepath.Join(dir, "dist")
}

// untarred returns the files of a tar: their modes and texts.
func untarred(t *testing.T, r io.Reader) map[string]file {
	t.Helper()
	files := map[string]file{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = file{h.Name, h.Mode, data, h.Uid}
	}
}

// goreleaser builds in parallel: the order of its list says nothing, and must change nothing.
func TestOrderDoesNotMatter(t *testing.T) {
	dist := makeDist(t)
	path := filepath.Join(dist, "artifacts.json")
	var all []map[string]string
	if err := readJSON(path, &all); err != nil {
		t.Fatal(err)
	}
	// The same program plays that of another processor.
	other := maps.Clone(all[0])
	other["GOARCH"], other["Path"] = "arm64", "dist/weir_linux_arm64/weir"
	program, err := os.ReadFile(filepath.Join(dist, "weir_linux_amd64/weir"))
	if err != nil {
		t.Fatal(err)
	}
	if err := save(filepath.Join(dist, "weir_linux_arm64/weir"), program); err != nil {
		t.Fatal(err)
	}
	all = append(all, other)
	sums := map[string]bool{}
	for range 2 {
		slices.Reverse(all)
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := save(path, text); err != nil {
			t.Fatal(err)
		}
		image := filepath.Join(t.TempDir(), "image.tar")
		if err := run([]string{"image", "-dist", dist, "-out", image}); err != nil {
			t.Fatal(err)
		}
		sum, err := sumOf(image)
		if err != nil {
			t.Fatal(err)
		}
		sums[sum] = true
	}
	if len(sums) != 1 {
		t.Error("two orders make two images")
	}
}

func TestPackagesOfNPM(t *testing.T) {
	dist, out := makeDist(t), t.TempDir()
	if err := run([]string{"npm", "-dist", dist, "-out", out}); err != nil {
		t.Fatal(err)
	}
	open := func(name string) map[string]file {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return untarred(t, r)
	}
	whole, part := open("weir-gate-weir-1.2.3.tgz"), open("weir-gate-weir-linux-x64-1.2.3.tgz")
	var m manifest
	if err := json.Unmarshal(whole["package/package.json"].data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Optional["@weir-gate/weir-linux-x64"] != "1.2.3" || m.Bin["weir"] != "bin/weir.js" || whole["package/bin/weir.js"].mode != 0o755 {
		t.Errorf("got %+v", m)
	}
	built, err := os.ReadFile(filepath.Join(dist, "weir_linux_amd64/weir"))
	if err != nil {
		t.Fatal(err)
	}
	if weir := part["package/bin/weir"]; weir.mode != 0o755 || !bytes.Equal(weir.data, built) {
		t.Error("the package of the platform does not have the program")
	}
}

func TestWheels(t *testing.T) {
	dist, out := makeDist(t), t.TempDir()
	if err := run([]string{"pypi", "-dist", dist, "-out", out}); err != nil {
		t.Fatal(err)
	}
	r, err := zip.OpenReader(filepath.Join(out, "weir_gate-1.2.3-py3-none-"+wheelTags["linux/amd64"]+".whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	seen := ""
	for _, f := range r.File {
		seen += f.Name + " " + f.Mode().String() + "\n"
	}
	if want := `weir_gate-1.2.3.data/scripts/weir -rwxr-xr-x
weir_gate-1.2.3.dist-info/licenses/LICENSE -rw-r--r--
weir_gate-1.2.3.dist-info/METADATA -rw-r--r--
weir_gate-1.2.3.dist-info/WHEEL -rw-r--r--
weir_gate-1.2.3.dist-info/RECORD -rw-r--r--
`; seen != want {
		t.Errorf("got\n%s", seen)
	}
}

func TestVersionsOfPython(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3", "1.2.3-rc1": "1.2.3rc1", "1.2.3-alpha10": "1.2.3a10", "1.2.3-beta2": "1.2.3b2", "0.0.1-pre17": "0.0.1.dev17",
		"1.2.3-check": "", "1.2.3-rc.1": "", "1.2.3+build": "", "v1.2.3": "", "1.2": "",
	} {
		got, err := pythonVersion(version)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", version, got, err, want)
		}
	}
}

func TestImage(t *testing.T) {
	dist, path := makeDist(t), filepath.Join(t.TempDir(), "image.tar")
	if err := run([]string{"image", "-dist", dist, "-out", path}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := untar(path, dir); err != nil {
		t.Fatal(err)
	}
	img, err := imageFor(dir, "linux/amd64")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := img.ConfigFile()
	if err != nil || cfg.Config.User != "65532:65532" || cfg.Config.Entrypoint[0] != "/usr/bin/weir" {
		t.Errorf("got %+v, %v", cfg, err)
	}
	if _, err := imageFor(dir, "linux/mips"); err == nil {
		t.Error("there is an image for a platform without a binary")
	}
	// A byte is changed: it must be noticed.
	blobs, err := filepath.Glob(filepath.Join(dir, "blobs/sha256/*"))
	if err != nil || len(blobs) < 4 {
		t.Fatalf("got %v, %v", blobs, err)
	}
	for _, blob := range blobs {
		data, err := os.ReadFile(blob)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(data)
		changed[len(changed)/2] ^= 1
		if err := os.WriteFile(blob, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := imageFor(dir, "linux/amd64"); err == nil {
			t.Errorf("%s was changed, and nobody noticed", filepath.Base(blob))
		}
		if err := os.WriteFile(blob, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesOfTheImage(t *testing.T) {
	files, err := rootfs()
	if err != nil {
		t.Fatal(err)
	}
	data, err := tarOf(files, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	all := untarred(t, bytes.NewReader(data))
	if n := bytes.Count(all["etc/ssl/certs/ca-certificates.crt"].data, []byte("BEGIN CERTIFICATE")); n < 100 {
		t.Errorf("%d certificates", n)
	}
	if len(all["usr/share/zoneinfo/Europe/Berlin"].data) == 0 {
		t.Error("no time zones")
	}
	if home := all["home/weir/"]; home.user != user || home.mode != 0o700 {
		t.Errorf("the home folder is %+v", home)
	}
	for name, f := range all {
		if f.mode&0o111 != 0 && !strings.HasSuffix(name, "/") {
			t.Errorf("%s can be executed", name)
		}
	}
}

func TestFormula(t *testing.T) {
	dist, path := makeDist(t), filepath.Join(t.TempDir(), "weir.rb")
	if err := run([]string{"formula", "-dist", dist, "-out", path}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := sumOf(filepath.Join(dist, "weir_1.2.3_darwin_arm64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("url %q\n      sha256 %q", home+"/releases/download/v1.2.3/weir_1.2.3_darwin_arm64.tar.gz", sum)
	if !strings.Contains(string(text), want) {
		t.Errorf("want %s in\n%s", want, text)
	}
}

func TestDocument(t *testing.T) {
	dist := makeDist(t)
	path := filepath.Join(t.TempDir(), "weir.spdx.json")
	if err := run([]string{"spdx", filepath.Join(dist, "weir_linux_amd64/weir"), path}); err != nil {
		t.Fatal(err)
	}
	var doc spdxDocument
	if err := readJSON(path, &doc); err != nil {
		t.Fatal(err)
	}
	if err := doc.check(); err != nil {
		t.Error(err)
	}
	if doc.Packages[0].Name != "example.com/weir" || doc.Packages[1].Name != "go" {
		t.Errorf("got %+v", doc.Packages)
	}
	doc.Relationships[0].Related = "SPDXRef-Nothing"
	if err := doc.check(); err == nil {
		t.Error("a relation to nothing passes")
	}
}

func TestSignatures(t *testing.T) {
	for _, password := range []string{"", "secret"} {
		dir := t.TempDir()
		in := func(name string) string { return filepath.Join(dir, name) }
		t.Setenv(passwordVariable, password)
		t.Setenv(keyVariable, "")
		if err := save(in("file"), []byte("text")); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"sign", in("file")}); err == nil || !strings.Contains(err.Error(), keyVariable) {
			t.Errorf("without a key: %v", err)
		}
		for _, name := range []string{"mine", "other"} {
			if err := run([]string{"keygen", in(name), in(name + ".pub")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := run([]string{"keygen", in("mine"), in("mine.pub")}); err == nil {
			t.Error("a key was overwritten")
		}
		key, err := os.ReadFile(in("mine"))
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(keyVariable, string(key))
		if err := run([]string{"sign", in("file")}); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"verify", "-key", in("mine.pub"), in("file")}); err != nil {
			t.Error(err)
		}
		if err := run([]string{"verify", "-key", in("other.pub"), in("file")}); err == nil {
			t.Error("the signature of another key passes")
		}
		if err := save(in("file"), []byte("test")); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"verify", "-key", in("mine.pub"), in("file")}); err == nil {
			t.Error("another file passes")
		}
		t.Setenv(passwordVariable, "wrong")
		if err := run([]string{"sign", in("file")}); (err == nil) != (password == "") {
			t.Errorf("password %q, then a wrong one: %v", password, err)
		}
	}
}

func TestNotes(t *testing.T) {
	const changelog = "# Changes\n\n## [Unreleased]\n\nNew.\n\n## [1.2.3] 2026-01-02\n\n### Added\n\nThis.\n\n## [1.2.2] 2026-01-01\n\n## [1.2.1] 2025-01-01\n\nOld.\n"
	for version, want := range map[string]string{
		"v1.2.3": "### Added\n\nThis.\n", "1.2.1": "Old.\n", "1.3.0-rc.1": "New.\n", "1.2.2": "", "1.2.4": "", "1.2": "",
	} {
		got, err := notesOf(changelog, version)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", version, got, err, want)
		}
	}
}

func TestChecksOfBinaries(t *testing.T) {
	dist := makeDist(t)
	r, err := readDist(dist)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkBinary(r.Binaries[0]); err != nil {
		t.Error(err)
	}
	wrong := r.Binaries[0]
	wrong.Arch = "arm64"
	if err := checkBinary(wrong); err == nil {
		t.Error("a binary of another processor passes")
	}
	// Built otherwise, and with symbols.
	for _, args := range [][]string{{"-trimpath", "-buildvcs=true"}, {"-buildvcs=true", "-ldflags", "-s -w"}, {"-trimpath", "-buildvcs=false"}} {
		cmd := exec.Command("go", append(append([]string{"build"}, args...), "-o", r.Binaries[0].Path, ".")...)
		cmd.Dir = filepath.Dir(dist)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		if err := checkBinary(r.Binaries[0]); err == nil {
			t.Errorf("a binary built with %v passes", args)
		}
	}
}

func TestModules(t *testing.T) {
	modules := []string{"github.com/jackc/pgx/v5", "modernc.org/libc", "example.com/a"}
	for symbol, want := range map[string]string{
		"github.com/jackc/pgx/v5/pgtype.initDefaultMap": "github.com/jackc/pgx/v5",
		"type:*github.com/jackc/pgx/v5.Conn":            "github.com/jackc/pgx/v5",
		"go:itab.*example.com/a.T,io.Reader":            "example.com/a",
		"example.com/ab.F":                              "Go itself: runtime, standard library",
		"modernc%2eorg/libc.init":                       "modernc.org/libc",
		"runtime.mallocgc":                              "Go itself: runtime, standard library",
		"example.com/a.(*T).M":                          "example.com/a",
	} {
		if got := moduleOf(symbol, modules); got != want {
			t.Errorf("%s: got %s, want %s", symbol, got, want)
		}
	}
}
