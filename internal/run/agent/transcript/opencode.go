package transcript

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
)

// openCodeKind is opencode: a SQLite database. Older versions wrote a JSON file for each part of a message; the first of them in a
// folder for each project.
var openCodeKind = kind{
	name: "opencode",
	homes: func(p agent.Surroundings) []string {
		return []string{filepath.Join(cmp.Or(p.Env("XDG_DATA_HOME"), filepath.Join(p.Home, ".local", "share")), "opencode")}
	},
	parts: []string{"."},
	skips: []string{"bin", "log", "node_modules", "repos", "snapshot", "tool-output", "worktree"},
	ours: func(path string) bool {
		name := filepath.Base(path)
		switch filepath.Ext(name) {
		case ".db":
			return strings.HasPrefix(name, "opencode")
		case ".json":
			return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(path)), "/"), "part")
		}
		return false
	},
	parse: parseOpenCode,
	open: func(r *Reading, path string, yield func(Call) bool) (is, more bool) {
		if filepath.Ext(path) == ".db" {
			return true, r.readOpenCodeDB(path, yield)
		}
		return true, r.readOpenCodePart(path, yield)
	},
}

// An openCodePart is a part of a message, or in newer versions a content of one. Only those of the type tool are calls.
type openCodePart struct {
	Type   word `json:"type"`
	Tool   word `json:"tool"`
	Name   word `json:"name"` // in place of Tool
	CallID word `json:"callID"`
	ID     word `json:"id"`
	State  object[struct {
		Status word           `json:"status"`
		Input  jsontext.Value `json:"input"`
		Error  jsontext.Value `json:"error"`
		Time   object[struct {
			Start millis `json:"start"`
		}] `json:"time"`
	}] `json:"state"`
	Time object[struct {
		Created millis `json:"created"`
	}] `json:"time"`
}

// millis is a time in milliseconds since 1970.
type millis int64

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (m *millis) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*m = 0
	if d.PeekKind() != '0' {
		return d.SkipValue()
	}
	var n float64
	if err := json.UnmarshalDecode(d, &n); err != nil {
		return err
	}
	if n > 0 && n < 1e15 {
		*m = millis(n)
	}
	return nil
}

func (m millis) time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m))
}

// An openCodeMessage is a message of the model with its contents, as newer versions have it.
type openCodeMessage struct {
	openCodePart
	Content list[object[openCodePart]] `json:"content"`
	Model   object[struct {
		ID word `json:"id"`
	}] `json:"model"`
}

func parseOpenCode(s *scene, line []byte) (entry, error) {
	var m openCodeMessage
	if err := decode(line, &m); err != nil {
		return entry{}, err
	}
	var e entry
	if c, is := m.call(s); is {
		e.calls = append(e.calls, c)
	}
	for _, part := range m.Content {
		if c, is := part.is.call(s); is {
			c.Model = string(m.Model.is.ID)
			e.calls = append(e.calls, c)
		}
	}
	return e, nil
}

// call is the part as a call. One whose arguments still arrive is none yet.
func (p *openCodePart) call(s *scene) (Call, bool) {
	tool, status := string(cmp.Or(p.Tool, p.Name)), p.State.is.Status
	if p.Type != "tool" || tool == "" || status == "pending" || status == "streaming" {
		return Call{}, false
	}
	c := Call{
		ID: string(cmp.Or(p.CallID, p.ID)), Tool: tool, Args: p.State.is.Input,
		Time: cmp.Or(p.State.is.Time.is.Start, p.Time.is.Created).time(), Stopped: status == "error" && stoppedByOpenCode(p.State.is.Error),
	}
	c.Server, c.Tool = servedByOpenCode(tool, s.servers)
	return c, true
}

// servedByOpenCode divides the name of an MCP server's tool, which is written SERVER_TOOL. Only the configuration says where the
// server's name ends.
func servedByOpenCode(name string, servers []string) (server, tool string) {
	tool = name
	for _, s := range servers {
		clean := strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				return r
			}
			return '_'
		}, s)
		if rest, ok := strings.CutPrefix(name, clean+"_"); ok && rest != "" && len(s) > len(server) {
			server, tool = s, rest
		}
	}
	return server, tool
}

// stoppedByOpenCode says that the error of a call tells that it was not permitted: a text, or an object with one.
func stoppedByOpenCode(v jsontext.Value) bool {
	text := textOf(v)
	if v.Kind() == '{' {
		var o struct {
			Message word `json:"message"`
		}
		_ = decode(v, &o) // without a message it says nothing of permissions
		text = string(o.Message)
	}
	for _, beginning := range []string{
		"The user rejected permission to use this specific tool call", "The user has specified a rule which prevents you from using this",
	} {
		if strings.HasPrefix(text, beginning) {
			return true
		}
	}
	return false
}

// readOpenCodePart reads a file with one part of a message.
func (r *Reading) readOpenCodePart(path string, yield func(Call) bool) bool {
	f, err := os.Open(path)
	if err != nil {
		r.badFile(path, err)
		return true
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxLine+1))
	if len(text) > maxLine {
		err = errors.Join(err, errLong)
	}
	var e entry
	if err == nil {
		e, err = parseOpenCode(&r.scene, text)
	}
	if err != nil {
		r.badFile(path, err)
		return true
	}
	r.Tally.Files++
	for _, c := range e.calls {
		c.File = path
		if !r.offer(c, yield) {
			return false
		}
	}
	return true
}
