package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/run/agent"
)

// geminiKind is the Gemini CLI: one file for each session and each subagent, one message a line. Older versions wrote one JSON document
// for each session. The files logs.json beside them have only what people wrote.
var geminiKind = kind{
	name: "gemini",
	homes: func(p agent.Surroundings) []string {
		return []string{filepath.Join(cmp.Or(p.Env("GEMINI_CLI_HOME"), p.Home), ".gemini")}
	},
	parts: []string{"tmp"},
	ours: func(path string) bool {
		ext := filepath.Ext(path)
		return ext == ".jsonl" || ext == ".json" && strings.HasPrefix(filepath.Base(path), "session-")
	},
	parse: func(s *scene, line []byte) (entry, error) {
		var l geminiLine
		if err := decode(line, &l); err != nil {
			return entry{}, err
		}
		s.side = s.side || l.Kind == "subagent"
		e := entry{calls: l.geminiMessage.calls()}
		for _, m := range append(l.Set.is.Messages, l.Messages...) {
			e.calls = append(e.calls, m.is.calls()...)
		}
		return e, nil
	},
	open: openGemini,
}

// A geminiLine is a message, or says what is new about the session.
type geminiLine struct {
	geminiMessage
	Kind word `json:"kind"`
	Set  object[struct {
		Messages list[object[geminiMessage]] `json:"messages"`
	}] `json:"$set"`
	// Messages are those of a whole session.
	Messages list[object[geminiMessage]] `json:"messages"`
}

// A geminiMessage is a message of the model with its calls, once all of them have ended.
type geminiMessage struct {
	Timestamp word `json:"timestamp"`
	Model     word `json:"model"`
	ToolCalls list[object[struct {
		ID          word           `json:"id"`
		Name        word           `json:"name"`
		DisplayName word           `json:"displayName"`
		Args        jsontext.Value `json:"args"`
		Status      word           `json:"status"`
		Timestamp   word           `json:"timestamp"`
		AgentID     word           `json:"agentId"`
		Result      list[object[struct {
			Response object[struct {
				Response object[struct {
					Error word `json:"error"`
				}] `json:"response"`
			}] `json:"functionResponse"`
		}]] `json:"result"`
	}]] `json:"toolCalls"`
}

func (m geminiMessage) calls() (out []Call) {
	for _, o := range m.ToolCalls {
		t := o.is
		c := Call{
			Time: at(cmp.Or(t.Timestamp, m.Timestamp)), ID: string(t.ID), Tool: string(t.Name), Args: t.Args, Model: string(m.Model),
			Side: t.AgentID != "", Stopped: t.Status == "cancelled",
		}
		if c.Tool == "" {
			continue
		}
		for _, r := range t.Result {
			c.Stopped = c.Stopped || stoppedByGemini(string(r.is.Response.is.Response.is.Error))
		}
		if server, tool, ok := servedByGemini(string(t.Name), string(t.DisplayName)); ok {
			c.Server, c.Tool = server, tool
		}
		out = append(out, c)
	}
	return out
}

// servedByGemini divides the name of an MCP server's tool. Only the name for people says where the server's name ends.
func servedByGemini(name, display string) (server, tool string, ok bool) {
	rest, ok := strings.CutSuffix(display, " MCP Server)")
	if !ok {
		return "", "", false
	}
	tool, server, ok = strings.Cut(rest, " (")
	return server, tool, ok && tool != "" && server != "" && strings.HasSuffix(name, tool)
}

// stoppedByGemini says that the error of a call tells that it was not permitted.
func stoppedByGemini(text string) bool {
	for _, sign := range []string{
		"denied by policy", "User denied execution", "User cancelled",
		"requires user confirmation, which is not supported in non-interactive mode",
	} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// maxDocument bounds a file that is one JSON document: it is parsed message by message, but one message could be as long as the file.
const maxDocument = 64 << 20

// openGemini reads a session that is one JSON document, and notes where the project of a session is.
func openGemini(r *Reading, path string, yield func(Call) bool) (is, more bool) {
	r.scene.dir = projectOfGemini(path)
	if filepath.Ext(path) != ".json" {
		return false, true
	}
	f, err := os.Open(path)
	if err != nil {
		r.badFile(path, err)
		return true, true
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxDocument {
		r.badFile(path, errors.Join(err, fmt.Errorf("it has more than %d MiB", maxDocument>>20)))
		return true, true
	}
	r.Tally.Files++
	more = true
	err = geminiMessages(io.LimitReader(f, maxDocument), func(m geminiMessage) bool {
		for _, c := range m.calls() {
			c.File = path
			if more = r.offer(c, yield); !more {
				return false
			}
		}
		return true
	})
	if err != nil {
		r.badFile(path, err)
	}
	return true, more
}

// geminiMessages reads the messages of a session, one after the other.
func geminiMessages(in io.Reader, each func(geminiMessage) bool) error {
	d := jsontext.NewDecoder(in, lenient)
	if d.PeekKind() != '{' {
		_, err := d.ReadToken()
		return errors.Join(err, errors.New("it is no JSON object"))
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if name.String() != "messages" || d.PeekKind() != '[' {
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			var m object[geminiMessage]
			if err := json.UnmarshalDecode(d, &m, lenient); err != nil {
				return err
			}
			if !each(m.is) {
				return nil
			}
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// projectOfGemini is the folder that the sessions beside a file are about; "": not known.
func projectOfGemini(path string) string {
	for dir, up := filepath.Dir(path), 0; up < 3; dir, up = filepath.Dir(dir), up+1 {
		f, err := os.Open(filepath.Join(dir, ".project_root"))
		if err != nil {
			continue
		}
		defer f.Close()
		text, _ := io.ReadAll(io.LimitReader(f, 4096)) // without it the folder is not known
		return strings.TrimSpace(string(text))
	}
	return ""
}
