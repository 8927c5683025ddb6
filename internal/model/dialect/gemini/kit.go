package gemini

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// kit is how weir's own models and clients speak this format. Calls come whole.
var kit = wire.Kit{
	Request: func(t wire.Turn, streamed bool) (path, body string) {
		path = "/v1beta/models/" + t.Model + ":generateContent"
		if streamed {
			path = "/v1beta/models/" + t.Model + ":streamGenerateContent?alt=sse"
		}
		return path, `{"contents":[{"role":"user","parts":[{"text":` + dialect.Quote(t.Question) + `}]}]}`
	},
	Framing: frame.Events, Stream: playStream, Whole: playWhole,
	Marks:  []string{"functionCall"},
	Reader: func() func(strictjson.Value) []wire.News { return hear },
}

// playStop ends a turn, with or without calls.
const playStop = `"finishReason":"STOP"`

func playBody(t wire.Turn, candidate string) string {
	return `{"candidates":[{` + candidate + `,"index":0}],` +
		`"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0},"modelVersion":` + dialect.Quote(t.Model) + `}`
}

func playContent(parts ...string) string {
	return `"content":{"role":"model","parts":[` + strings.Join(parts, ",") + `]}`
}

func playText(text string) string { return `{"text":` + dialect.Quote(text) + `}` }

func playCall(b wire.Block) string {
	return fmt.Sprintf(`{"functionCall":{"id":"call_%s","name":%s,"args":%s}}`, b.ID, dialect.Quote(b.Tool), b.Whole())
}

func playStream(t wire.Turn) (s wire.Steps) {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			s.Add(wire.News{Tool: b.Tool, Args: b.Whole()}, "", playBody(t, playContent(playCall(b))))
			continue
		}
		for _, p := range b.Pieces {
			s.Add(wire.News{Text: p}, "", playBody(t, playContent(playText(p))))
		}
	}
	s.Add(wire.News{Stop: "STOP"}, "", playBody(t, playStop))
	return s
}

func playWhole(t wire.Turn) string {
	var parts []string
	for _, b := range t.Blocks {
		if b.Tool == "" {
			parts = append(parts, playText(b.Whole()))
		} else {
			parts = append(parts, playCall(b))
		}
	}
	return playBody(t, playContent(parts...)+","+playStop)
}

// hear understands a frame.
func hear(root strictjson.Value) (learned []wire.News) {
	candidates, _ := root.Member("candidates")
	for c := range candidates.Elems() {
		content, _ := c.Member("content")
		parts, _ := content.Member("parts")
		for p := range parts.Elems() {
			call, _ := p.Member("functionCall")
			args, _ := call.Member("args")
			if name := wire.TextAt(call, "name"); name != "" {
				learned = append(learned, wire.News{Tool: name, Args: string(args.Raw())})
			} else if text := wire.TextAt(p, "text"); text != "" {
				learned = append(learned, wire.News{Text: text})
			}
		}
		if reason := wire.TextAt(c, "finishReason"); reason != "" {
			learned = append(learned, wire.News{Stop: reason})
		}
	}
	return learned
}
