package reach_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/reach"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

var ways = []string{"stdio", "json", "events", "legacy"}

func TestAsk(t *testing.T) {
	tests := map[string]struct {
		server reach.Server
		tools  []string
	}{
		"ordinary": {
			reach.Server{Name: "peer", Version: "1.2", Instructions: "be kind", ProtocolVersion: "2025-06-18"},
			[]string{`{"name":"a"}`, `{"name":"b", "x":[1]}`, `{"name":"c"}`},
		},
		"curious": {reach.Server{Name: "peer", Version: "1.2", Instructions: "be kind", ProtocolVersion: "2025-06-18"}, nil},
		"stateless": {
			reach.Server{Name: "new", Version: "3", Instructions: "i", ProtocolVersion: "2026-07-28"},
			[]string{`{"name":"s"}`},
		},
	}
	for name, test := range tests {
		for _, way := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				server, tools, err := reach.Ask(soon(t), connect(t, way, name), reach.AskConfig{})
				expect.OK(t, err)
				expect.Same(t, test.server, server)
				var got []string
				for _, tool := range tools {
					got = append(got, string(tool))
				}
				expect.Same(t, test.tools, got)
			})
		}
	}
}

// A scripted connection answers what is sent to it at once.
type scripted struct {
	peer  peer
	lines chan string
	sent  []string
}

func newScripted(p peer) *scripted { return &scripted{peer: p, lines: make(chan string, 20_000)} }

func (s *scripted) Send(_ context.Context, m *jsonrpc.Message) error {
	s.sent = append(s.sent, string(m.Raw))
	for _, line := range s.peer(parse(m.Raw)) {
		s.lines <- line
	}
	return nil
}

func (s *scripted) Receive(ctx context.Context) (*jsonrpc.Message, error) {
	select {
	case line := <-s.lines:
		if line == "" {
			return nil, io.EOF
		}
		messages, _, err := jsonrpc.ParseBody([]byte(line))
		if err != nil {
			return nil, err
		}
		return messages[0], nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *scripted) Close() error { return nil }

func TestAskSays(t *testing.T) {
	s := newScripted(peers["ordinary"])
	if _, _, err := reach.Ask(soon(t), s, reach.AskConfig{Name: "inspector", Version: "9"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"inspector","version":"9"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"2"}}`,
	}
	expect.Same(t, want, s.sent)
}

func TestAskVersions(t *testing.T) {
	t.Run("the newest allowed is asked for", func(t *testing.T) {
		s := newScripted(peers["ordinary"])
		if _, _, err := reach.Ask(soon(t), s, reach.AskConfig{Versions: []string{"2024-11-05", "2025-06-18"}}); err != nil {
			t.Fatal(err)
		}
		expect.Text(t, s.sent[0], "sent", `"protocolVersion":"2025-06-18"`)
	})
	t.Run("only stateless", func(t *testing.T) {
		s := newScripted(peers["stateless"])
		if _, _, err := reach.Ask(soon(t), s, reach.AskConfig{Versions: []string{"2026-07-28"}}); err != nil {
			t.Fatal(err)
		}
		expect.Text(t, s.sent[0], "sent", "server/discover")
	})
	t.Run("another than allowed", func(t *testing.T) {
		_, _, err := reach.Ask(soon(t), newScripted(peers["ordinary"]), reach.AskConfig{Versions: []string{"2024-11-05"}})
		if err == nil || !strings.Contains(err.Error(), "speaks no version") {
			t.Error(err)
		}
	})
}

// answering returns an ordinary peer that answers one method otherwise.
func answering(method string, lines func(m message) []string) peer {
	return func(m message) []string {
		if m.Method == method {
			return lines(m)
		}
		return peers["ordinary"](m)
	}
}

func one(answer func(m message) string) func(message) []string {
	return func(m message) []string { return []string{answer(m)} }
}

func TestAskFails(t *testing.T) {
	listing := func(text string) peer {
		return answering("tools/list", one(func(m message) string { return result(m, text) }))
	}
	tests := map[string]struct {
		peer peer
		want string
	}{
		"error":           {answering("tools/list", one(func(m message) string { return failure(m, -32603) })), "tools/list: the server responded with error -32603"},
		"no session":      {answering("initialize", one(func(m message) string { return failure(m, -32603) })), "initialize: the server responded with error -32603"},
		"error to nobody": {answering("tools/list", one(func(message) string { return `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}` })), "tools/list: the server responded with error -32700"},
		"dies":            {answering("tools/list", one(func(message) string { return "" })), "tools/list: EOF"},
		"unreadable": {
			answering("tools/list", one(func(m message) string { return result(m, `{"tools":[]},"result":{}`) })),
			"tools/list: message refused: a member is there twice, or in another case",
		},
		"cursor twice": {listing(`{"tools":[],"nextCursor":"x"}`), "tools/list: the list of tools does not end: a cursor came twice"},
		"endless": {func() peer {
			n := 0
			return answering("tools/list", one(func(m message) string {
				n++
				return result(m, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, n))
			}))
		}(), "tools/list: the list of tools has more than 1000 pages"},
		"too many":       {listing(`{"tools":[` + strings.Repeat(`{},`, 4096) + `{}]}`), "tools/list: the server has more than 4096 tools, or more than 32 MiB of them"},
		"no list":        {listing(`{"tools":{}}`), "tools/list: the list of tools is not a list of objects"},
		"nothing":        {listing(`{}`), "tools/list: the list of tools is not a list of objects"},
		"no object":      {listing(`{"tools":[{},1]}`), "tools/list: the list of tools is not a list of objects"},
		"two lists":      {listing(`{"tools":[],"Tools":[]}`), `tools/list: read "tools" of the result: byte 45: ambiguous member name`},
		"cursor no text": {listing(`{"tools":[],"nextCursor":1}`), "tools/list: read response: a member that is to be a text is none"},
		"name no text":   {answering("initialize", one(func(m message) string { return result(m, `{"protocolVersion":"2025-06-18","serverInfo":{"name":1}}`) })), "read response: a member that is to be a text is none"},
		"odd version":    {answering("initialize", one(func(m message) string { return result(m, `{"protocolVersion":"1999-01-01"}`) })), "initialize: the server speaks no version of MCP that weir does"},
		"flood": {answering("tools/list", func(message) []string {
			lines := make([]string, 11_000)
			for i := range lines {
				lines[i] = `{"jsonrpc":"2.0","method":"n"}`
			}
			return lines
		}), "tools/list: the server sent more than 10000 messages that nobody asked for"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := func(m message) []string {
				if m.Method == "server/discover" {
					return []string{failure(m, -32601)}
				}
				return test.peer(m)
			}
			_, _, err := reach.Ask(soon(t), newScripted(p), reach.AskConfig{})
			if err == nil {
				t.Fatal("no error")
			}
			expect.Same(t, test.want, err.Error())
		})
	}
}

func TestAskEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newScripted(answering("tools/list", func(message) []string {
		cancel()
		return nil
	}))
	if _, _, err := reach.Ask(ctx, s, reach.AskConfig{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A server without tools has none.
func TestAskWithoutTools(t *testing.T) {
	s := newScripted(answering("tools/list", one(func(m message) string { return failure(m, -32601) })))
	server, tools, err := reach.Ask(soon(t), s, reach.AskConfig{})
	if err != nil || server.Name != "peer" || len(tools) > 0 {
		t.Errorf("got %v, %s, %v", server, tools, err)
	}
}
