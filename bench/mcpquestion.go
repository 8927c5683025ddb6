package main

import (
	"fmt"
	"strings"
	"sync"
)

// mcpVersion is the version of the protocol that client and server speak.
const mcpVersion = "2025-11-25"

// A question is a request of the MCP client with the result that the server gives.
type question struct {
	method, params string
	result         string
}

// answerOpening is how every answer of the server begins, up to its id. Since weir passes on what it does not change as it is, the
// client expects the very bytes.
const answerOpening = `{"jsonrpc":"2.0","id":`

func (q question) request(id int64) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`, id, q.method, q.params)
}

func (q question) answer(id int64) []byte {
	return fmt.Appendf(nil, `%s%d,"result":%s}`, answerOpening, id, q.result)
}

// The tools of the server that are called. It has others, so that there are mcpTools.
const (
	echoTool = "echo"
	pageTool = "read_page"
	mcpTools = 100
)

const echoed = "the river keeps its bed"

var (
	initialize = question{
		method: "initialize",
		params: `{"protocolVersion":"` + mcpVersion + `","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`,
		result: `{"protocolVersion":"` + mcpVersion + `","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`,
	}
	listTools = sync.OnceValue(func() question { return question{method: "tools/list", params: "{}", result: toolsResult()} })
	callEcho  = question{
		method: "tools/call", params: `{"name":"` + echoTool + `","arguments":{"text":"` + echoed + `"}}`, result: textResult(echoed),
	}
	callForPage = sync.OnceValue(func() question {
		return question{method: "tools/call", params: `{"name":"` + pageTool + `","arguments":{"number":7}}`, result: textResult(page())}
	})
)

// initialized tells the server that the client is ready.
const initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// textResult is the result of a tool that gives a text, which has nothing to escape.
func textResult(text string) string {
	return `{"content":[{"type":"text","text":"` + text + `"}]}`
}

// page is a text of 64 KiB.
func page() string {
	const size = 64 << 10
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(words[i*7%len(words)] + " ")
	}
	return b.String()[:size]
}

// toolsResult are the definitions of all tools, in the length that such have.
func toolsResult() string {
	names := []string{echoTool, pageTool}
	for i := len(names); i < mcpTools; i++ {
		names = append(names, fmt.Sprintf("measure_gauge_%d", i))
	}
	definitions := make([]string, len(names))
	for i, name := range names {
		definitions[i] = fmt.Sprintf(`{"name":%q,"title":"Tool %d","description":"Returns what is known of one place on the river: its level, `+
			`its flow, and when both were last seen. Levels are in metres above the bed.","inputSchema":{"type":"object","properties":{`+
			`"text":{"type":"string","description":"The name of the place."},`+
			`"number":{"type":"integer","description":"How many days to look back."}}},`+
			`"annotations":{"readOnlyHint":true}}`, name, i)
	}
	return `{"tools":[` + strings.Join(definitions, ",") + `]}`
}
