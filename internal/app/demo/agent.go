package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
)

// An agent sends requests through weir, as Claude Code would, and shows what comes back.
type agent struct {
	base   string
	screen *screen
}

// ask sends one turn and reads its stream to the end.
func (a *agent) ask(ctx context.Context, sc scene) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+sc.wire.path(), strings.NewReader(sc.wire.request(sc.ask)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return fmt.Errorf("weir answered %s: %s", resp.Status, text)
	}
	stream, release := framed(sc.wire, resp.Body)
	defer release()
	understands := sc.wire.reader()
	for {
		f, err := stream.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, n := range newsOf(understands, f) {
			a.show(n)
		}
	}
}

// maxFrame is more than any frame of the demo has.
const maxFrame = 1 << 20

// framed cuts a body into the frames of a wire.
func framed(w wire, body io.Reader) (stream frame.Stream, release func()) {
	switch w.framing() {
	case frame.Rows:
		lines := frame.NewLines(body, maxFrame)
		return lines, lines.Release
	case frame.Binary:
		messages := frame.NewMessages(body, frame.Binary, maxFrame)
		return messages, messages.Release
	}
	events := frame.NewSSE(body, maxFrame)
	return events, events.Release
}

func (a *agent) show(n news) {
	switch {
	case n.call != "":
		a.screen.show(agentColumn, "call  "+n.call, good)
	case n.stop != "":
		a.screen.show(agentColumn, "stop  "+n.stop, plain)
	default:
		style := plain
		if text := strings.TrimSpace(n.text); strings.HasPrefix(text, "[weir]") {
			n.text, style = text, bad
		}
		a.screen.show(agentColumn, "text  "+n.text, style)
	}
}
