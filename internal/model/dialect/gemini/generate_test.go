package gemini_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// A generator makes up a regular stream.
type generator struct{ dialecttest.Random }

// generate returns how to make up a stream as a well-behaved upstream might send it: one candidate or two, plain or in the
// wrapper of Code Assist.
//
// The second candidate makes its calls when the first has come to its end: so calls appear in the order in which the whole
// response has them.
func generate(in frame.Framing) func(*rand.Rand) []byte {
	return func(r *rand.Rand) []byte {
		g := generator{dialecttest.Random{Rand: r}}
		entries := g.entries(0, append(g.text(), g.calls()...))
		if g.IntN(3) == 0 {
			entries = g.Merge(entries, g.open(1, g.text()))
			entries = append(entries, g.entries(1, g.calls())...)
		}
		wrapped := g.IntN(4) == 0
		var elements []string
		for len(entries) > 0 {
			n := 1
			if len(entries) > 1 && g.IntN(4) == 0 && indexOf(entries[0]) != indexOf(entries[1]) {
				n = 2
			}
			e := g.element(entries[:n])
			if wrapped {
				e = wrap(e)
			}
			elements, entries = append(elements, e), entries[n:]
		}
		return g.wire(in, elements)
	}
}

// wire puts elements on the wire as services do.
func (g generator) wire(in frame.Framing, elements []string) []byte {
	if in == frame.Elements {
		if g.IntN(2) == 0 {
			return []byte("[" + strings.Join(elements, "\n,\r\n") + "\n]\n")
		}
		return array(elements...)
	}
	if g.IntN(3) == 0 {
		return []byte(strings.ReplaceAll(string(stream(elements...)), "\r\n", "\n"))
	}
	return stream(elements...)
}

func (g generator) element(candidates []string) string {
	usage := fmt.Sprintf(`{"promptTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d}`, g.IntN(9), 1+g.IntN(9), g.IntN(9))
	return `{"candidates":[` + strings.Join(candidates, ",") + `],"usageMetadata":` + usage + `,"modelVersion":"gemini-test","responseId":"gen"}`
}

// indexOf is where an entry of candidates says that it belongs.
func indexOf(entry string) string { return entry[strings.LastIndex(entry, `"index":`):] }

// open are the entries of a candidate that goes on.
func (g generator) open(index int, parts []string) []string {
	var entries []string
	for len(parts) > 0 {
		n := min(len(parts), 1+g.IntN(3))
		entries = append(entries, candidate(index, parts[:n]...))
		parts = parts[n:]
	}
	return entries
}

// entries are those of a candidate that comes to its end, with its last part or after it.
func (g generator) entries(index int, parts []string) []string {
	last := len(parts) - g.IntN(2)
	entries := g.open(index, parts[:last])
	reason := g.Pick("STOP", "STOP", "MAX_TOKENS", "OTHER")
	switch {
	case last < len(parts):
		return append(entries, finished(index, reason, parts[last:]...))
	case g.IntN(3) == 0:
		return append(entries, finished(index, "STOP", `{"text":""}`))
	case g.IntN(5) == 0:
		message := "Malformed function call: print(default_api.bash(command='" + g.Secret() + "'))"
		return append(entries, fmt.Sprintf(`{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":%s,"index":%d}`, quote(message), index))
	}
	return append(entries, fmt.Sprintf(`{"finishReason":%q,"index":%d}`, reason, index))
}

// text are parts that think and speak.
func (g generator) text() []string {
	var parts []string
	for _, piece := range g.Pieces() {
		parts = append(parts, `{"text":`+piece+`,"thought":true}`)
	}
	for _, piece := range g.Pieces() {
		parts = append(parts, `{"text":`+piece+g.Pick("", "", `,"thoughtSignature":"dGV4dA=="`)+`}`)
	}
	return parts
}

// calls are parts that call, text among them.
func (g generator) calls() []string {
	var parts []string
	signed := g.IntN(3) > 0
	for range 1 + g.IntN(3) {
		switch g.IntN(6) {
		case 0:
			parts = append(parts, g.code()...)
		case 1:
			parts = append(parts, g.search()...)
		case 2:
			parts = append(parts, `{"`+g.Pick("videoCall", "functionResponse")+`":{"body":`+g.Value(2)+`}}`)
		default:
			parts = append(parts, g.set(signed)...)
		}
		if g.IntN(3) == 0 {
			parts = append(parts, `{"text":`+quote(g.Words())+`}`)
		}
	}
	if g.IntN(6) == 0 {
		parts = append(parts, hiPart)
	}
	return append(parts, `{"text":"."}`)
}

// code is what the provider ran, and how that ended.
func (g generator) code() []string {
	id := fmt.Sprint("ec-", g.IntN(1000))
	return []string{
		fmt.Sprintf(`{"executableCode":{"language":"PYTHON","code":%q,"id":%q}}`, g.Secret(), id),
		fmt.Sprintf(`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":%q,"id":%q}}`, g.Secret(), id),
	}
}

func (g generator) search() []string {
	id, kind := fmt.Sprint("tc-", g.IntN(1000)), g.Pick("GOOGLE_SEARCH_WEB", "URL_CONTEXT")
	return []string{
		fmt.Sprintf(`{"toolCall":{"id":%q,"toolType":%q,"args":%s}}`, id, kind, g.Object(2)),
		fmt.Sprintf(`{"toolResponse":{"id":%q,"toolType":%q,"response":{"found":%q}}}`, id, kind, g.Secret()),
	}
}

// set are calls that belong together: the first carries the signature of all, if calls are signed.
func (g generator) set(signed bool) []string {
	var parts []string
	signature := ""
	if signed {
		signature = g.Pick(`,"thoughtSignature":"c2ln"`, `,"thoughtSignature":"c2lnbmVk"`)
	}
	for i := range 1 + g.IntN(3) {
		head := fmt.Sprintf(`"name":%q`, g.Tool())
		if g.IntN(3) > 0 {
			head = fmt.Sprintf(`"id":"fc-%d-%d",`, g.IntN(1000), i) + head
		}
		if g.IntN(3) == 0 {
			parts = append(parts, g.pieces(head, signature)...)
		} else {
			parts = append(parts, `{"functionCall":{`+head+g.Pick("", `,"args":`+g.Object(3), `,"args":`+g.Object(3))+`}`+signature+`}`)
		}
		signature = ""
	}
	return parts
}

// pieces are the parts of a call whose arguments come one by one.
func (g generator) pieces(head, signature string) []string {
	values := g.leaves("$", 3)
	parts := []string{`{"functionCall":{` + head + `,"willContinue":true}` + signature + `}`}
	if len(values) > 0 && g.IntN(3) == 0 {
		parts[0] = `{"functionCall":{` + head + `,"partialArgs":[` + values[0] + `],"willContinue":true}` + signature + `}`
		values = values[1:]
	}
	for len(values) > 0 {
		n := min(len(values), 1+g.IntN(3))
		parts = append(parts, piece(`"partialArgs":[`+strings.Join(values[:n], ",")+`],"willContinue":true`))
		values = values[n:]
		if g.IntN(4) == 0 {
			parts = append(parts, piece(`"willContinue":true`))
		}
	}
	if last := len(parts) - 1; last > 0 && g.IntN(2) == 0 {
		parts[last] = strings.Replace(parts[last], `],"willContinue":true}}`, `]}}`, 1)
		if !strings.Contains(parts[last], "willContinue\":true}}") {
			return parts
		}
	}
	return append(parts, piece(""))
}

// leaves are the values of an object or array at a path, each with the path that leads to it.
func (g generator) leaves(path string, depth int) []string {
	var all []string
	array := path != "$" && g.IntN(3) == 0
	for i := range 1 + g.IntN(3) {
		at := path + g.Pick(".k", ".k-", ".né") + fmt.Sprint(i)
		switch {
		case array:
			at = fmt.Sprintf("%s[%d]", path, i)
		case g.IntN(4) == 0:
			at = path + g.Pick(`['it.s `, `['[0]`, `['k`, `['\'`) + fmt.Sprint(i) + `']`
		case g.IntN(6) == 0:
			at = path + `["` + fmt.Sprint("k", i) + `"]`
		}
		if depth > 0 && g.IntN(3) == 0 {
			all = append(all, g.leaves(at, depth-1)...)
			continue
		}
		all = append(all, g.leaf(quote(at))...)
	}
	return all
}

// leaf are the pieces of one value.
func (g generator) leaf(path string) []string {
	switch g.IntN(5) {
	case 0:
		return []string{`{"jsonPath":` + path + `,"numberValue":` + g.Pick("0", "-1", "1e400", "0.10", "12345678901234567890") + `}`}
	case 1:
		return []string{`{"jsonPath":` + path + `,` + g.Pick(`"boolValue":true`, `"boolValue":false`, `"nullValue":"NULL_VALUE"`) + `}`}
	}
	var all []string
	texts := append(g.Split(g.Secret()+g.Words()), `""`)
	for i, text := range texts {
		goesOn := `,"willContinue":true`
		if i == len(texts)-1 {
			goesOn = ""
		}
		all = append(all, `{"jsonPath":`+path+`,"stringValue":`+text+goesOn+`}`)
	}
	return slices.Clip(all)
}
