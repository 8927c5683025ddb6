package demo

import (
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// gemini is the Gemini generateContent API. Its calls come whole.
type gemini struct{}

func (gemini) name() string           { return "Gemini" }
func (gemini) path() string           { return "/v1beta/models/scripted-model:streamGenerateContent?alt=sse" }
func (gemini) framing() frame.Framing { return frame.Events }

func (gemini) request(question string) string {
	return `{"contents":[{"role":"user","parts":[{"text":` + quote(question) + `}]}]}`
}

func (gemini) script(s scene, _ int) []emission {
	var out []emission
	add := func(says, candidate string) {
		out = append(out, emission{says: says, frame: `data: {"candidates":[{` + candidate + `,"index":0}],"usageMetadata":{"promptTokenCount":12,` +
			`"candidatesTokenCount":40},"modelVersion":"scripted-model"}` + "\r\n\r\n"})
	}
	part := func(text string) string { return `"content":{"role":"model","parts":[` + text + `]}` }
	for _, u := range s.units {
		for _, t := range u.text {
			add("text  "+t, part(`{"text":`+quote(t)+`}`))
		}
		if u.tool != "" {
			args := strings.Join(u.pieces, "")
			add("call  "+u.tool+" "+args, part(`{"functionCall":{"name":`+quote(u.tool)+`,"args":`+args+`}}`))
		}
	}
	add("stop  STOP", `"finishReason":"STOP"`)
	return out
}

func (gemini) reader() reader { return geminiReader{} }

type geminiReader struct{}

func (geminiReader) read(root strictjson.Value) []news {
	var learned []news
	candidates, _ := root.Member("candidates")
	for c := range candidates.Elems() {
		content, _ := c.Member("content")
		parts, _ := content.Member("parts")
		for p := range parts.Elems() {
			call, _ := p.Member("functionCall")
			args, _ := call.Member("args")
			if name := textAt(call, "name"); name != "" {
				learned = append(learned, news{call: name + " " + string(args.Raw())})
			} else if text := textAt(p, "text"); text != "" {
				learned = append(learned, news{text: text})
			}
		}
		if reason := textAt(c, "finishReason"); reason != "" {
			learned = append(learned, news{stop: reason})
		}
	}
	return learned
}
