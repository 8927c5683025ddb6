package demo

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// bedrock is the Converse API of Amazon Bedrock: binary messages with checksums.
type bedrock struct{}

func (bedrock) name() string           { return "Amazon Bedrock Converse" }
func (bedrock) path() string           { return "/model/scripted-model/converse-stream" }
func (bedrock) framing() frame.Framing { return frame.Binary }

func (bedrock) request(question string) string {
	return `{"messages":[{"role":"user","content":[{"text":` + quote(question) + `}]}]}`
}

func (bedrock) script(s scene, n int) []emission {
	var out []emission
	packing := frame.NewMessages(strings.NewReader(""), frame.Binary, 0)
	add := func(says, typ, data string) {
		message := packing.Append(nil, frame.Frame{Type: []byte(typ), Data: []byte(data)})
		out = append(out, emission{frame: string(message), says: says})
	}
	add("", "messageStart", `{"role":"assistant"}`)
	reason := "end_turn"
	for i, u := range s.units {
		at := fmt.Sprintf(`{"contentBlockIndex":%d`, i)
		for _, t := range u.text {
			add("text  "+t, "contentBlockDelta", at+`,"delta":{"text":`+quote(t)+`}}`)
		}
		if u.tool != "" {
			reason = "tool_use"
			add("call  "+u.tool, "contentBlockStart", at+fmt.Sprintf(`,"start":{"toolUse":{"toolUseId":"tooluse_demo_%d_%d","name":%s}}}`, n, i, quote(u.tool)))
		}
		for _, p := range u.pieces {
			add(strings.Repeat(" ", 6)+p, "contentBlockDelta", at+`,"delta":{"toolUse":{"input":`+quote(p)+`}}}`)
		}
		add("", "contentBlockStop", at+"}")
	}
	add("stop  "+reason, "messageStop", `{"stopReason":"`+reason+`"}`)
	add("", "metadata", `{"usage":{"inputTokens":12,"outputTokens":40,"totalTokens":52},"metrics":{"latencyMs":5}}`)
	return out
}

func (bedrock) reader() reader { return &bedrockReader{} }

type bedrockReader struct {
	tool string // the call that is open
	args string
}

func (r *bedrockReader) read(root strictjson.Value) []news {
	start, _ := root.Member("start")
	delta, _ := root.Member("delta")
	index, _ := root.Member("contentBlockIndex")
	switch {
	case start.Kind() == strictjson.Object:
		use, _ := start.Member("toolUse")
		r.tool, r.args = textAt(use, "name"), ""
	case delta.Kind() == strictjson.Object:
		use, _ := delta.Member("toolUse")
		r.args += textAt(use, "input")
		if text := textAt(delta, "text"); text != "" {
			return []news{{text: text}}
		}
	case index.Kind() != strictjson.Missing && r.tool != "": // the block is over
		call := news{call: r.tool + " " + r.args}
		r.tool = ""
		return []news{call}
	case textAt(root, "stopReason") != "":
		return []news{{stop: textAt(root, "stopReason")}}
	}
	return nil
}
