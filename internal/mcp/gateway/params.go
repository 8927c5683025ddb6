package gateway

import (
	"strconv"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The limits of what is remembered about one server's tools.
const (
	maxParamTools = 4096
	maxToolParams = 64
	maxParamText  = 256 // bytes of a name
	maxParamDepth = 16
)

// A paramPath is the path of member names from a tool's arguments to the argument that a header mirrors.
type paramPath []string

// in returns the value at the path in arguments; missing if there is none, or readers could disagree.
func (p paramPath) in(args strictjson.Value) strictjson.Value {
	for _, name := range p {
		next, err := args.Member(name)
		if err != nil {
			return strictjson.Value{}
		}
		args = next
	}
	return args
}

// A paramTable remembers which arguments of a server's tools are mirrored in headers. It learns this from the lists of tools that
// were passed on.
type paramTable struct {
	mu    sync.Mutex
	tools map[string]map[string]paramPath // by tool, and by header in lower case
}

func newParamTable() *paramTable { return &paramTable{tools: map[string]map[string]paramPath{}} }

// learn notes the tools in the response to tools/list.
func (t *paramTable) learn(m *jsonrpc.Message) {
	tools, err := m.ResultMember("tools")
	if err != nil || tools.Kind() != strictjson.Array {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for tool := range tools.Elems() {
		nameValue, nameErr := tool.Member("name")
		schema, schemaErr := tool.Member("inputSchema")
		name, ok := nameValue.Text()
		if nameErr != nil || schemaErr != nil || !ok || len(name) > maxParamText {
			continue
		}
		if _, known := t.tools[name]; !known && len(t.tools) >= maxParamTools {
			continue
		}
		found := map[string]paramPath{}
		collectParams(schema, nil, found)
		t.tools[name] = found
	}
}

// collectParams finds the mirrored properties of a schema.
func collectParams(schema strictjson.Value, path paramPath, found map[string]paramPath) {
	properties, err := schema.Member("properties")
	if err != nil {
		return
	}
	for name, property := range properties.Members() {
		text, ok := name.Text()
		if !ok || len(text) > maxParamText || len(path) >= maxParamDepth {
			continue
		}
		below := append(path[:len(path):len(path)], text)
		header, err := property.Member("x-mcp-header")
		if value, isText := header.Text(); err == nil && isText && value != "" && len(value) <= maxParamText && len(found) < maxToolParams {
			found[strings.ToLower(value)] = below
		}
		collectParams(property, below, found)
	}
}

// mirrored returns the paths of the arguments in a call that a header may mirror: its own path, if the tool is known; else the
// paths of all arguments with that text. It returns none if the header does not match the call.
func (t *paramTable) mirrored(m *jsonrpc.Message, header, text string) []paramPath {
	if m.Method != "tools/call" {
		return nil
	}
	args, err := m.Param("arguments")
	if err != nil {
		return nil
	}
	tool, _ := m.ParamText("name")
	t.mu.Lock()
	params, known := t.tools[tool]
	path := params[strings.ToLower(header)]
	t.mu.Unlock()
	if known {
		if got, ok := primitiveText(path.in(args)); path == nil || !ok || got != text {
			return nil
		}
		return []paramPath{path}
	}
	return pathsTo(nil, args, text, nil)
}

// pathsTo appends the paths of the members of objects in v that have this text, at most maxToolParams.
func pathsTo(found []paramPath, v strictjson.Value, text string, path paramPath) []paramPath {
	for name, value := range v.Members() {
		if len(found) >= maxToolParams {
			break
		}
		key, ok := name.Text()
		if !ok {
			continue
		}
		below := append(path[:len(path):len(path)], key)
		if got, ok := primitiveText(value); ok && got == text {
			found = append(found, below)
		}
		if value.Kind() == strictjson.Object {
			found = pathsTo(found, value, text, below)
		}
	}
	return found
}

// primitiveText returns the text of a value in a mirrored header. It is not ok for a value that no header mirrors.
func primitiveText(v strictjson.Value) (text string, ok bool) {
	switch v.Kind() {
	case strictjson.String:
		return v.Text()
	case strictjson.Bool:
		b, _ := v.Bool()
		return strconv.FormatBool(b), true
	case strictjson.Number:
		n, isInt := v.Int64()
		if !isInt {
			return string(v.Raw()), true
		}
		return strconv.FormatInt(n, 10), true
	}
	return "", false
}
