package main

import (
	"archive/zip"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is who weir runs as in a container. The number is the customary one for images without users.
const user = 65532

// rootfs returns the files that an image has beside the program: what Linux programs expect, and nothing that runs.
func rootfs() ([]file, error) {
	files := []file{
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, data: fmt.Appendf(nil, "root:x:0:\nweir:x:%d:\n", user)},
		{name: "etc/passwd", mode: 0o644, data: fmt.Appendf(nil, "root:x:0:0:root:/:/none\nweir:x:%d:%d:weir:/home/weir:/none\n", user, user)},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: certificates()},
		{name: "home/", mode: 0o755},
		{name: "home/weir/", mode: 0o700, user: user},
		{name: "tmp/", mode: 0o1777},
		{name: "usr/", mode: 0o755},
		{name: "usr/bin/", mode: 0o755},
		{name: "usr/share/", mode: 0o755},
	}
	zones, err := zones()
	return append(files, zones...), err
}

// certificates returns the roots that Mozilla trusts without conditions. They come from a module of the Go project, not from the machine that
// builds: the same sources make the same image.
func certificates() []byte {
	var buf bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // trusted only for some certificates, which a file cannot say
		}
		_ = pem.Encode(&buf, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
	}
	return buf.Bytes()
}

// zones returns the time zones that this Go has.
func zones() ([]file, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w; the time zones are there", err)
	}
	path := filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip")
	r, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; use a Go from its official archive, which has the time zones", path, err)
	}
	defer r.Close()
	const under = "usr/share/zoneinfo/"
	folders := map[string]bool{under: true}
	files := []file{}
	for _, f := range r.File {
		if f.FileInfo().IsDir() {
			continue
		}
		data, err := readZipped(f)
		if err != nil {
			return nil, err
		}
		name := under + f.Name
		files = append(files, file{name: name, mode: 0o644, data: data})
		for i := len(under); i < len(name); i++ {
			if name[i] == '/' {
				folders[name[:i+1]] = true
			}
		}
	}
	for name := range folders {
		files = append(files, file{name: name, mode: 0o755})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

func readZipped(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
