package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// Apply does what is planned, and records it in the journal under the name. Either all files are changed, or an error says why none
// is, or which could not be restored. A file that has changed since it was read is not written.
func (p *Plan) Apply(j *Journal, name string) error {
	if p.Empty() && !p.undo {
		return nil
	}
	for _, f := range p.files {
		now, err := readContents(f.path)
		if err != nil {
			return err
		}
		if !now.is(f.contents) {
			return fmt.Errorf("%s was changed meanwhile; nothing was written; try again", f.path)
		}
	}
	old, err := j.load(name)
	if err != nil {
		return err
	}
	if p.undo {
		return p.applyUndo(j, name, old)
	}
	next, err := p.record(j, old)
	if err != nil {
		return err
	}
	if err := j.save(name, next); err != nil {
		return err
	}
	if err := p.write(); err != nil {
		if errors.Is(err, errNotPutBack) {
			return fmt.Errorf("%w; run weir setup %s --undo", err, name)
		}
		return errors.Join(err, j.restore(name, old))
	}
	next.Done = true
	return j.save(name, next)
}

// applyUndo restores files. The entry stays until all are restored, so that an undo that breaks off can be repeated.
func (p *Plan) applyUndo(j *Journal, name string, old *record) error {
	if old == nil {
		return nil
	}
	started := *old
	started.Done = false
	if err := j.save(name, &started); err != nil {
		return err
	}
	if err := p.write(); err != nil {
		if errors.Is(err, errNotPutBack) {
			return fmt.Errorf("%w; run weir setup %s --undo", err, name)
		}
		return errors.Join(err, j.save(name, old))
	}
	for _, f := range old.Files {
		for _, dir := range f.Folders {
			_ = os.Remove(dir) // a folder with other files in it stays
		}
	}
	return j.forget(name)
}

// errNotPutBack says that a change broke off and could not be undone.
var errNotPutBack = errors.New("some changed files could not be restored")

// write changes the files. If one cannot be changed, all are restored.
func (p *Plan) write() error {
	for i, f := range p.files {
		err := f.write()
		if err == nil {
			continue
		}
		for _, done := range p.files[:i+1] {
			if back := done.putBack(); back != nil {
				return errors.Join(err, fmt.Errorf("%w: %w", errNotPutBack, back))
			}
		}
		return err
	}
	return nil
}

func (f planned) write() error {
	if f.gone {
		return remove(f.path)
	}
	return Replace(f.path, f.after, f.info)
}

// putBack restores a file, if it was changed. A file may have been written even if its writing failed.
func (f planned) putBack() error {
	now, err := readContents(f.path)
	switch {
	case err != nil:
		return err
	case now.is(f.contents):
		return nil
	case !f.exists:
		return remove(f.path)
	}
	return Replace(f.path, f.data, f.info)
}

// record returns the entry for a plan; old is the entry of an earlier plan, or nil.
func (p *Plan) record(j *Journal, old *record) (*record, error) {
	next := &record{Time: j.now().UTC()}
	for _, f := range p.files {
		r, err := f.record(old)
		if err != nil {
			return nil, err
		}
		next.Files = append(next.Files, r)
	}
	if old != nil {
		for _, f := range old.Files {
			if _, again := next.file(f.Path); !again {
				next.Files = append(next.Files, f)
			}
		}
	}
	return next, nil
}

// record returns the journal's record of a file. Before stays the content before the first setup. If the file was edited since,
// Before becomes what the file would be now without weir, so that an undo preserves the edits.
func (f planned) record(old *record) (fileRecord, error) {
	was, known := old.file(f.path)
	if !known {
		return fileRecord{
			Path: f.path, Format: f.format, Existed: f.exists, Before: f.data, After: f.after, Folders: missingFolders(f.path),
		}, nil
	}
	was.Folders = append(missingFolders(f.path), was.Folders...)
	switch {
	case !f.exists: // it was removed; weir creates it again
		was.Existed, was.Before, was.Interim = false, nil, nil
	case bytes.Equal(f.data, was.After), was.Interim != nil && bytes.Equal(f.data, was.Interim):
		was.Interim = f.data
	case was.Existed && bytes.Equal(f.data, was.Before):
		was.Interim = nil
	default:
		back, err := was.takeBack(f.data)
		if err != nil {
			return fileRecord{}, err
		}
		was.Existed, was.Before, was.Interim = true, back.data, f.data
	}
	was.After = f.after
	return was, nil
}
