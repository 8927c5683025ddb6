package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
)

// An agent sends requests through weir, like Claude Code, and shows the responses.
type agent struct {
	base   string
	screen *screen
}

// ask sends one turn and reads its stream to the end.
func (a *agent) ask(ctx context.Context, sc scene) error {
	kit := sc.format.Kit
	path, body := kit.Request(sc.turn(0), true)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() // it was read to its end
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return fmt.Errorf("weir responded %s: %s", resp.Status, text)
	}
	stream, release := frame.Open(resp.Body, kit.Framing, maxFrame)
	defer release()
	understand := kit.Reader()
	for {
		f, err := stream.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, n := range newsOf(understand, f) {
			a.show(n)
		}
	}
}

// maxFrame is more than the size of any frame of the demo.
const maxFrame = 1 << 20

// newsOf parses a frame; a frame that is not JSON has no news.
func newsOf(understand func(strictjson.Value) []wire.News, f frame.Frame) []wire.News {
	var doc strictjson.Doc
	if doc.Parse(f.Data) != nil {
		return nil
	}
	return understand(doc.Root())
}

func (a *agent) show(n wire.News) {
	paint := plain
	switch {
	case n.Tool != "":
		paint = a.screen.style.Green
	case strings.HasPrefix(strings.TrimSpace(n.Text), "[weir]"):
		n.Text, paint = strings.TrimSpace(n.Text), a.screen.style.Red
	}
	a.screen.show(agentColumn, line(n), paint)
}
