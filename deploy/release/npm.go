package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// npmName is the package that people install. The name weir belongs to somebody else.
const npmName = "@weir-gate/weir"

//go:embed npm/weir.js
var npmProgram []byte

//go:embed npm/README.md
var npmReadme []byte

// What npm calls the systems and processors of Go.
var (
	npmSystems    = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	npmProcessors = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// A manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  map[string]string `json:"repository"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	// npm installs those whose os and cpu fit, and passes over the others.
	Optional map[string]string `json:"optionalDependencies,omitempty"`
}

func newManifest(name, version string) manifest {
	return manifest{
		Name: name, Version: version, Description: summary, License: "Apache-2.0", Homepage: home,
		Repository: map[string]string{"type": "git", "url": "git+" + home + ".git"},
	}
}

func runNPM(flags *flag.FlagSet, args []string) error {
	r, out, err := openDist(flags, args)
	if err != nil {
		return err
	}
	license, err := licenseOf(r)
	if err != nil {
		return err
	}
	whole := newManifest(npmName, r.Version)
	whole.Bin = map[string]string{"weir": "bin/weir.js"}
	whole.Engines = map[string]string{"node": ">=18"}
	whole.Optional = map[string]string{}
	for _, b := range r.Binaries {
		system, processor := npmSystems[b.OS], npmProcessors[b.Arch]
		if system == "" || processor == "" {
			return fmt.Errorf("npm has no known name for %s/%s; add it to npmSystems or npmProcessors", b.OS, b.Arch)
		}
		program, err := os.ReadFile(b.Path)
		if err != nil {
			return err
		}
		part := newManifest(npmName+"-"+system+"-"+processor, r.Version)
		part.OS, part.CPU = []string{system}, []string{processor}
		whole.Optional[part.Name] = part.Version
		if err := savePackage(r, out, part, license, file{name: "bin/" + filepath.Base(b.Path), mode: 0o755, data: program}); err != nil {
			return err
		}
	}
	return savePackage(r, out, whole, license, file{name: "README.md", mode: 0o644, data: npmReadme}, file{name: "bin/weir.js", mode: 0o755, data: npmProgram})
}

// savePackage writes a package as npm pack does: weir-gate-weir-1.2.3.tgz.
func savePackage(r *release, out string, m manifest, files ...file) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files = append([]file{{name: "package.json", mode: 0o644, data: append(text, '\n')}}, files...)
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	data, err := tarOf(files, r.Time)
	if err != nil {
		return err
	}
	if data, err = compressed(data); err != nil {
		return err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")
	return save(filepath.Join(out, name+"-"+m.Version+".tgz"), data)
}
