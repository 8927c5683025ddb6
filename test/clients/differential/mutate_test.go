package differential

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/test/clients"
)

// frames breaks a stream: its order, its frames, and the JSON in them. others are frames of any format.
func (g *generator) breakFrames(frames, others []frame) []frame {
	for range g.IntN(4) {
		if len(frames) == 0 {
			return frames
		}
		i, j := g.IntN(len(frames)), g.IntN(len(frames))
		switch g.IntN(10) {
		case 0:
			frames[i], frames[j] = frames[j], frames[i]
		case 1:
			frames = slices.Insert(frames, i, frames[j])
		case 2:
			frames = slices.Delete(frames, i, i+1)
		case 3:
			frames = slices.Insert(frames, i, others[g.IntN(len(others))])
		default:
			frames[i].data = g.breakJSON(frames[i].data)
		}
	}
	return frames
}

// breakJSON changes something in a JSON text.
func (g *generator) breakJSON(text string) string {
	tree, err := dialecttest.ParseTree([]byte(text))
	if err != nil {
		return text
	}
	var objects []*dialecttest.Tree
	collect(&tree, &objects)
	if len(objects) == 0 {
		return text
	}
	for range 1 + g.IntN(2) {
		g.breakObject(objects[g.IntN(len(objects))])
	}
	return write(tree)
}

// collect finds the objects with members in a tree.
func collect(t *dialecttest.Tree, objects *[]*dialecttest.Tree) {
	if t.Kind == '{' && len(t.Names) > 0 {
		*objects = append(*objects, t)
	}
	for i := range t.Values {
		collect(&t.Values[i], objects)
	}
}

// breakObject changes a member of an object.
func (g *generator) breakObject(t *dialecttest.Tree) {
	if len(t.Names) == 0 {
		return
	}
	i, j := g.IntN(len(t.Names)), g.IntN(len(t.Names))
	switch g.IntN(9) {
	case 0: // the same member twice
		t.Names, t.Values = slices.Insert(t.Names, j, t.Names[i]), slices.Insert(t.Values, j, t.Values[j])
	case 1: // in another case
		t.Names[i] = g.pick(strings.ToUpper(t.Names[i][:min(1, len(t.Names[i]))])+t.Names[i][min(1, len(t.Names[i])):],
			strings.ToUpper(t.Names[i]))
	case 2: // a case variant beside it, with other arguments in it
		t.Names, t.Values = append(t.Names, strings.ToUpper(t.Names[i])), append(t.Values, g.forbidden())
	case 3: // in another order
		t.Names[i], t.Names[j], t.Values[i], t.Values[j] = t.Names[j], t.Names[i], t.Values[j], t.Values[i]
	case 4: // left out
		t.Names, t.Values = slices.Delete(t.Names, i, i+1), slices.Delete(t.Values, i, i+1)
	case 5: // of another type
		t.Values[i] = g.retyped(t.Values[i])
	case 6: // under the name of another
		t.Names[i] = g.pick(words...)
	case 7: // what nobody documents
		var more dialecttest.Tree
		if more, _ = dialecttest.ParseTree([]byte("{" + g.hiddenMember() + "}")); len(more.Names) == 1 {
			t.Names, t.Values = slices.Insert(t.Names, i, more.Names[0]), slices.Insert(t.Values, i, more.Values[0])
		}
	case 8: // another number or name
		t.Values[i] = g.another(t.Values[i])
	}
}

// words are names and kinds in all formats. Members that are documented to hold anything are not among them.
var words = []string{
	"name", "arguments", "args", "input", "function", "tool_calls", "function_call", "functionCall", "toolUse", "tool_use", "content", "delta",
	"partial_json", "index", "id", "type", "item", "output", "parts", "text", "message", "choices", "call_id", "start", "custom", "action",
}

// forbidden are arguments that the policy would refuse.
func (g *generator) forbidden() dialecttest.Tree {
	text := `{"path":"` + clients.Marker + `"}`
	if g.IntN(2) == 0 {
		text = dialect.Quote(text)
	}
	t, _ := dialecttest.ParseTree([]byte(text)) // it is JSON
	return t
}

// retyped is a value as a value of another type.
func (g *generator) retyped(t dialecttest.Tree) dialecttest.Tree {
	if t.Kind == '"' && g.IntN(2) == 0 {
		if inner, err := dialecttest.ParseTree([]byte(t.Text)); err == nil {
			return inner
		}
	}
	text := g.pick(dialect.Quote(write(t)), "["+write(t)+"]", `{"a":`+write(t)+`}`, "null", "0", `""`, "{}", "true")
	other, _ := dialecttest.ParseTree([]byte(text)) // it is JSON
	return other
}

// another is a value of the same type.
func (g *generator) another(t dialecttest.Tree) dialecttest.Tree {
	switch t.Kind {
	case '0':
		t.Literal = g.pick("0", "1", "2", "-1", "1.0", "99", "1e0")
	case '"':
		t.Literal = g.pick(append([]string{"call_1", "call_2", "tool_calls", "stop", "", `\ud83d`, `{\"path\":\"` + clients.Marker + `\"}`}, append(words, tools...)...)...)
	}
	return t
}

// write is a tree as JSON, with members that occur twice and strings as they were written.
func write(t dialecttest.Tree) string {
	switch t.Kind {
	case '"':
		return `"` + t.Literal + `"`
	case '{', '[':
		var members []string
		for i, v := range t.Values {
			text := write(v)
			if t.Kind == '{' {
				text = dialect.Quote(t.Names[i]) + ":" + text
			}
			members = append(members, text)
		}
		end := map[byte]string{'{': "}", '[': "]"}[t.Kind]
		return string(t.Kind) + strings.Join(members, ",") + end
	}
	return t.String()
}

// breakBytes breaks what goes over the wire: it cuts it off, or changes bytes of it.
func (g *generator) breakBytes(body []byte, format string) []byte {
	switch n := g.IntN(12); {
	case n == 0 && len(body) > 0:
		return body[:g.IntN(len(body))]
	case n == 1 && format != "bedrock": // whose messages have checksums
		return dialecttest.Mutate(g.Rand, [][]byte{body}, words)
	}
	return body
}

// name is what a trial is called: the seed and what is made from it.
func name(format, way string, seed uint64, number int) string {
	return fmt.Sprintf("%s/%s/%s/%s", format, way, strconv.FormatUint(seed, 10), strconv.Itoa(number))
}
