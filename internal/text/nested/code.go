package nested

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/script"
)

// codeTool is the tool to which an agent in code mode sends JavaScript that calls its other tools. toolsObject is the object
// through which that code calls them.
const (
	codeTool    = "exec"
	toolsObject = "tools"
)

func isCode(tool string) bool { return base(tool) == codeTool }

// code finds the calls that code makes.
func (f *finder) code(i call.Inner, depth int) {
	if i.Unknown || slices.Contains(i.Holes, "/"+codeMember) {
		f.opaque = true
		return
	}
	source, ok := onlyCode(i)
	switch {
	case !ok:
		f.otherCode(i) // another tool of that name
		return
	case depth > maxDepth || f.steps > maxSteps:
		f.opaque = true
		return
	}
	r, read := readScript(source, []string{toolsObject})
	f.steps += r.Steps
	f.opaque = f.opaque || !read || r.Opaque
	for _, found := range r.Calls {
		f.add(call.Inner{
			Tool: found.Tool, Args: found.Args,
			Partial: call.Partial{Unknown: !found.Known, Holes: found.Holes, Repeats: found.Repeats || i.Repeats},
		}, depth)
	}
}

// readScript parses code. It returns false if the parser panics.
func readScript(source string, objects []string) (r script.Reading, read bool) {
	defer func() {
		if recover() != nil {
			r, read = script.Reading{}, false
		}
	}()
	return script.Read(source, objects), true
}

// otherObjects are the objects through which code calls tools that servers run in a way of their own.
var otherObjects = []string{toolsObject, "codemode", "mcp", "servers"}

// callsObject matches code that calls a tool through one of them.
var callsObject = regexp.MustCompile(`\b(?:tools|codemode|mcp|servers)\s*(?:\.|\[)`)

// namesCode reports the name of a tool or server that runs code.
func namesCode(name string) bool { return strings.Contains(strings.ToLower(name), "code") }

// otherCode finds the calls that the code of a tool of a server makes. Such code does other things as well, so what cannot be read says
// nothing.
func (f *finder) otherCode(i call.Inner) {
	var doc strictjson.Doc
	if i.Unknown || doc.Parse(i.Args) != nil {
		return
	}
	for _, member := range []string{"code", "script", "source"} {
		text, err := doc.Root().Member(member)
		if err != nil || text.Kind() != strictjson.String {
			continue
		}
		source := string(text.AppendText(nil))
		if !callsObject.MatchString(source) {
			continue
		}
		r, _ := readScript(source, otherObjects)
		for _, found := range r.Calls {
			if found.Tool == "" {
				continue
			}
			f.found = append(f.found, call.Inner{
				Tool: found.Tool, Args: found.Args, Partial: call.Partial{Unknown: !found.Known, Holes: found.Holes, Repeats: found.Repeats},
			})
		}
	}
	f.found = f.found[:min(len(f.found), maxCalls)]
}

// codeMember is the member of the arguments that has the code.
const codeMember = "input"

// onlyCode returns the text of a call whose arguments are a text and otherwise only members that may be missing.
func onlyCode(i call.Inner) (string, bool) {
	var doc strictjson.Doc
	if doc.Parse(i.Args) != nil || doc.Root().Len() > 1+len(i.Holes) {
		return "", false
	}
	input, err := doc.Root().Member(codeMember)
	if err != nil || input.Kind() != strictjson.String {
		return "", false
	}
	return string(input.AppendText(nil)), true
}
