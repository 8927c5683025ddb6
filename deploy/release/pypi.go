package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// pypiName is the package that people install. The name weir belongs to somebody else.
const pypiName = "weir-gate"

//go:embed pypi/README.md
var pypiReadme []byte

// wheelTags are the platforms as pip knows them. A static binary runs with every C library, so Linux has tags for both. Go 1.26 needs macOS 12.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

func runPyPI(flags *flag.FlagSet, args []string) error {
	r, out, err := openDist(flags, args)
	if err != nil {
		return err
	}
	version, err := pythonVersion(r.Version)
	if err != nil {
		return err
	}
	license, err := licenseOf(r)
	if err != nil {
		return err
	}
	for _, b := range r.Binaries {
		tag := wheelTags[b.OS+"/"+b.Arch]
		if tag == "" {
			return fmt.Errorf("pip has no known tag for %s/%s; add it to wheelTags", b.OS, b.Arch)
		}
		program, err := os.ReadFile(b.Path)
		if err != nil {
			return err
		}
		prefix := strings.ReplaceAll(pypiName, "-", "_") + "-" + version
		data, err := wheel(prefix, version, tag, r.Time, file{name: filepath.Base(b.Path), data: program}, license)
		if err != nil {
			return err
		}
		if err := save(filepath.Join(out, prefix+"-py3-none-"+tag+".whl"), data); err != nil {
			return err
		}
	}
	return nil
}

// wheel packs the program as a script: pip puts it beside the others, so that no Python runs when weir starts.
func wheel(prefix, version, tag string, at time.Time, program, license file) ([]byte, error) {
	info := prefix + ".dist-info/"
	about := fmt.Sprintf("Metadata-Version: 2.4\nName: %s\nVersion: %s\nSummary: %s\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\n"+
		"Project-URL: Homepage, %s\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s", pypiName, version, summary, home, pypiReadme)
	marks := "Wheel-Version: 1.0\nGenerator: weir-release\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(tag, ".") {
		marks += "Tag: py3-none-" + platform + "\n"
	}
	files := []file{
		{name: prefix + ".data/scripts/" + program.name, mode: 0o755, data: program.data},
		{name: info + "licenses/LICENSE", mode: 0o644, data: license.data},
		{name: info + "METADATA", mode: 0o644, data: []byte(about)},
		{name: info + "WHEEL", mode: 0o644, data: []byte(marks)},
	}
	record := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	record += info + "RECORD,,\n"
	files = append(files, file{name: info + "RECORD", mode: 0o644, data: []byte(record)})
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(os.FileMode(f.mode))
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return buf.Bytes(), err
}

var semantic = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc|pre)(\d+))?$`)

// pythonVersion writes a semantic version as Python does. Both order them alike.
func pythonVersion(version string) (string, error) {
	m := semantic.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("%q cannot be written as a version of Python; use 1.2.3, or 1.2.3-alpha1, -beta1, -rc1 or -pre1", version)
	}
	return m[1] + map[string]string{"": "", "alpha": "a", "beta": "b", "rc": "rc", "pre": ".dev"}[m[2]] + m[3], nil
}
