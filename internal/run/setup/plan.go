package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A Plan says how files will be changed. Nothing is written before Apply.
type Plan struct {
	files []planned
	left  []string
	undo  bool
}

// A planned is a file and its planned change.
type planned struct {
	contents
	format Format
	after  []byte
	says   map[string]any // the values in after; nil: it was not parsed yet
	gone   bool           // it is to be removed
}

// Prepare makes the changes in memory. An error names the file, the position in it and what to do.
func Prepare(changes []Change) (*Plan, error) {
	p := &Plan{}
	index := map[string]int{} // of files, by their paths without links
	for _, c := range changes {
		path, err := followLinks(c.File)
		if err != nil {
			return nil, err
		}
		i, known := index[path]
		if !known {
			read, err := readContents(path)
			if err != nil {
				return nil, err
			}
			i = len(p.files)
			index[path] = i
			p.files = append(p.files, planned{contents: read, format: c.Format, after: read.data})
		}
		if p.files[i].format != c.Format {
			return nil, fmt.Errorf("change %s: it cannot be both %s and %s", path, p.files[i].format, c.Format)
		}
		if err := p.files[i].change(c); err != nil {
			return nil, err
		}
	}
	p.dropUnchanged()
	return p, nil
}

// change makes one change in memory.
func (f *planned) change(c Change) error {
	e, err := editorFor(f.format)
	if err != nil {
		return fmt.Errorf("change %s: %w", f.path, err)
	}
	value, err := canonical(c.Value)
	if err != nil {
		return fmt.Errorf("change %s: %s: %w", f.path, pathText(c.Path), err)
	}
	if f.says == nil {
		if f.says, err = e.read(f.after); err != nil {
			return inFile(f.path, err)
		}
	}
	d, err := e.edit(document{f.after, f.says}, step{path: c.Path, value: value, remove: value == nil})
	if err != nil {
		return inFile(f.path, err)
	}
	f.after, f.says = d.data, d.root
	return nil
}

// inFile adds the file to an error, and what to do.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	if at, ok := errors.AsType[*positionError](err); ok {
		return fmt.Errorf("%s:%w; correct the file, or move it away, and try again", path, at)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// dropUnchanged removes unchanged files from the plan.
func (p *Plan) dropUnchanged() {
	kept := p.files[:0]
	for _, f := range p.files {
		if f.gone || !bytes.Equal(f.data, f.after) {
			kept = append(kept, f)
		}
	}
	p.files = kept
}

// Empty says that nothing is to be done.
func (p *Plan) Empty() bool { return len(p.files) == 0 }

// Left returns the settings that are not undone, because they were edited since; one line each.
func (p *Plan) Left() []string { return p.left }

// followLinks returns the final target of a path. It need not exist. Links among the parents need not be followed: a file is
// replaced in its folder, wherever the folder is.
func followLinks(path string) (string, error) {
	const most = 40 // the same as in kernels
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	for range most {
		target, linked, err := linkTarget(path)
		if err != nil {
			return "", err
		}
		if !linked {
			return sameParent(path), nil
		}
		path = target
	}
	return "", fmt.Errorf("find %s: its symlinks form a loop; make it a regular file", path)
}

// sameParent returns the same path for a file that can be reached through several folders.
func sameParent(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path // the folder does not exist yet
	}
	return filepath.Join(dir, filepath.Base(path))
}

// readError says what to do about a file that cannot be read.
func readError(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read %s: %w; make it readable for you, or run this as its owner", path, err)
	}
	return fmt.Errorf("read %s: %w", path, err)
}
