package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Text is one file that a policy is made of.
type Text struct {
	Name string `json:"name"` // its path
	Data []byte `json:"data"`
	// Trouble says why it could not be read; "": it was.
	Trouble string `json:"trouble,omitzero"`
}

// Sources are all files that a policy is made of.
type Sources struct {
	Files []Text `json:"files"` // the policy's own: one, or those of a folder in the order of their names
	// Bases are the files that they extend, directly or not. Presets are not among them.
	Bases []Text `json:"bases,omitempty"`
	// Own are absolute paths of files and folders of the weir that uses the policy, wherever its configuration puts them. They belong to
	// the list $weir. They do not change the version.
	Own []string `json:"-"`
}

// maxExtends is how many policies may extend one another.
const maxExtends = 8

// ParseSources compiles the policy in some files. The error is yamlfile.Problems, as that of Parse.
func ParseSources(s Sources) (*Policy, error) {
	if len(s.Files) == 0 {
		return nil, yamlfile.Problems{{Message: "the policy has no file", Cure: "write one"}}
	}
	var docs []*yamlfile.Node
	var report *yamlfile.Report
	for _, f := range s.Files {
		root, r := parseText(f)
		if report == nil {
			report = r
		} else {
			report.Join(r)
		}
		if root != nil {
			docs = append(docs, root)
		}
	}
	if len(docs) < len(s.Files) {
		return nil, report.Err()
	}
	l := layering{report: report, sources: s, changes: map[*yamlfile.Node][]change{}}
	p := l.compile(docs)
	if err := report.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// parseText parses one file. A file that could not be read is a problem of its own.
func parseText(t Text) (*yamlfile.Node, *yamlfile.Report) {
	if t.Trouble == "" {
		return yamlfile.Parse(t.Name, t.Data)
	}
	_, report := yamlfile.Parse(t.Name, []byte("{}"))
	report.Add(nil, "the file cannot be read: "+t.Trouble, "correct that, or remove what names the file")
	return nil, report
}

// Extends is the file that a policy in a file extends; "": none, or a preset. What is wrong with the policy is reported when it is
// compiled.
func Extends(t Text) string {
	root, _ := yamlfile.Parse(t.Name, t.Data)
	if root == nil || root.Kind != yamlfile.Map {
		return ""
	}
	n := root.Get(keyExtends)
	if n == nil || n.Kind != yamlfile.String || slices.Contains(preset.Names(), n.Text) || notBase(n.Text) != "" {
		return ""
	}
	return filepath.Join(filepath.Dir(t.Name), filepath.FromSlash(n.Text))
}

// notBase says why a text cannot name the file that a policy extends; "": it can.
func notBase(name string) string {
	switch {
	case !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)):
		return fmt.Sprintf("there is no preset %s", yamlfile.Quote(name))
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return "the file is not in the folder of this one, or below it"
	default:
		return ""
	}
}

// version identifies everything that a policy is made of. A policy in one file alone has the digest of that file.
func (s Sources) version(presets []string) string {
	if len(s.Files) == 1 && len(s.Bases) == 0 && len(presets) == 0 {
		return digest(s.Files[0].Data)
	}
	sum := sha256.New()
	add := func(name string, data []byte) {
		for _, part := range [][]byte{[]byte(name), data} {
			size := binary.BigEndian.AppendUint64(nil, uint64(len(part)))
			_, _ = sum.Write(append(size, part...)) // a hash never fails
		}
	}
	for _, t := range slices.Concat(s.Files, s.Bases) {
		add(filepath.Base(t.Name), t.Data)
	}
	for _, name := range presets {
		text, _ := preset.Text(name) // it exists
		add(name, text)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)[:8])
}
