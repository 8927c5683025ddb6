package main

import (
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	home    = "https://github.com/weir-gate/weir"
	summary = "A firewall for the tool calls of AI agents"
)

// A release is what goreleaser left in its folder.
type release struct {
	Version  string // without v
	Commit   string
	Time     time.Time // of the commit: everything made is as old as that, so that two builds are equal
	Binaries []binary
	Archives []archive
}

// A binary is weir for one platform.
type binary struct {
	OS, Arch string // as Go names them
	Path     string
}

// An archive is a file for people to download.
type archive struct {
	OS, Arch, Name, Path string
}

// openDist takes -dist and -out, and reads the folder.
func openDist(flags *flag.FlagSet, args []string) (r *release, out string, err error) {
	dist := flags.String("dist", "", "folder that goreleaser wrote")
	flags.StringVar(&out, "out", "", "where to write")
	if _, err := parse(flags, args); err != nil {
		return nil, "", err
	}
	r, err = readDist(*dist)
	return r, out, err
}

// readDist reads a folder that goreleaser wrote.
func readDist(dist string) (*release, error) {
	var meta struct{ Version, Commit string }
	if err := readJSON(filepath.Join(dist, "metadata.json"), &meta); err != nil {
		return nil, err
	}
	var all []struct{ Name, Path, GOOS, GOARCH, Type string }
	if err := readJSON(filepath.Join(dist, "artifacts.json"), &all); err != nil {
		return nil, err
	}
	r := &release{Version: meta.Version, Commit: meta.Commit}
	for _, a := range all {
		// Paths are as seen from the folder above.
		path := filepath.Join(dist, strings.TrimPrefix(filepath.ToSlash(a.Path), "dist/"))
		switch a.Type {
		case "Binary":
			r.Binaries = append(r.Binaries, binary{a.GOOS, a.GOARCH, path})
		case "Archive":
			r.Archives = append(r.Archives, archive{a.GOOS, a.GOARCH, a.Name, path})
		}
	}
	// goreleaser lists them as they get ready.
	slices.SortFunc(r.Binaries, func(a, b binary) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(r.Archives, func(a, b archive) int { return strings.Compare(a.Name, b.Name) })
	if len(r.Binaries) == 0 || len(r.Archives) == 0 {
		return nil, fmt.Errorf("%s has no binaries or no archives; run make release", dist)
	}
	var err error
	r.Time, err = commitTime(r.Binaries[0].Path)
	return r, err
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w; run make release, which makes it", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// commitTime returns when the commit was made that a binary is built from.
func commitTime(path string) (time.Time, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			return time.Parse(time.RFC3339, s.Value)
		}
	}
	return time.Time{}, fmt.Errorf("%s does not say from which commit it was built; build it in a git checkout, with -buildvcs=true", path)
}
