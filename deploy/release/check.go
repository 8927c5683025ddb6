package main

import (
	"bufio"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxArchive is how much people have to download, at most.
const maxArchive = 25_000_000

func runCheck(flags *flag.FlagSet, args []string) error {
	dist := flags.String("dist", "", "folder that goreleaser wrote")
	if _, err := parse(flags, args); err != nil {
		return err
	}
	r, err := readDist(*dist)
	if err != nil {
		return err
	}
	var wrong []error
	for _, b := range r.Binaries {
		wrong = append(wrong, checkBinary(b))
	}
	for _, a := range r.Archives {
		wrong = append(wrong, checkArchive(a))
	}
	wrong = append(wrong, checkSums(*dist), checkDocuments(*dist, len(r.Binaries)))
	return errors.Join(wrong...)
}

// checkBinary says what is wrong with how a binary was built.
func checkBinary(b binary) error {
	info, err := buildinfo.ReadFile(b.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Path, err)
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"CGO_ENABLED": "0", "-trimpath": "true", "vcs.modified": "false", "GOOS": b.OS, "GOARCH": b.Arch,
	} {
		if settings[key] != want {
			return fmt.Errorf("%s was built with %s=%q, want %q; see builds in .goreleaser.yaml, and commit your changes", b.Path, key, settings[key], want)
		}
	}
	if b.OS != "linux" {
		return nil
	}
	f, err := elf.Open(b.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", b.Path, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("%s is not static: it asks for other files when it starts", b.Path)
		}
	}
	if f.Section(".symtab") != nil || f.Section(".debug_info") != nil {
		return fmt.Errorf("%s is not stripped; build it with -ldflags '-s -w'", b.Path)
	}
	return nil
}

func checkArchive(a archive) error {
	info, err := os.Stat(a.Path)
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %5.1f MB\n", a.Name, float64(info.Size())/1e6)
	if info.Size() > maxArchive {
		return fmt.Errorf("%s has %d bytes, at most %d: which dependency is not worth it? release size tells", a.Name, info.Size(), maxArchive)
	}
	return nil
}

// checkSums compares the sums with the files, and demands one for each that people download.
func checkSums(dist string) error {
	f, err := os.Open(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return err
	}
	defer f.Close()
	listed := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			return fmt.Errorf("checksums.txt: %q is not a sum and a name", lines.Text())
		}
		got, err := sumOf(filepath.Join(dist, name))
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s is not what checksums.txt says", name)
		}
		listed[name] = true
	}
	for _, kind := range []string{"*.tar.gz", "*.zip", "*.deb", "*.rpm", "*.apk", "*.spdx.json"} {
		paths, err := filepath.Glob(filepath.Join(dist, kind))
		if err != nil || len(paths) == 0 {
			return fmt.Errorf("there is no %s in %s", kind, dist)
		}
		for _, path := range paths {
			if !listed[filepath.Base(path)] {
				return fmt.Errorf("checksums.txt does not list %s", filepath.Base(path))
			}
		}
	}
	return lines.Err()
}

// checkDocuments reads the SPDX documents back: one for each binary, with all parts that relations name.
func checkDocuments(dist string, want int) error {
	paths, err := filepath.Glob(filepath.Join(dist, "*.spdx.json"))
	if err != nil {
		return err
	}
	if len(paths) != want {
		return fmt.Errorf("there are %d SPDX documents for %d binaries", len(paths), want)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var doc spdxDocument
		if err := json.Unmarshal(data, &doc); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := doc.check(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// check says what is wrong with a document.
func (d *spdxDocument) check() error {
	known := map[string]bool{d.ID: true}
	add := func(id string) error {
		if known[id] || id == "" {
			return fmt.Errorf("the id %q is there twice, or empty", id)
		}
		known[id] = true
		return nil
	}
	for _, p := range d.Packages {
		if err := add(p.ID); err != nil {
			return err
		}
	}
	for _, f := range d.Files {
		if err := add(f.ID); err != nil {
			return err
		}
	}
	for _, r := range d.Relationships {
		if !known[r.Element] || !known[r.Related] {
			return fmt.Errorf("%s %s %s: one of them is not there", r.Element, r.Type, r.Related)
		}
	}
	if len(d.Packages) < 2 {
		return errors.New("it names no dependency")
	}
	return nil
}
