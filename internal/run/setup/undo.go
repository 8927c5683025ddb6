package setup

import (
	"bytes"
	"fmt"
	"slices"
)

// Undo plans how to undo a setup. Files that were not edited since become what they were before. In files that were edited since,
// weir's settings are undone only if they still have weir's values. The entry is removed when the plan is applied.
func (j *Journal) Undo(name string) (*Plan, error) {
	r, err := j.load(name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("weir setup has no changes to undo for %s", name)
	}
	p := &Plan{undo: true}
	for _, f := range r.Files {
		now, err := f.now()
		if err != nil {
			return nil, err
		}
		if err := p.takeBack(f, now); err != nil {
			return nil, err
		}
	}
	p.dropUnchanged()
	return p, nil
}

// takeBack adds the undoing of one file to the plan.
func (p *Plan) takeBack(f fileRecord, now contents) error {
	file := planned{contents: now, format: f.Format}
	ours := bytes.Equal(now.data, f.After) || f.Interim != nil && bytes.Equal(now.data, f.Interim)
	switch {
	case !now.exists:
		if f.Existed {
			p.left = append(p.left, f.Path+" is not there any more")
		}
		return nil
	case ours && !f.Existed:
		file.gone = true
	case ours:
		file.after = f.Before
	case f.Existed && bytes.Equal(now.data, f.Before):
		return nil // a setup or an undo broke off before this file
	default:
		back, err := f.takeBack(now.data)
		if err != nil {
			return err
		}
		file.after = back.data
		p.left = append(p.left, back.left...)
	}
	p.files = append(p.files, file)
	return nil
}

// now returns the current content of the file. It may have become a link since it was recorded.
func (f fileRecord) now() (contents, error) {
	path, err := followLinks(f.Path)
	if err != nil {
		return contents{}, err
	}
	return readContents(path)
}

// takenBack is a file without weir's settings.
type takenBack struct {
	data []byte
	left []string // what was not undone, and why
}

// takeBack removes weir's settings from an edited file.
func (f fileRecord) takeBack(data []byte) (takenBack, error) {
	e, err := editorFor(f.Format)
	if err != nil {
		return takenBack{}, inFile(f.Path, err)
	}
	before, err := e.read(f.Before)
	if err != nil {
		return takenBack{}, fmt.Errorf("read the record of %s: %w", f.Path, err)
	}
	after, err := e.read(f.After)
	if err != nil {
		return takenBack{}, fmt.Errorf("read the record of %s: %w", f.Path, err)
	}
	now, err := e.open(data)
	if err != nil {
		return takenBack{}, inFile(f.Path, err)
	}
	back := takenBack{}
	for _, d := range differences(before, after, nil) {
		value, found := lookup(now.root, d.path)
		if found == d.hadBefore && same(value, d.before) {
			continue
		}
		if found != d.hasAfter || !same(value, d.after) {
			back.left = append(back.left, fmt.Sprintf("%s: %s was changed since, and stays", f.Path, pathText(d.path)))
			continue
		}
		restored, err := e.restore(now, before, d)
		if err != nil {
			back.left = append(back.left, fmt.Sprintf("%s: %s stays: %v", f.Path, pathText(d.path), err))
			continue
		}
		now = restored
	}
	back.data = now.data
	return back, nil
}

// restore undoes one setting, and removes tables that were made for it.
func (e editor) restore(doc document, before map[string]any, d difference) (document, error) {
	if d.hadBefore {
		return e.edit(doc, step{path: d.path, value: d.before})
	}
	doc, err := e.edit(doc, step{path: d.path, remove: true})
	if err != nil {
		return document{}, err
	}
	for n := len(d.path) - 1; n > 0; n-- {
		if _, was := lookup(before, d.path[:n]); was {
			break
		}
		table, found := lookup(doc.root, d.path[:n])
		if m, ok := table.(map[string]any); found && (!ok || len(m) > 0) {
			break
		}
		if doc, err = e.edit(doc, step{path: d.path[:n], remove: true}); err != nil {
			return document{}, err
		}
	}
	return doc, nil
}

// A difference is a setting that differs between two documents.
type difference struct {
	path                []string
	before, after       any
	hadBefore, hasAfter bool
}

// differences returns all differences, at every depth of tables.
func differences(before, after map[string]any, path []string) []difference {
	keys := sortedKeys(before)
	for _, key := range sortedKeys(after) {
		if _, both := before[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var all []difference
	for _, key := range keys {
		d := difference{path: below(path, key)}
		d.before, d.hadBefore = before[key]
		d.after, d.hasAfter = after[key]
		if d.hadBefore && d.hasAfter && same(d.before, d.after) {
			continue
		}
		was, wasTable := d.before.(map[string]any)
		is, isTable := d.after.(map[string]any)
		deeper := (wasTable || !d.hadBefore) && (isTable || !d.hasAfter) && len(was)+len(is) > 0
		if deeper {
			all = append(all, differences(was, is, d.path)...)
			continue
		}
		all = append(all, d)
	}
	return all
}
