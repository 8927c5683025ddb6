// Package weirtest runs scenarios: one behaviour each, written as a file, played through a whole weir.
//
// A scenario is a txtar archive: prose on top, then files. What goes in:
//
//	policy.yaml     the policy; absent: everything is allowed
//	weir.yaml       more configuration; ${UPSTREAM} is the scripted upstream's address, which also those that are built in have
//	script          what happens beside the exchange, one act a line; see script
//	request.http    method and target, then headers; absent: POST /anthropic/v1/messages
//	request.json    the request's body; absent: an ordinary one in the format that the path asks for
//	upstream.http   the answer's status, then headers; absent: 200 and the content type of the form
//	upstream.sse    the answer as a stream
//	upstream.json   the answer as a whole body; both: the scenario is played in both forms
//	upstream.txt    the answer as a text that is neither
//
// and what must come out:
//
//	client.http     status, then headers by name ("-": must be absent), then ":broken" if the response must break off;
//	                absent: 200 and a clean end
//	client.sse      the body, byte for byte, or "(as upstream)"; also client.json, client.txt; absent: no body
//	asked.http      method and target that the upstream saw, then headers by name; absent: only that it was asked once
//	asked.json      the body that the upstream saw; absent: the one that the client sent
//	events.jsonl    the record, one event a line, without what differs from run to run
//
// A name with the form before its last part, such as events.sse.jsonl, is for that form of the upstream alone. If both forms share
// their events, they must be alike: the stream that the client got, folded, must be the body that it got.
//
// In bodies, «0D 0A» stands for these bytes, «78*5» for five of them, and «end» at the end of a file means that
// its last line has no line end. Of JSON bodies, the last line end is not part.
package weirtest

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// A form is how an answer is sent.
type form string

const (
	stream form = "sse"
	whole  form = "json"
	plain  form = "txt"
	none   form = "" // there is no answer
)

// A scenario is one file.
type scenario struct {
	path    string
	archive *txtar.Archive
}

// inputs are the names of files that say what goes in; outputs, what must come out.
var (
	inputs = []string{
		"policy.yaml", "weir.yaml", "script", "request.http", "request.json",
		"upstream.http", "upstream.sse", "upstream.json", "upstream.txt",
	}
	outputs = []string{"client.http", "client.sse", "client.json", "client.txt", "asked.http", "asked.json", "events.jsonl"}
)

func load(path string) (*scenario, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		return nil, fmt.Errorf("%s: the prose on top is missing", path)
	}
	seen := map[string]bool{}
	for _, f := range archive.Files {
		if name := general(f.Name); !slices.Contains(inputs, name) && !slices.Contains(outputs, name) {
			return nil, fmt.Errorf("%s: no scenario has a file %s", path, f.Name)
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("%s: %s is there twice", path, f.Name)
		}
		seen[f.Name] = true
	}
	return &scenario{path: path, archive: archive}, nil
}

// general is a file's name without the form that it is for.
func general(name string) string {
	parts := strings.Split(name, ".")
	if len(parts) == 3 {
		return parts[0] + "." + parts[2]
	}
	return name
}

// special is the name of a file for one form alone.
func special(name string, f form) string {
	base, ext, _ := strings.Cut(name, ".")
	return base + "." + string(f) + "." + ext
}

// forms are those in which the scenario is played.
func (s *scenario) forms() []form {
	var list []form
	for _, f := range []form{stream, whole, plain} {
		if s.has("upstream." + string(f)) {
			list = append(list, f)
		}
	}
	if list == nil {
		return []form{none}
	}
	return list
}

// alike says whether the scenario demands that both forms come to the same.
func (s *scenario) alike() bool {
	return s.has("upstream.sse") && s.has("upstream.json") &&
		!s.has(special("events.jsonl", stream)) && !s.has(special("events.jsonl", whole))
}

func (s *scenario) has(name string) bool {
	return slices.ContainsFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == name })
}

// file is the content of a file, in the version for the form if there is one.
func (s *scenario) file(name string, f form) (data []byte, ok bool) {
	for _, n := range []string{special(name, f), name} {
		for _, file := range s.archive.Files {
			if file.Name == n {
				return file.Data, true
			}
		}
	}
	return nil, false
}

// text is the content of a file as a string; "" if it is not there.
func (s *scenario) text(name string, f form) string {
	data, _ := s.file(name, f)
	return string(data)
}

// set replaces a file, adds it, or removes it if data is empty.
func (s *scenario) set(name string, f form, data []byte) {
	if s.has(special(name, f)) {
		name = special(name, f)
	}
	at := slices.IndexFunc(s.archive.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case at < 0 && len(data) > 0:
		s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: data})
	case at >= 0 && len(data) == 0:
		s.archive.Files = slices.Delete(s.archive.Files, at, at+1)
	case at >= 0:
		s.archive.Files[at].Data = data
	}
}

// save writes the scenario back, its files in the order of inputs and outputs.
func (s *scenario) save() error {
	order := slices.Concat(inputs, outputs)
	slices.SortStableFunc(s.archive.Files, func(a, b txtar.File) int {
		return cmp.Compare(slices.Index(order, general(a.Name)), slices.Index(order, general(b.Name)))
	})
	return os.WriteFile(s.path, txtar.Format(s.archive), 0o644)
}
