package openaichat_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// What clients make of several names of one call.
const (
	lastName    = "the last wins"
	firstName   = "the first wins"
	joinedNames = "they are joined"
	apartNames  = "each is a call"
)

// A client is how one library or program puts the pieces of a stream together.
type client struct {
	name  string
	names string
	ids   string // as names
	// index finds the place of an entry among next calls; false: it is lost.
	index func(index dialecttest.Tree, next int) (int, bool)
	// get is the member of an object that the client sees.
	get       func(dialecttest.Tree, string) dialecttest.Tree
	rawObject bool     // an object is taken for its text
	nullText  bool     // null is taken for the text "null"
	utf16     bool     // halves of a character come together
	strict    bool     // a call must begin with an id and a name
	typed     bool     // every call needs a type, every choice an end
	replaces  bool     // a whole message replaces what came before
	merges    bool     // it takes the first choice of each chunk, whatever its index
	afterDone bool     // it goes on after [DONE]
	runs      []string // kinds of calls
}

// clients are those of the reference's table of accumulators, and a program that decodes into structs.
func clients() []client {
	common := []string{kindFunction, kindLegacy}
	return []client{
		{
			name: "openai-node stream", names: lastName, ids: lastName, index: exactIndex, get: dialecttest.Last, utf16: true,
			typed: true, replaces: true, runs: append(common, kindCustom),
		},
		{
			name: "raw loop", names: firstName, ids: firstName, index: anyIndex, get: dialecttest.Last, utf16: true, nullText: true,
			runs: common[:1],
		},
		{
			name: "raw loop in Go", names: lastName, ids: lastName, index: zeroIndex, get: dialecttest.LastInAnyCase, runs: common,
			afterDone: true,
		},
		{
			name: "openai-go accumulator", names: joinedNames, ids: lastName, index: zeroIndex, get: dialecttest.First,
			rawObject: true, runs: common,
		},
		{
			name: "openai-python accumulator", names: joinedNames, ids: joinedNames, index: exactIndex, get: dialecttest.Last,
			runs: append(common, kindCustom),
		},
		{
			name: "ai-sdk compat", names: apartNames, ids: firstName, index: anyIndex, get: dialecttest.Last, utf16: true,
			strict: true, merges: true, afterDone: true, runs: common[:1],
		},
	}
}

// clientsOfSuite are the clients as the contract suite has them.
func clientsOfSuite() (all []dialecttest.Client) {
	for _, c := range clients() {
		client := dialecttest.Client{
			Name: c.name,
			Read: func(_ []byte, events []dialecttest.LooseEvent) ([]dialecttest.Seen, error) { return c.read(events) },
		}
		if !c.strict { // who is, gives up where a kind of call is new
			client.Knows = func(s dialecttest.Seen) bool { return slices.Contains(c.runs, kindOf(s)) }
		}
		all = append(all, client)
	}
	return all
}

// kindOf is how a call that was made up is written.
func kindOf(s dialecttest.Seen) string {
	switch {
	case s.ID == "":
		return kindLegacy
	case s.Name == "future_call" || s.Name == "video":
		return kindOther
	case strings.HasPrefix(s.Args, `{"input":`):
		return kindCustom
	}
	return kindFunction
}

func exactIndex(index dialecttest.Tree, _ int) (int, bool) {
	n, err := strconv.Atoi(index.Literal)
	return n, err == nil && n >= 0
}

func anyIndex(index dialecttest.Tree, next int) (int, bool) {
	if n, err := strconv.Atoi(index.Literal); err == nil {
		return n, true
	}
	return next, true
}

func zeroIndex(index dialecttest.Tree, _ int) (int, bool) {
	n, _ := strconv.Atoi(index.Literal)
	return max(n, 0), true
}

// A heard is a call as a client has it so far.
type heard struct {
	kind, id, name, text, typ string
	decoded                   bool // text is decoded piece by piece
	complete                  bool // it was acted upon
}

// An answer is a choice as a client has it so far.
type answer struct {
	calls    map[int]*heard
	legacy   *heard
	finished bool
}

// A listener reads one response as a client does.
type listener struct {
	client
	answers map[string]*answer
	all     []*heard
}

// read returns the calls that the client sees, and why it gave up, if it did.
func (c client) read(events []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
	l := listener{client: c, answers: map[string]*answer{}}
	err := l.frames(events)
	for _, a := range l.answers {
		if c.typed && !a.finished && err == nil {
			err = errors.New("a choice has no end")
		}
	}
	if err != nil && c.typed {
		return nil, err // it shows nothing before the end
	}
	var seen []dialecttest.Seen
	for _, h := range l.all {
		if s := h.seen(); s.Name != "" && slices.Contains(c.runs, h.kind) && l.has(h) {
			seen = append(seen, s)
		}
	}
	return seen, err
}

// has says whether a call was not replaced by a message.
func (l *listener) has(h *heard) bool {
	if !l.replaces {
		return true
	}
	for _, a := range l.answers {
		if a.legacy == h {
			return true
		}
		for _, c := range a.calls {
			if c == h {
				return true
			}
		}
	}
	return false
}

func (l *listener) frames(events []dialecttest.LooseEvent) error {
	for _, e := range events {
		if strings.HasPrefix(e.Data, "[DONE]") {
			if l.afterDone {
				continue
			}
			return nil
		}
		tree, err := dialecttest.ParseTree([]byte(e.Data))
		if err != nil {
			return err
		}
		if err := l.frame(tree); err != nil {
			return err
		}
	}
	return nil
}

func (l *listener) frame(root dialecttest.Tree) error {
	if l.get(root, "error").Kind == '{' {
		return errors.New("an error came")
	}
	for i, c := range l.get(root, "choices").Values {
		if l.merges && i > 0 {
			break
		}
		a := l.answer(l.get(c, "index"))
		if a == nil {
			continue // lost
		}
		if message := l.get(c, "message"); l.replaces && message.Kind == '{' {
			*a = answer{calls: map[int]*heard{}}
			if err := l.body(a, message, true); err != nil {
				return err
			}
		}
		if err := l.body(a, l.get(c, "delta"), false); err != nil {
			return err
		}
		a.finished = a.finished || l.get(c, "finish_reason").Text != ""
	}
	return nil
}

func (l *listener) answer(index dialecttest.Tree) *answer {
	key := index.Literal
	switch {
	case l.merges:
		key = ""
	case key == "" && (l.typed || l.ids == joinedNames):
		return nil
	case key == "":
		key = "0"
	}
	if l.answers[key] == nil {
		l.answers[key] = &answer{calls: map[int]*heard{}}
	}
	return l.answers[key]
}

func (l *listener) body(a *answer, body dialecttest.Tree, whole bool) error {
	for i, entry := range l.get(body, "tool_calls").Values {
		at, ok := l.index(l.get(entry, "index"), len(a.calls))
		if whole {
			at, ok = i, true
		}
		if !ok {
			continue
		}
		if err := l.entry(a, at, entry); err != nil {
			return err
		}
	}
	if call := l.get(body, "function_call"); call.Kind == '{' {
		if a.legacy == nil {
			a.legacy = &heard{kind: kindLegacy, decoded: !l.utf16}
			l.all = append(l.all, a.legacy)
		}
		l.add(a.legacy, call, "arguments")
	}
	return nil
}

func (l *listener) entry(a *answer, at int, entry dialecttest.Tree) error {
	h, fn, free := a.calls[at], l.get(entry, "function"), l.get(entry, "custom")
	id, name := l.get(entry, "id").Text, l.get(fn, "name").Text
	if h == nil || l.names == apartNames && name != "" {
		if l.strict && (id == "" || name == "") {
			return errors.New("a call without an id or a name")
		}
		h = &heard{kind: kindFunction, decoded: !l.utf16}
		a.calls[at] = h
		l.all = append(l.all, h)
	}
	if h.complete {
		return nil
	}
	h.id = pick(l.ids, h.id, id)
	if typ := l.get(entry, "type").Text; typ != "" {
		h.typ = typ
	}
	if l.typed && h.typ == "" {
		return errors.New("a call without a type")
	}
	if free.Kind == '{' {
		h.kind = kindCustom
		if l.replaces {
			h.name, h.text = "", "" // the last custom object takes the place of the one before
		}
		l.add(h, free, "input")
	}
	if fn.Kind == '{' {
		l.add(h, fn, "arguments")
	}
	_, err := dialecttest.ParseTree([]byte(h.arguments()))
	h.complete = l.strict && err == nil
	return nil
}

func (l *listener) add(h *heard, body dialecttest.Tree, text string) {
	h.name = pick(l.names, h.name, l.get(body, "name").Text)
	switch piece := l.get(body, text); {
	case piece.Kind == '"' && h.decoded:
		h.text += piece.Text
	case piece.Kind == '"':
		h.text += piece.Literal
	case piece.Kind == '{' && l.rawObject:
		h.text += piece.String()
	case piece.Kind == '{':
		h.text += "[object Object]"
	case l.nullText && piece.Kind == 'n':
		h.text += "null"
	case l.nullText && piece.Kind == 0:
		h.text += "undefined"
	}
}

// pick is what a client has after it had before and one more came.
func pick(rule, before, more string) string {
	switch {
	case rule == joinedNames:
		return before + more
	case more == "" || rule == firstName && before != "":
		return before
	}
	return more
}

func (h *heard) arguments() string {
	if h.decoded {
		return h.text
	}
	return dialecttest.Unquote(h.text)
}

func (h *heard) seen() dialecttest.Seen {
	s := dialecttest.Seen{ID: h.id, Name: h.name, Args: dialecttest.Meaning([]byte(h.arguments()))}
	if h.kind == kindCustom {
		s.Args = `{"input":` + strconv.Quote(h.arguments()) + `}`
	}
	return s
}
