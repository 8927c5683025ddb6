package openairesponses_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// clients are those of the reference, and plain loops over the events. Those that wait for items to be done, and those that take
// the last response, must see all that was released.
func clients() []dialecttest.Client {
	all := func(dialecttest.Seen) bool { return true }
	return []dialecttest.Client{
		{Name: "openai-node accumulator", Read: inEveryWay(accumulate), Knows: all},
		{Name: "loop over items added", Read: inEveryWay(loop("response.output_item.added", "item"))},
		{Name: "loop over items done", Read: inEveryWay(loop("response.output_item.done", "item")), Knows: all},
		{Name: "ai-sdk", Read: inEveryWay(expanded)},
		{Name: "loop over arguments done", Read: inEveryWay(wholeArguments)},
		{Name: "deltas by item_id", Read: inEveryWay(deltasBy("item_id"))},
		{Name: "deltas by output_index", Read: inEveryWay(deltasBy("output_index"))},
		{Name: "last response", Read: inEveryWay(lastResponse), Knows: all},
		{Name: "first response", Read: inEveryWay(firstResponse)},
	}
}

// A way is how a client finds the calls of a stream, whichever member it picks.
type way func(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error)

// inEveryWay reads with every pick that makes a difference: where no name is there twice or in another case, one is enough.
func inEveryWay(read way) func([]byte, []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
	return func(_ []byte, events []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
		trees := treesOf(events)
		seen, err := read(dialecttest.Last, trees)
		if !slices.ContainsFunc(trees, ambiguous) {
			return seen, err
		}
		for _, get := range picks {
			more, _ := read(get, trees)
			seen = append(seen, more...)
		}
		return seen, err
	}
}

// ambiguous says whether readers that pick differently see different members.
func ambiguous(tree dialecttest.Tree) (found bool) {
	tree.Walk(func(t dialecttest.Tree) {
		for _, name := range t.Names {
			found = found || len(t.All(name)) > 1 || name != strings.ToLower(name)
		}
	})
	return found
}

// treesOf are the events up to the end that clients know, or to the first that cannot be read.
func treesOf(events []dialecttest.LooseEvent) []dialecttest.Tree {
	var trees []dialecttest.Tree
	for _, e := range events {
		tree, err := dialecttest.ParseTree([]byte(strings.TrimSpace(e.Data)))
		if err != nil {
			break
		}
		trees = append(trees, tree)
	}
	return trees
}

// callsIn are the calls among items.
func callsIn(get pick, items []dialecttest.Tree) []dialecttest.Seen {
	var seen []dialecttest.Seen
	for _, item := range items {
		if s, ok := readCall(get, item); ok && item.Kind == '{' {
			seen = append(seen, s)
		}
	}
	return seen
}

func loop(typ, member string) way {
	return func(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
		var items []dialecttest.Tree
		for _, e := range events {
			if get(e, "type").Text == typ {
				items = append(items, get(e, member))
			}
		}
		return callsIn(get, items), nil
	}
}

// accumulate is openai-node's way: frames that begin or end a response replace all, items are pushed when they are added
// and found by index after that, and an index where nothing is ends it.
func accumulate(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
	var output []dialecttest.Tree
	for i, e := range events {
		typ := get(e, "type").Text
		if i == 0 && typ != "response.created" {
			return nil, errors.New("expected response.created")
		}
		switch typ {
		case "response.created", "response.queued", "response.in_progress", "response.completed", "response.failed", "response.incomplete":
			output = slices.Clone(get(get(e, "response"), "output").Values)
			continue
		case "response.output_item.added":
			output = append(output, get(e, "item"))
			continue
		case "error", "keepalive":
			continue
		}
		at, err := strconv.Atoi(get(e, "output_index").Literal)
		if err != nil || at < 0 || at >= len(output) {
			if knownInside(typ) || typ == "response.output_item.done" {
				return nil, fmt.Errorf("missing output at index %s", get(e, "output_index").Literal)
			}
			return nil, errors.New("unhandled event")
		}
		if typ == "response.output_item.done" {
			output[at] = get(e, "item")
		} else {
			output[at] = patched(get, output[at], typ, e)
		}
	}
	return callsIn(get, output), nil
}

// patched is an item with a piece added, or a text put in.
func patched(get pick, item dialecttest.Tree, typ string, e dialecttest.Tree) dialecttest.Tree {
	kind, step, _ := strings.Cut(strings.TrimPrefix(typ, "response."), ".")
	path := pieceKinds[kind]
	if len(path) != 1 || !strings.HasPrefix(kind, get(item, "type").Text) {
		return item
	}
	literal := get(e, path[0]).Literal
	if step == "delta" {
		literal = get(item, path[0]).Literal + get(e, "delta").Literal
	}
	item.Names, item.Values = slices.Clone(item.Names), slices.Clone(item.Values)
	for i, name := range item.Names {
		if name == path[0] {
			item.Values[i] = dialecttest.Tree{Kind: '"', Literal: literal, Text: dialecttest.Unquote(literal)}
		}
	}
	return item
}

// expanded is the AI SDK's way: items that are done, and calls of a function named parallel taken apart.
func expanded(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
	calls, _ := loop("response.output_item.done", "item")(get, events)
	var seen []dialecttest.Seen
	for _, c := range calls {
		tree, err := dialecttest.ParseTree([]byte(c.Args))
		if c.Name != "parallel" || err != nil {
			seen = append(seen, c)
			continue
		}
		for _, use := range get(tree, "tool_uses").Values {
			name, ok := strings.CutPrefix(get(use, "recipient_name").Text, "functions.")
			if !ok || get(use, "parameters").Kind != '{' {
				break
			}
			seen = append(seen, dialecttest.Seen{ID: c.ID + innerMark, Name: name, Args: get(use, "parameters").String()})
		}
	}
	return seen, nil
}

// begunBy finds the items that were added, by a member of the events.
func begunBy(get pick, key string, e dialecttest.Tree, begun map[string]dialecttest.Tree) {
	if get(e, "type").Text != "response.output_item.added" {
		return
	}
	id := get(e, key).Literal
	if key == "item_id" {
		id = get(get(e, "item"), "id").Literal
	}
	begun[id] = get(e, "item")
}

// wholeArguments runs a function when its arguments are said whole.
func wholeArguments(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
	begun := map[string]dialecttest.Tree{}
	var seen []dialecttest.Seen
	for _, e := range events {
		begunBy(get, "item_id", e, begun)
		if get(e, "type").Text == "response.function_call_arguments.done" {
			s, _ := readCall(get, begun[get(e, "item_id").Literal])
			if name := get(e, "name").Text; name != "" && !strings.HasSuffix(s.Name, name) {
				s.Name = name
			}
			s.Args = meaning(get(e, "arguments").Text)
			if s.Name != "" && s.ID != "" { // else there is nothing to run, or to answer
				seen = append(seen, s)
			}
		}
	}
	return seen, nil
}

func meaning(text string) string {
	if text == "" {
		return "{}"
	}
	return dialecttest.Meaning([]byte(text))
}

// deltasBy adds up the pieces of functions by a member, and runs what is JSON at the end.
func deltasBy(key string) way {
	return func(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
		begun, texts := map[string]dialecttest.Tree{}, map[string]string{}
		var seen []dialecttest.Seen
		run := func(id string) {
			if text := dialecttest.Unquote(texts[id]); text != "" && !strings.HasPrefix(meaning(text), "not JSON") {
				s, _ := readCall(get, begun[id])
				s.Args = meaning(text)
				if s.Name != "" && s.ID != "" {
					seen = append(seen, s)
				}
			}
			delete(texts, id)
		}
		for _, e := range events {
			if get(e, "type").Text == "response.output_item.added" {
				id := get(e, key).Literal
				if key == "item_id" {
					id = get(get(e, "item"), "id").Literal
				}
				run(id)
			}
			begunBy(get, key, e, begun)
			if get(e, "type").Text == "response.function_call_arguments.delta" {
				texts[get(e, key).Literal] += get(e, "delta").Literal
			}
		}
		for id := range texts {
			run(id)
		}
		return seen, nil
	}
}

func lastResponse(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
	var last dialecttest.Tree
	for _, e := range events {
		switch get(e, "type").Text {
		case "response.completed", "response.incomplete", "response.failed":
			last = get(e, "response")
		}
	}
	return callsIn(get, get(last, "output").Values), nil
}

func firstResponse(get pick, events []dialecttest.Tree) ([]dialecttest.Seen, error) {
	for _, e := range events {
		if response := get(e, "response"); response.Kind == '{' {
			return callsIn(get, get(response, "output").Values), nil
		}
	}
	return nil, nil
}

// knownInside says whether an event of this type needs its item: the accumulator looks for it.
func knownInside(typ string) bool {
	for _, part := range []string{"content_part.", "output_text.", "refusal.", "reasoning_", "_call"} {
		if strings.Contains(typ, part) {
			return true
		}
	}
	return false
}
