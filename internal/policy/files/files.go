// Package files reads the files that a policy is made of: one file or a folder of them, and what they extend.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// These bound what is read for one policy.
const (
	maxFiles = 256
	maxBases = 16
	maxTotal = 16 << 20 // bytes of all files
)

// Read reads the policy at a path, which is a file or a folder. The error says why the path itself cannot be read; a file that belongs to
// the policy and cannot be read is among the sources, with its trouble.
func Read(path string) (policy.Sources, error) {
	var s policy.Sources
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		s.Files, err = readFolder(path)
	} else {
		var data []byte
		data, err = yamlfile.ReadFile(path)
		s.Files = []policy.Text{{Name: path, Data: data}}
	}
	if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
		err = fmt.Errorf("%w; correct the path, or write the policy there", err)
	}
	if err == nil {
		err = addBases(&s)
	}
	if err != nil {
		return policy.Sources{}, fmt.Errorf("read policy: %w", err)
	}
	return s, nil
}

// readFolder reads all policies of a folder, in the order of their names. Files that look like policies and are not read are an error: a
// rule that somebody wrote must not be ignored.
func readFolder(folder string) (out []policy.Text, err error) {
	entries, err := os.ReadDir(folder) // they are sorted
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch ending := strings.ToLower(filepath.Ext(e.Name())); {
		case strings.HasPrefix(e.Name(), ".") || e.IsDir():
		case ending == ".yml" || ending == ".json" || ending == ".yaml" && filepath.Ext(e.Name()) != ".yaml":
			return nil, fmt.Errorf("%s: of a folder only files *.yaml are read; rename it, or move it away", path)
		case ending == ".yaml":
			out = append(out, readText(path))
		}
	}
	switch {
	case len(out) == 0:
		return nil, fmt.Errorf("%s: there is no file *.yaml in the folder; write the policy there, or correct the path", folder)
	case len(out) > maxFiles:
		return nil, fmt.Errorf("%s: there are more than %d files *.yaml in the folder; put some together", folder, maxFiles)
	}
	return out, nil
}

// readText reads a file that belongs to a policy.
func readText(path string) policy.Text {
	data, err := yamlfile.ReadFile(path)
	if err == nil {
		return policy.Text{Name: path, Data: data}
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // the path is named anyway
	}
	return policy.Text{Name: path, Trouble: err.Error()}
}

// addBases reads what the files extend. Those that extend one another in a circle are read once: compiling the policy reports them.
func addBases(s *policy.Sources) error {
	total := 0
	for at := 0; at < len(s.Files)+len(s.Bases); at++ {
		text := slices.Concat(s.Files, s.Bases)[at]
		if total += len(text.Data); total > maxTotal {
			return fmt.Errorf("its files have more than %d bytes; keep it smaller", maxTotal)
		}
		if !bytes.Contains(text.Data, []byte("extends")) {
			continue
		}
		base := policy.Extends(text)
		known := func(t policy.Text) bool { return t.Name == base }
		if base == "" || slices.ContainsFunc(s.Files, known) || slices.ContainsFunc(s.Bases, known) || len(s.Bases) == maxBases {
			continue
		}
		s.Bases = append(s.Bases, readText(base))
	}
	return nil
}
