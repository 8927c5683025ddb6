package gemini

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

const modelName = "gemini-scripted"

// A turn is one answer of the model, which can be sent in elements or whole.
type turn struct {
	candidates []said
	blocked    string // why there is no candidate
	atOnce     bool   // all parts of a candidate come in one element
	closed     bool   // the element that ends a candidate has no content
}

// said is one candidate.
type said struct {
	parts   []part
	finish  string
	message string
}

// A part is one part of a candidate.
type part struct {
	typ       string   // text, thought, call; else the member that it has
	pieces    []string // of a text; of a call, its functionCall in pieces
	beside    string   // text in the part of a call
	id        string
	name      string
	args      string // in JSON; "": none
	signature string
	hidden    string // members of a call that nobody documents, each with a comma ahead of it
	body      string // the member of a part of another kind
}

func text(pieces ...string) part { return part{typ: "text", pieces: pieces} }

// json is the part as it is in a body.
func (p part) json() string {
	switch p.typ {
	case "text":
		return `{"text":` + clients.Quote(strings.Join(p.pieces, "")) + `}`
	case "thought":
		return `{"text":` + clients.Quote(strings.Join(p.pieces, "")) + `,"thought":true}`
	case "call":
		return p.callPart(`{` + p.identity() + p.arguments() + `}`)
	}
	return `{` + clients.Quote(p.typ) + `:` + p.body + `}`
}

// callPart is a part with this as its call.
func (p part) callPart(functionCall string) string {
	s := `{"functionCall":` + functionCall
	if p.beside != "" {
		s = `{"text":` + clients.Quote(p.beside) + `,"functionCall":` + functionCall
	}
	if p.signature != "" {
		s += `,"thoughtSignature":` + clients.Quote(p.signature)
	}
	return s + `}`
}

// identity are the id and the name of a call.
func (p part) identity() string {
	if p.id == "" {
		return `"name":` + clients.Quote(p.name)
	}
	return `"id":` + clients.Quote(p.id) + `,"name":` + clients.Quote(p.name)
}

func (p part) arguments() string {
	if p.args == "" {
		return p.hidden
	}
	return `,"args":` + p.args + p.hidden
}

// sent are the parts in which this one is streamed.
func (p part) sent() []string {
	var list []string
	switch {
	case p.typ == "text" || p.typ == "thought":
		for _, piece := range p.pieces {
			p.pieces = []string{piece}
			list = append(list, p.json())
		}
	case p.typ == "call" && len(p.pieces) > 0:
		list = append(list, p.callPart(`{`+p.identity()+`,"willContinue":true}`))
		for _, piece := range p.pieces {
			list = append(list, `{"functionCall":`+piece+`}`)
		}
	default:
		list = append(list, p.json())
	}
	return list
}

// id names the response. A conversation's last turn is another one.
func (t turn) id() string {
	if len(t.candidates) == 1 && t.candidates[0].parts != nil && t.candidates[0].parts[0].json() == lastTurn.candidates[0].parts[0].json() {
		return "response-02"
	}
	return "response-01"
}

// response is a response with these candidates, in JSON. Only the last of a stream counts what was said.
func (t turn) response(last bool, candidates ...string) string {
	members := `"candidates":[` + strings.Join(candidates, ",") + `],`
	if len(candidates) == 0 {
		members = `"promptFeedback":{"blockReason":` + clients.Quote(t.blocked) + `},`
	}
	count := fmt.Sprintf(`"promptTokenCount":%d`, clients.InputTokens)
	if last {
		count += fmt.Sprintf(`,"candidatesTokenCount":%d`, clients.OutputTokens)
	}
	return `{` + members + `"usageMetadata":{` + count + `},"modelVersion":"` + modelName + `","responseId":"` + t.id() + `"}`
}

// candidateJSON is a candidate in JSON. Of the first the index is left out.
func candidateJSON(index int, parts []string, more string) string {
	if index > 0 {
		more += fmt.Sprintf(`,"index":%d`, index)
	}
	return `{"content":{"parts":[` + strings.Join(parts, ",") + `],"role":"model"}` + more + `}`
}

// ended are the members that end a candidate.
func (s said) ended() string {
	if s.message == "" {
		return `,"finishReason":` + clients.Quote(s.finish)
	}
	return `,"finishReason":` + clients.Quote(s.finish) + `,"finishMessage":` + clients.Quote(s.message)
}

// elements is the turn as a stream. Candidates take turns.
func (t turn) elements() []string {
	if t.blocked != "" {
		return []string{t.response(true)}
	}
	sent := make([][]string, len(t.candidates)) // candidates in JSON
	longest := 0
	for i, c := range t.candidates {
		var parts []string
		for _, p := range c.parts {
			parts = append(parts, p.sent()...)
		}
		if t.atOnce {
			sent[i] = []string{candidateJSON(i, parts, c.ended())}
		} else {
			for _, p := range parts {
				sent[i] = append(sent[i], candidateJSON(i, []string{p}, ""))
			}
			end := candidateJSON(i, []string{`{"text":""}`}, c.ended())
			if t.closed {
				end = `{` + c.ended()[1:] + `}`
			}
			sent[i] = append(sent[i], end)
		}
		longest = max(longest, len(sent[i]))
	}
	var list []string
	for n := range longest {
		for i := range sent {
			if n < len(sent[i]) {
				list = append(list, t.response(n == len(sent[i])-1, sent[i][n]))
			}
		}
	}
	return list
}

// whole is the turn as a body.
func (t turn) whole() string {
	var list []string
	for i, c := range t.candidates {
		var parts []string
		for _, p := range c.parts {
			parts = append(parts, p.json())
		}
		one := candidateJSON(i, parts, c.ended())
		if t.closed && len(parts) == 0 {
			one = `{` + c.ended()[1:] + `}`
		}
		list = append(list, one)
	}
	return t.response(true, list...)
}
