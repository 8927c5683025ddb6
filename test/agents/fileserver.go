package agents

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/agents/model"
)

// FileServer is the command of an MCP server as agents are configured with: the program of the suite, in another role. Its tools are
// write_file and append_file, each of which makes the file path.
func FileServer() (program string, args []string) { return os.Args[0], []string{noTests, fileServer} }

// serveFiles is the server, a JSON-RPC message in a line each way.
func serveFiles(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var request struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				Version   string `json:"protocolVersion"`
				Arguments struct {
					Path    string `json:"path"`
					Content string `json:"content"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			return fmt.Errorf("read request: %w", err)
		}
		if request.ID == nil {
			continue // a notification
		}
		var result any = struct{}{}
		switch request.Method {
		case "initialize":
			result = map[string]any{
				"protocolVersion": request.Params.Version, "capabilities": map[string]any{"tools": struct{}{}},
				"serverInfo": map[string]any{"name": "fs", "version": "1"},
			}
		case "tools/list":
			result = map[string]any{"tools": []any{fileTool("write_file"), fileTool("append_file")}}
		case "tools/call":
			a := request.Params.Arguments
			if err := os.WriteFile(a.Path, []byte(a.Content), 0o600); err != nil {
				return err
			}
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": model.Said}}}
		}
		if _, err := fmt.Fprintln(out, model.Encode(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": result})); err != nil {
			return err
		}
	}
	return lines.Err()
}

func fileTool(name string) map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{
		"name": name, "description": "Changes a file.",
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"path": text, "content": text}},
	}
}
