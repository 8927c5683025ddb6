package openairesponses_test

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A pick is how a reader finds a member of an object.
type pick func(dialecttest.Tree, string) dialecttest.Tree

// picks are those that may not see other calls than those that take the last.
var picks = []pick{dialecttest.First, dialecttest.LastInAnyCase, dialecttest.FirstInAnyCase}

// lenientCalls returns every call, or piece of one, that any client could see. A call that is spoken of in several places
// is seen once if all of them say the same, and as often as they disagree.
func lenientCalls(loose []dialecttest.LooseEvent) []dialecttest.Seen {
	events := parseAll(loose)
	seen := newReader(dialecttest.Last).read(events)
	for _, get := range picks {
		for _, s := range newReader(get).read(events) {
			if !slices.Contains(seen, s) {
				seen = append(seen, s)
			}
		}
	}
	return seen
}

// A parsed event is one whose data is JSON.
type parsed struct {
	name string
	tree dialecttest.Tree
}

func parseAll(events []dialecttest.LooseEvent) []parsed {
	var all []parsed
	for _, e := range events {
		if tree, err := dialecttest.ParseTree([]byte(e.Data)); err == nil {
			all = append(all, parsed{e.Name, tree})
		}
	}
	return all
}

// Where a mention stands.
const (
	inAdded = "added" // the call may still grow
	inWhole = "whole" // of a finished item, a response, a list
)

// A mention is an item that is a call, where it stands once.
type mention struct {
	place string
	seen  dialecttest.Seen
	item  dialecttest.Tree
}

// A run is text that came in pieces.
type run struct {
	kind, command string
	literal       string
	at            []*mention // that the pieces belong to, by index and by id
}

// A reader is the most lenient client of the format: it takes an item for a call wherever it stands, whatever the event
// is called, reads on after every end, and adds up pieces by index and by id.
type reader struct {
	get      pick
	mentions []*mention
	byIndex  map[string]*mention
	byID     map[string]*mention
	runs     map[string]*run
	order    []string
	strays   []dialecttest.Seen
}

func newReader(get pick) *reader {
	return &reader{get: get, byIndex: map[string]*mention{}, byID: map[string]*mention{}, runs: map[string]*run{}}
}

func (r *reader) read(events []parsed) []dialecttest.Seen {
	for _, e := range events {
		typ := r.get(e.tree, "type").Text
		r.event(typ, e.tree)
		if e.name != typ && strings.HasPrefix(e.name, "response.") {
			r.event(e.name, e.tree)
		}
		if len(events) == 1 && e.name == "" && !strings.HasPrefix(typ, "response.") {
			r.body(e.tree)
		}
	}
	return r.finish()
}

// body reads what is no event: a response, a list, an item.
func (r *reader) body(tree dialecttest.Tree) {
	typ := r.get(tree, "type")
	named := r.get(tree, "id").Kind != 0 || r.get(tree, "call_id").Kind != 0
	if named && typ.Kind != 0 && typ.Text != "error" && typ.Text != "keepalive" && r.get(tree, "response").Kind == 0 {
		r.item(tree, "", inWhole)
	}
	r.items(r.get(tree, "data"))
}

// ownMembers are where events have items, responses and pieces.
var ownMembers = []string{"item", "response", "output", "data", "part", "tools"}

// ownOfResponse are the members of a response that hold items, and those that hold what the request said.
var ownOfResponse = []string{"output", "tools", "tool_choice", "prompt", "metadata", "instructions", "text"}

func (r *reader) event(typ string, tree dialecttest.Tree) {
	if isText(typ) {
		r.foreign(tree) // nobody looks for items in it, but for those that everybody knows
		return
	}
	index := r.get(tree, "output_index").Literal
	if item := r.get(tree, "item"); item.Kind == '{' || item.Kind == '[' {
		place := inWhole
		if strings.HasSuffix(typ, ".added") {
			place = inAdded
		}
		r.item(item, index, place)
	}
	for _, part := range []string{"part", "annotation"} {
		r.foreign(r.get(tree, part))
	}
	response := r.get(tree, "response")
	r.items(r.get(response, "output"))
	if !strings.HasSuffix(typ, "_output") { // the parts of a result are no items
		r.items(r.get(tree, "output"))
	}
	r.foreign(response, ownOfResponse...)
	if typ == "" {
		r.foreign(tree, append(ownOfResponse, ownMembers...)...)
	} else {
		r.foreign(tree, ownMembers...)
	}
	if isPiece(typ) {
		r.piece(typ, tree)
	}
}

// isText says whether an event brings text, reasoning or the like.
func isText(typ string) bool {
	for _, prefix := range []string{"output_text", "content_part", "refusal", "reasoning", "audio"} {
		if strings.HasPrefix(typ, "response."+prefix) {
			return true
		}
	}
	return false
}

func (r *reader) items(list dialecttest.Tree) {
	switch list.Kind {
	case '[', '{':
		for _, v := range list.Values {
			r.item(v, "", inWhole)
		}
	}
}

// item reads an item; one that is no call is looked through for calls.
func (r *reader) item(item dialecttest.Tree, index, place string) {
	if item.Kind == '[' {
		r.items(item)
		return
	}
	if item.Kind != '{' {
		return
	}
	seen, isCall := readCall(r.get, item)
	if !isCall {
		if r.get(item, "type").Text != "additional_tools" {
			r.foreign(item, "output")
		}
		if r.get(item, "type").Text != "" {
			delete(r.byIndex, index)
		}
		return
	}
	m := &mention{place: place, seen: seen, item: item}
	r.mentions = append(r.mentions, m)
	if index != "" {
		r.byIndex[index] = m
	}
	if id := r.get(item, "id").Text; id != "" {
		r.byID[id] = m
	}
}

// foreign notes what is a call in v, but for the members where calls belong.
func (r *reader) foreign(v dialecttest.Tree, but ...string) {
	r.strays = append(r.strays, dialecttest.Foreign(v, but...)...)
}
