// Package nested finds the calls in the arguments of other calls: in code that makes them, and in wrappers that list them.
package nested

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/strictjson"
)

const (
	// maxDepth bounds how deep calls may nest: code in a wrapper in code.
	maxDepth = 4
	// maxCalls bounds the calls in one call.
	maxCalls = 2_000
	// maxSteps bounds how much code is parsed, in steps of the reader: calls in code may have code again.
	maxSteps = 4_000_000
)

// Find returns the calls in the arguments of c, at any depth and in order of position. opaque says that there may be other calls,
// which cannot be read.
func Find(c call.Call) (inner []call.Inner, opaque bool) {
	if c.Surface == call.Inbound {
		return nil, false // a tool that is offered, not called
	}
	f := finder{}
	for _, i := range c.Inner {
		f.add(i, 1)
	}
	outer := call.Inner{Tool: c.Tool, Args: c.Args, Partial: c.Partial}
	names := slices.Concat([]string{c.Tool}, c.Aliases, c.Spellings)
	switch {
	case slices.ContainsFunc(names, isCode):
		f.code(outer, 1)
	case slices.ContainsFunc(names, isWrapper) && len(c.Inner) == 0:
		f.wrapper(outer, 1)
	case c.Server != "" && slices.ContainsFunc(append(names, c.Server), namesCode):
		f.otherCode(outer)
	}
	return f.found, f.opaque
}

// A finder collects calls.
type finder struct {
	found  []call.Inner
	steps  int // of reading code
	opaque bool
}

// add adds a call at this depth, and the calls in it.
func (f *finder) add(i call.Inner, depth int) {
	if len(f.found) == maxCalls {
		f.opaque = true
		return
	}
	f.found = append(f.found, i)
	switch {
	case isCode(i.Tool):
		f.code(i, depth+1)
	case isWrapper(i.Tool):
		f.wrapper(i, depth+1)
	}
}

// base is the name of a tool without its groups: exec for functions.exec.
func base(tool string) string { return tool[strings.LastIndexByte(tool, '.')+1:] }

// These are the tool that runs several calls at once, and the member of its arguments that lists them. Agents write its group in
// several ways.
const (
	wrapperTool  = "parallel"
	wrapperGroup = "multi_tool_use"
	wrapperList  = "tool_uses"
)

func isWrapper(tool string) bool {
	rest, ok := strings.CutPrefix(tool, wrapperGroup)
	return base(tool) == wrapperTool || ok && strings.TrimLeft(rest, "_/:") == wrapperTool
}

// ownGroup is the group that a wrapper uses for the tools that a request offers.
const ownGroup = "functions."

// wrapper finds the calls that a wrapper lists. If the arguments have no such list, it is another tool of that name.
func (f *finder) wrapper(i call.Inner, depth int) {
	if i.Unknown || depth > maxDepth {
		f.opaque = true
		return
	}
	var doc strictjson.Doc
	if doc.Parse(i.Args) != nil {
		return
	}
	uses, err := doc.Root().Member(wrapperList)
	switch {
	case err != nil || slices.Contains(i.Holes, "/"+wrapperList):
		f.opaque = true
	case uses.Kind() == strictjson.Missing:
	case uses.Kind() != strictjson.Array:
		f.opaque = true
	default:
		at := 0
		for use := range uses.Elems() {
			f.use(use, inside(i, "/"+wrapperList+"/"+strconv.Itoa(at)), depth)
			at++
		}
	}
}

// use adds one entry of a wrapper's list. i has its holes, and says whether it repeats.
func (f *finder) use(use strictjson.Value, i call.Inner, depth int) {
	name, err := use.Member("recipient_name")
	recipient, isText := name.Text()
	parameters, err2 := use.Member("parameters")
	if err != nil || err2 != nil || use.Kind() != strictjson.Object || !isText || slices.Contains(i.Holes, "") ||
		slices.Contains(i.Holes, "/recipient_name") {
		f.opaque = true
		return
	}
	i = inside(i, "/parameters")
	i.Tool = strings.TrimPrefix(recipient, ownGroup)
	switch parameters.Kind() {
	case strictjson.Object:
		i.Args = slices.Clone(parameters.Raw())
	case strictjson.Missing:
		f.opaque = f.opaque || use.Len() > 1 // its parameters may be under another name
		i.Args = []byte("{}")
	default:
		i.Unknown, i.Holes = true, nil
	}
	f.add(i, depth)
}

// inside describes a part of a call's arguments: its holes, relative to the part, and whether the call repeats.
func inside(i call.Inner, pointer string) call.Inner {
	part := call.Inner{Partial: call.Partial{Repeats: i.Repeats}}
	for _, hole := range i.Holes {
		if rest, ok := strings.CutPrefix(hole, pointer); ok && (rest == "" || rest[0] == '/') {
			part.Holes = append(part.Holes, rest)
		}
	}
	return part
}
