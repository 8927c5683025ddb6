package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A Plan is what is to become of files. Nothing is written before Apply.
type Plan struct {
	files []planned
	left  []string
	undo  bool
}

// A planned file is one with what is to become of it.
type planned struct {
	contents
	format Format
	after  []byte
	says   map[string]any // what after says; nil: it was not read yet
	gone   bool           // it is to be removed
}

// Prepare works the changes out in memory. An error names the file, the place in it and the cure.
func Prepare(changes []Change) (*Plan, error) {
	p := &Plan{}
	index := map[string]int{} // of files, by the path that links lead to
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

// change works one change out.
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

// inFile names the file of an error, and says how to go on.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	if at, ok := errors.AsType[*placedError](err); ok {
		return fmt.Errorf("%s:%w; correct the file, or move it away, and try again", path, at)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// dropUnchanged takes files out of the plan that stay as they are.
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

// Left are the settings that are not taken back, because somebody has changed them since; one line each.
func (p *Plan) Left() []string { return p.left }

// followLinks is the file that a path leads to in the end. It need not be there. Parents that are links need no following: a file is
// replaced in its folder, wherever that is.
func followLinks(path string) (string, error) {
	const most = 40 // as kernels have it
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

// sameParent gives one name to a file that is reached through several folders.
func sameParent(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path // the folder is not there yet
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
