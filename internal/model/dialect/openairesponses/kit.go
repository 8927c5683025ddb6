package openairesponses

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// kit is how weir's own models and clients speak this format.
var kit = wire.Kit{
	Request: func(t wire.Turn, streamed bool) (path, body string) {
		return "/v1/responses", fmt.Sprintf(`{"model":%s,"stream":%t,"store":%t,"input":%s}`,
			dialect.Quote(t.Model), streamed, t.Kept, dialect.Quote(t.Question))
	},
	Framing: frame.Events, Stream: playStream, Whole: playWhole,
	Marks:  []string{`"function_call"`, "function_call_arguments"},
	Reader: func() func(strictjson.Value) []wire.News { return hear },
}

func playResponse(t wire.Turn, status string, items ...string) string {
	return fmt.Sprintf(`{"id":"resp_%s","object":"response","created_at":0,"status":%q,"model":%s,"store":%t,"output":[%s],`+
		`"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0}}`, t.ID, status, dialect.Quote(t.Model), t.Kept, strings.Join(items, ","))
}

// A playedItem is a block as an item of the output.
type playedItem struct {
	wire.Block
	id string
}

func playItems(t wire.Turn) (items []playedItem) {
	for i, b := range t.Blocks {
		items = append(items, playedItem{b, fmt.Sprintf("item_%s_%d", t.ID, i)})
	}
	return items
}

func (p playedItem) part(text string) string {
	return `{"type":"output_text","annotations":[],"text":` + dialect.Quote(text) + `}`
}

// begun is the item when it is announced, and done when it is complete.
func (p playedItem) begun() string { return p.render("in_progress", "", "") }
func (p playedItem) done() string  { return p.render("completed", p.part(p.Whole()), p.Whole()) }

func (p playedItem) render(status, parts, arguments string) string {
	if p.Tool == "" {
		return fmt.Sprintf(`{"id":%q,"type":"message","status":%q,"role":"assistant","content":[%s]}`, p.id, status, parts)
	}
	return fmt.Sprintf(`{"id":%q,"type":"function_call","status":%q,"call_id":"call_%s","name":%s,"arguments":%s}`,
		p.id, status, p.ID, dialect.Quote(p.Tool), dialect.Quote(arguments))
}

func playStream(t wire.Turn) (s wire.Steps) {
	add := func(n wire.News, typ, format string, args ...any) {
		s.Add(n, eventPrefix+typ, fmt.Sprintf(`{"type":"%s%s","sequence_number":%d,`, eventPrefix, typ, len(s))+fmt.Sprintf(format, args...)+"}")
	}
	add(wire.News{}, "created", `"response":%s`, playResponse(t, "in_progress"))
	var items []string
	for i, item := range playItems(t) {
		at := fmt.Sprintf(`"item_id":%q,"output_index":%d`, item.id, i)
		add(wire.News{Tool: item.Tool}, "output_item.added", `"output_index":%d,"item":%s`, i, item.begun())
		whole := dialect.Quote(item.Whole())
		if item.Tool == "" {
			at += `,"content_index":0`
			add(wire.News{}, "content_part.added", `%s,"part":%s`, at, item.part(""))
			for _, p := range item.Pieces {
				add(wire.News{Text: p}, "output_text.delta", `%s,"delta":%s`, at, dialect.Quote(p))
			}
			add(wire.News{}, "output_text.done", `%s,"text":%s`, at, whole)
			add(wire.News{}, "content_part.done", `%s,"part":%s`, at, item.part(item.Whole()))
		} else {
			for _, p := range item.Pieces {
				add(wire.News{Args: p}, "function_call_arguments.delta", `%s,"delta":%s`, at, dialect.Quote(p))
			}
			add(wire.News{}, "function_call_arguments.done", `%s,"arguments":%s`, at, whole)
		}
		add(wire.News{}, "output_item.done", `"output_index":%d,"item":%s`, i, item.done())
		items = append(items, item.done())
	}
	add(wire.News{Stop: "completed"}, "completed", `"response":%s`, playResponse(t, "completed", items...))
	return s
}

func playWhole(t wire.Turn) string {
	var items []string
	for _, item := range playItems(t) {
		items = append(items, item.done())
	}
	return playResponse(t, "completed", items...)
}

// hear understands an event. It learns of a call when its item is done, as agents do.
func hear(root strictjson.Value) []wire.News {
	item, _ := root.Member("item")
	switch wire.TextAt(root, "type") {
	case eventPrefix + "output_text.delta":
		return []wire.News{{Text: wire.TextAt(root, "delta")}}
	case eventPrefix + "output_item.done":
		if wire.TextAt(item, "type") == "function_call" {
			return []wire.News{{Tool: wire.TextAt(item, "name"), Args: wire.TextAt(item, "arguments")}}
		}
	case eventPrefix + "completed":
		return []wire.News{{Stop: "completed"}}
	}
	return nil
}
