package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An agent sends requests through weir, as Claude Code would, and shows what comes back.
type agent struct {
	base   string
	screen *screen

	tool string // the call that is open
	args string
}

// ask sends one turn and reads its stream to the end.
func (a *agent) ask(ctx context.Context, question string) error {
	body := `{"model":"scripted-model","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":` + quote(question) + `}]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/v1/messages", strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return fmt.Errorf("weir answered %s: %s", resp.Status, text)
	}
	stream := frame.NewSSE(resp.Body, 1<<20)
	defer stream.Release()
	for {
		f, err := stream.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		a.receive(f)
	}
}

// receive shows one frame.
func (a *agent) receive(f frame.Frame) {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return
	}
	switch root := doc.Root(); textAt(root, "type") {
	case "content_block_start":
		block, _ := root.Member("content_block")
		a.tool, a.args = textAt(block, "name"), ""
	case "content_block_delta":
		delta, _ := root.Member("delta")
		if text := textAt(delta, "text"); text != "" {
			style := plain
			if strings.HasPrefix(text, "[weir]") {
				style = bad
			}
			a.screen.show(agentColumn, "text  "+text, style)
		}
		a.args += textAt(delta, "partial_json")
	case "content_block_stop":
		if a.tool != "" {
			a.screen.show(agentColumn, "call  "+a.tool+" "+a.args, good)
		}
	case "message_delta":
		delta, _ := root.Member("delta")
		a.screen.show(agentColumn, "stop  "+textAt(delta, "stop_reason"), plain)
	}
}

func textAt(v strictjson.Value, name string) string {
	m, _ := v.Member(name)
	text, _ := m.Text()
	return text
}
