package fold

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Chat is the OpenAI Chat Completions API, and every API that looks like it.
var Chat = Format{
	Name: "OpenAI Chat Completions",
	speaks: func(frame object) bool {
		// What a batch says of one request has an error too, and is no answer.
		return frame["choices"] != nil || frame["type"] == nil && frame["error"] != nil && frame["custom_id"] == nil
	},
	begin: func() folder { return &chatFolder{top: object{}} },
	whole: func(body object) (jsontext.Value, error) {
		if body["choices"] == nil {
			return nil, nil
		}
		return wholeCompletion(body), nil
	},
	acceptable: acceptableCompletion,
	content:    chatContent,
}

// A chatFolder makes one completion of a stream of chunks, and fails where a client would stumble, or where two clients
// would not come to the same.
type chatFolder struct {
	top     object
	choices []*foldedChoice
	ended   bool // [DONE] came
}

type foldedChoice struct {
	index    int
	choice   object
	message  object
	calls    []*foldedCall
	legacy   *foldedCall // function_call
	finished bool
}

// A foldedCall is a call with its body, which is the member that holds its name.
type foldedCall struct {
	call object
	kind string // the name of the body; "": none came
	body object
}

func (f *chatFolder) take(name string, data []byte) {
	switch {
	case name != "":
		stumblef("a chunk is called %s", name)
	case f.ended:
		stumblef("a frame after [DONE]")
	case string(data) == "[DONE]":
		f.ended = true
		return
	}
	chunk := parse[object](data, "chunk")
	if isThere(chunk["error"]) {
		panic(stumble{ErrFailed})
	}
	choices := parse[[]object](orElse(chunk["choices"], "[]"), "chunk: choices")
	for member, v := range chunk {
		if member == "choices" || member == "object" || member == "obfuscation" || !isThere(v) || nothing[string(v)] {
			continue
		}
		if first := member == "id" || member == "model" || member == "created"; !first || f.top[member] == nil {
			f.top[member] = v
		}
	}
	for _, c := range choices {
		f.choice(c)
	}
}

// nothing are values that say nothing: Azure begins with them.
var nothing = map[string]bool{`""`: true, "0": true}

func isThere(v jsontext.Value) bool { return v != nil && v.Kind() != 'n' }

// orElse is v, or other where v is not there.
func orElse(v jsontext.Value, other string) jsontext.Value {
	if isThere(v) {
		return v
	}
	return jsontext.Value(other)
}

func (f *chatFolder) choice(c object) {
	index, err := strconv.ParseUint(string(c["index"]), 10, 7)
	if err != nil {
		stumblef("a choice has the index %s", c["index"])
	}
	at, known := slices.BinarySearchFunc(f.choices, int(index), func(c *foldedChoice, i int) int { return c.index - i })
	if !known {
		f.choices = slices.Insert(f.choices, at, &foldedChoice{index: int(index), choice: object{}, message: object{}})
	}
	ch := f.choices[at]
	delta, message := parse[object](orElse(c["delta"], "null"), "delta"), parse[object](orElse(c["message"], "null"), "message")
	if ch.finished && (message != nil || goesOn(delta)) {
		stumblef("choice %d goes on after its finish", index)
	}
	for member, v := range message {
		ch.message[member] = v
	}
	for member, v := range delta {
		ch.add(member, v)
	}
	for member, v := range c {
		if member != "index" && member != "delta" && member != "message" && isThere(v) && string(v) != `""` {
			ch.choice[member] = v
			ch.finished = ch.finished || member == "finish_reason"
		}
	}
}

// add takes a member of a delta: texts and arrays are joined, calls put together, of others the last one counts.
func (ch *foldedChoice) add(member string, v jsontext.Value) {
	old := ch.message[member]
	switch {
	case !isThere(v):
	case member == "tool_calls":
		for _, e := range parse[[]object](v, "tool_calls") {
			ch.entry(e)
		}
	case member == "function_call":
		if ch.legacy == nil {
			ch.legacy = &foldedCall{}
		}
		ch.legacy.add(member, v)
	case member == "role" || !isThere(old):
		ch.message[member] = v
	case old.Kind() == '"' && v.Kind() == '"':
		ch.message[member] = joined(old, v)
	case v.Kind() == '[' || old.Kind() == '[':
		ch.message[member] = joinedParts(old, v)
	case v.Kind() == '{' && old.Kind() == '{':
		whole := parse[object](old, member)
		whole.grow(parse[object](v, member))
		ch.message[member] = written(whole)
	default:
		ch.message[member] = v
	}
}

// joinedParts joins contents of which at least one is an array of parts.
func joinedParts(a, b jsontext.Value) jsontext.Value {
	inner := func(v jsontext.Value) string {
		if v.Kind() == '"' {
			return `{"type":"text","text":` + string(v) + `}`
		}
		return strings.TrimSpace(string(v[1 : len(v)-1]))
	}
	list := slices.DeleteFunc([]string{inner(a), inner(b)}, func(s string) bool { return s == "" })
	return numberedOnce(jsontext.Value("[" + strings.Join(list, ",") + "]"))
}

// numberedOnce is an array in which parts that have the same index are one: their texts are joined.
func numberedOnce(array jsontext.Value) jsontext.Value {
	var parts, once []object
	if json.Unmarshal(array, &parts, lenient) != nil {
		return array // of something else
	}
	for _, p := range parts {
		at := slices.IndexFunc(once, func(o object) bool { return p["index"] != nil && string(o["index"]) == string(p["index"]) })
		if at < 0 {
			once = append(once, p)
			continue
		}
		once[at].grow(p)
	}
	if text, err := json.Marshal(once, lenient); err == nil && len(once) < len(parts) {
		return text
	}
	return array
}

// grow adds to a value in pieces what its next piece says: texts are joined, but for those that name it.
func (o object) grow(more object) {
	for member, v := range more {
		switch old := o[member]; {
		case member == "id" || member == "type" || member == "format":
			o[member] = orElse(old, string(v))
		case old.Kind() == '"' && v.Kind() == '"':
			o[member] = joined(old, v)
		default:
			o[member] = v
		}
	}
}

// entry takes an element of tool_calls. Everything that names the call is in its first one.
func (ch *foldedChoice) entry(e object) {
	index, err := strconv.Atoi(string(e["index"]))
	if err != nil || index < 0 || index > len(ch.calls) {
		stumblef("a call has the index %s where %d calls are there", e["index"], len(ch.calls))
	}
	if index == len(ch.calls) {
		if text(e["id"]) == "" || text(e["type"]) == "" {
			stumblef("call %d begins without id or type", index)
		}
		ch.calls = append(ch.calls, &foldedCall{call: object{}})
	} else if text(e["id"]) != "" || text(e["type"]) != "" {
		stumblef("call %d is named again", index)
	}
	c := ch.calls[index]
	for member, v := range e {
		if member == "function" || member == "custom" {
			c.add(member, v)
		} else if member != "index" {
			c.call[member] = v
		}
	}
}

// add takes a piece of a call's body. The first one has the name, and every one some text.
func (c *foldedCall) add(kind string, piece jsontext.Value) {
	var more object
	member := "arguments"
	if kind == "custom" {
		member = "input"
	}
	if err := json.Unmarshal(piece, &more, lenient); err != nil || more[member].Kind() != '"' {
		stumblef("a piece without text: %s", piece)
	}
	switch first := c.kind == ""; {
	case first && text(more["name"]) == "":
		stumblef("the first piece has no name")
	case first:
		c.kind, c.body = kind, more
		return
	case kind != c.kind || isThere(more["name"]):
		stumblef("a later piece has a name, or is of another kind")
	}
	c.body[member] = joined(c.body[member], more[member])
}

// entries are the calls as they stand in a whole message.
func (ch *foldedChoice) entries() []object {
	list := make([]object, 0, len(ch.calls))
	for _, c := range ch.calls {
		if c.kind != "" {
			c.call[c.kind] = written(c.body)
		}
		list = append(list, c.call)
	}
	return list
}

// goesOn says whether a delta adds something to a choice that is finished.
func goesOn(delta object) bool {
	content := delta["content"]
	return isThere(delta["tool_calls"]) || isThere(delta["function_call"]) || isThere(content) && string(content) != `""`
}

// whole is a choice as it stands in a whole completion.
func (ch *foldedChoice) whole() object {
	if !ch.finished {
		stumblef("choice %d has no finish reason: %w", ch.index, ErrMarked)
	}
	if calls := ch.entries(); len(calls) > 0 {
		ch.message["tool_calls"] = written(calls)
	}
	if ch.legacy != nil {
		ch.message["function_call"] = written(ch.legacy.body)
	}
	ch.choice["message"], ch.choice["index"] = written(ch.message), jsontext.Value(strconv.Itoa(ch.index))
	return ch.choice
}

func (f *chatFolder) result() (jsontext.Value, error) {
	if !f.ended {
		return nil, fmt.Errorf("the stream has no [DONE]: %w", ErrUnfinished)
	}
	list := make([]object, 0, len(f.choices))
	for _, ch := range f.choices {
		list = append(list, ch.whole())
	}
	if len(list) == 0 {
		return nil, errors.New("the stream has no choice")
	}
	f.top["choices"] = written(list)
	return wholeCompletion(f.top), nil
}

// wholeCompletion is a completion without what says nothing, so that a folded one and a whole one compare.
func wholeCompletion(body object) jsontext.Value {
	choices := parse[[]struct {
		Message object `json:"message"`
		Rest    object `json:",embed"`
	}](body["choices"], "the choices")
	for _, c := range choices {
		dropNulls(c.Message)
		dropNulls(c.Rest)
		dropIndexes(c.Message)
	}
	body["choices"] = written(choices)
	delete(body, "object")
	delete(body, "obfuscation") // which is there for its length alone
	dropNulls(body)
	return written(body)
}

func dropNulls(o object) {
	for member, v := range o {
		if !isThere(v) {
			delete(o, member)
		}
	}
}

// dropIndexes removes what some servers say in whole messages too, and no client looks at.
func dropIndexes(message object) {
	if message["tool_calls"] == nil {
		return
	}
	calls := parse[[]object](message["tool_calls"], "the calls")
	for _, c := range calls {
		delete(c, "index")
	}
	message["tool_calls"] = written(calls)
}
