package wire

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Gemini is the Gemini generateContent API. Calls come whole, and only they are signed.
var Gemini = Kit{
	Request: func(t Turn, streamed bool) (path, body string) {
		path = "/v1beta/models/" + t.Model + ":generateContent"
		if streamed {
			path = "/v1beta/models/" + t.Model + ":streamGenerateContent?alt=sse"
		}
		return path, `{"contents":[{"role":"user","parts":[{"text":` + quote(t.Prompt) + `}]}]}`
	},
	Framing: frame.Events, Stream: geminiStream,
	Whole: func(t Turn) string {
		var parts []string
		for _, b := range t.Blocks {
			parts = append(parts, geminiPart(b, b.Whole()))
		}
		return geminiBody(t, geminiContent(parts...)+","+geminiStop)
	},
	Marks:  []string{"functionCall"},
	Reader: func() func(strictjson.Value) []News { return readGemini },
}

// geminiStop ends a turn, with or without calls.
const geminiStop = `"finishReason":"STOP"`

func geminiBody(t Turn, candidate string) string {
	return fmt.Sprintf(`{"candidates":[{%s,"index":0}],`+
		`"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d},"modelVersion":%s,"responseId":%s}`,
		candidate, t.In, t.Out, t.In+t.Out, quote(t.Model), quote(t.ID))
}

func geminiContent(parts ...string) string {
	return `"content":{"role":"model","parts":[` + strings.Join(parts, ",") + `]}`
}

// geminiPart is a block, or a piece of one.
func geminiPart(b Block, text string) string {
	switch {
	case b.Thought:
		return `{"text":` + quote(text) + `,"thought":true}`
	case b.Tool == "":
		return `{"text":` + quote(text) + `}`
	}
	id, signed := "", ""
	if b.Signature != "" {
		signed = `,"thoughtSignature":` + quote(b.Signature)
	}
	if b.ID != "" {
		id = `"id":` + quote(b.ID) + `,`
	}
	return fmt.Sprintf(`{"functionCall":{%s"name":%s,"args":%s}%s}`, id, quote(b.Tool), text, signed)
}

func geminiStream(t Turn) (s Steps) {
	for _, b := range t.Blocks {
		if b.Tool != "" {
			s.add(News{Tool: b.Tool, Args: b.Whole()}, "", geminiBody(t, geminiContent(geminiPart(b, b.Whole()))))
			continue
		}
		for _, p := range b.Pieces {
			news := News{Text: p}
			if b.Thought {
				news = News{}
			}
			s.add(news, "", geminiBody(t, geminiContent(geminiPart(b, p))))
		}
	}
	s.add(News{Stop: "STOP"}, "", geminiBody(t, geminiStop))
	return s
}

// readGemini understands a frame.
func readGemini(root strictjson.Value) (learned []News) {
	candidates, _ := root.Member("candidates")
	for c := range candidates.Elems() {
		content, _ := c.Member("content")
		parts, _ := content.Member("parts")
		for p := range parts.Elems() {
			call, _ := p.Member("functionCall")
			args, _ := call.Member("args")
			thought, _ := p.Member("thought")
			if name := textAt(call, "name"); name != "" {
				learned = append(learned, News{Tool: name, Args: string(args.Raw())})
			} else if thought.Kind() == strictjson.Missing {
				learned = append(learned, said(textAt(p, "text"))...)
			}
		}
		if reason := textAt(c, "finishReason"); reason != "" {
			learned = append(learned, News{Stop: reason})
		}
	}
	return learned
}
