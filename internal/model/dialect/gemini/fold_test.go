package gemini_test

import (
	"errors"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// fold returns how to add a stream up to a whole response: parts are appended, and of everything else the last one counts.
func fold(in frame.Framing) func([]byte) ([]byte, error) {
	return func(stream []byte) ([]byte, error) {
		var whole folded
		read := dialecttest.Readers(in)[0]
		if in == frame.Events {
			read = dialecttest.Framings()[1] // it strips marks
		}
		for _, e := range read.Events(stream) {
			tree, err := dialecttest.ParseTree([]byte(e.Data))
			if err != nil {
				return nil, err
			}
			if tree.Get("error").Kind == '{' {
				return nil, errors.New("the stream fails")
			}
			whole.add(tree)
		}
		return []byte(whole.render()), nil
	}
}

// folded is what a stream adds up to so far.
type folded struct {
	outer, members members
	wrapped        bool
	candidates     []*foldedCandidate
}

type foldedCandidate struct {
	index            string
	members, content members
	parts            []string
	spoke            bool // there was a content
}

// members are those of an object, as they are to be written.
type members struct {
	names  []string
	values map[string]string
}

func (m *members) set(name, value string) {
	if m.values == nil {
		m.values = map[string]string{}
	}
	if !slices.Contains(m.names, name) {
		m.names = append(m.names, name)
	}
	m.values[name] = value
}

func (m *members) render() string {
	var all []string
	for _, n := range m.names {
		all = append(all, quote(n)+":"+m.values[n])
	}
	return "{" + strings.Join(all, ",") + "}"
}

func (f *folded) add(tree dialecttest.Tree) {
	if inner := tree.Get("response"); inner.Kind == '{' {
		f.wrapped = true
		for i, n := range tree.Names {
			f.outer.set(n, render(tree.Values[i]))
		}
		tree = inner
	}
	for i, n := range tree.Names {
		if n != "candidates" {
			f.members.set(n, render(tree.Values[i]))
			continue
		}
		for _, c := range tree.Values[i].Values {
			f.candidate(c.Get("index").Literal).add(c)
		}
	}
}

func (f *folded) candidate(index string) *foldedCandidate {
	for _, c := range f.candidates {
		if c.index == index {
			return c
		}
	}
	c := &foldedCandidate{index: index}
	f.candidates = append(f.candidates, c)
	return c
}

func (c *foldedCandidate) add(tree dialecttest.Tree) {
	for i, n := range tree.Names {
		if n != "content" {
			c.members.set(n, render(tree.Values[i]))
			continue
		}
		c.spoke = true
		for j, m := range tree.Values[i].Names {
			v := tree.Values[i].Values[j]
			if m != "parts" {
				c.content.set(m, render(v))
				continue
			}
			for _, p := range v.Values {
				if text := render(p); text != nothing { // which means just that
					c.parts = append(c.parts, text)
				}
			}
		}
	}
}

func (f *folded) render() string {
	slices.SortStableFunc(f.candidates, func(a, b *foldedCandidate) int { return strings.Compare(a.index, b.index) })
	var all []string
	for _, c := range f.candidates {
		if c.spoke {
			c.content.set("parts", "["+strings.Join(c.parts, ",")+"]")
			c.members.set("content", c.content.render())
		}
		all = append(all, c.members.render())
	}
	if len(all) > 0 {
		f.members.set("candidates", "["+strings.Join(all, ",")+"]")
	}
	if f.wrapped {
		f.outer.set("response", f.members.render())
		return f.outer.render()
	}
	return f.members.render()
}

// render writes a tree as JSON, with literals as they were.
func render(t dialecttest.Tree) string {
	var parts []string
	switch t.Kind {
	case '0':
		return t.Literal
	case '"':
		return `"` + t.Literal + `"`
	case '[':
		for _, v := range t.Values {
			parts = append(parts, render(v))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case '{':
		for i, v := range t.Values {
			parts = append(parts, quote(t.Names[i])+":"+render(v))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return t.String()
}
