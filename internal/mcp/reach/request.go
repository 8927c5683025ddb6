package reach

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

const (
	maxTools     = 4096
	maxPages     = 1000
	maxToolBytes = 32 << 20
	// maxReceived is how many messages other than responses a server may send.
	maxReceived = 10_000
)

var (
	errTooManyTools = fmt.Errorf("the server has more than %d tools, or more than %d MiB of them", maxTools, maxToolBytes>>20)
	errTooManyPages = fmt.Errorf("the list of tools has more than %d pages", maxPages)
	errCursor       = errors.New("the list of tools does not end: a cursor came twice")
	errTools        = errors.New("the list of tools is not a list of objects")
	errFlood        = fmt.Errorf("the server sent more than %d messages that nobody asked for", maxReceived)
)

// A failedError says that a server responded to a request with an error.
type failedError struct{ code jsonrpc.Code }

// Error returns the error as text, without the server's own message.
func (e *failedError) Error() string {
	return fmt.Sprintf("the server responded with error %d", e.code)
}

// tools returns all tools of the server.
func (a *asker) tools(ctx context.Context) ([]jsontext.Value, error) {
	var tools []jsontext.Value
	size := 0
	seen := map[string]bool{}
	for cursor := ""; ; {
		m, err := a.request(ctx, methodListTools, a.params(cursor))
		var failed *failedError
		if errors.As(err, &failed) && failed.code == jsonrpc.CodeMethodNotFound && len(seen) == 0 {
			return nil, nil // it has no tools
		}
		if err != nil {
			return nil, err
		}
		page, next, err := readPage(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", methodListTools, err)
		}
		for _, tool := range page {
			size += len(tool)
		}
		tools = append(tools, page...)
		seen[cursor] = true
		switch {
		case len(tools) > maxTools, size > maxToolBytes:
			err = errTooManyTools
		case next == "":
			return tools, nil
		case seen[next]:
			err = errCursor
		case len(seen) == maxPages:
			err = errTooManyPages
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", methodListTools, err)
		}
		cursor = next
	}
}

// readPage returns the tools of a page, and the cursor of the next; "": there is none.
func readPage(m *jsonrpc.Message) (tools []jsontext.Value, next string, err error) {
	list, err := m.ResultMember("tools")
	if err != nil {
		return nil, "", err
	}
	if list.Kind() != strictjson.Array {
		return nil, "", errTools
	}
	for tool := range list.Elems() {
		if tool.Kind() != strictjson.Object {
			return nil, "", errTools
		}
		tools = append(tools, tool.Raw())
	}
	cursor, err := m.ResultMember("nextCursor")
	if err != nil || cursor.Kind() == strictjson.Null {
		return tools, "", err
	}
	err = text(&next, m.Root(), "result", "nextCursor")
	return tools, next, err
}

// request sends a request and returns its response. It receives while it sends: over HTTP a server may first wait for a response to
// its own request.
func (a *asker) request(ctx context.Context, method string, params jsontext.Value) (*jsonrpc.Message, error) {
	a.asked++
	id := cmp.Or(a.id, jsonrpc.IntID(a.asked))
	m := jsonrpc.NewRequest(id, method, params)
	receiving, unsent := context.WithCancelCause(ctx)
	sending, stop := context.WithCancel(ctx)
	defer stop()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		if err := a.conn.Send(sending, m); err != nil {
			unsent(err)
		}
	}()
	answer, err := a.await(receiving, id)
	if err != nil {
		stop()
	}
	<-sent
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = context.Cause(receiving)
	}
	unsent(nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return answer, nil
}

// await receives until the response to a request comes.
func (a *asker) await(ctx context.Context, id jsonrpc.ID) (*jsonrpc.Message, error) {
	for ; a.received < maxReceived; a.received++ {
		m, err := a.conn.Receive(ctx)
		var refused *jsonrpc.Refused
		switch {
		case errors.As(err, &refused):
			if refused.ID == id && refused.Kind == jsonrpc.Response {
				return nil, refused
			}
			if refused.Kind == jsonrpc.Request && !refused.ID.IsZero() {
				err = a.conn.Send(ctx, jsonrpc.NewError(refused.ID, refused.Code, refused.Reason, nil))
			} else {
				err = nil
			}
		case err != nil:
		case m.Kind == jsonrpc.Response && m.Error != nil && (m.ID == id || m.ID.IsZero()):
			// Only one request is open, so an error without an id belongs to it.
			code, _ := m.Failure()
			return nil, &failedError{code: code}
		case m.Kind == jsonrpc.Response && m.ID == id:
			return m, nil
		case m.Kind == jsonrpc.Request:
			err = a.answer(ctx, m)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errFlood
}

// answer responds to a request of the server.
func (a *asker) answer(ctx context.Context, m *jsonrpc.Message) error {
	if m.Method != methodPing {
		return a.conn.Send(ctx, jsonrpc.NewError(m.ID, jsonrpc.CodeMethodNotFound, "weir only asks what this server offers", nil))
	}
	return a.conn.Send(ctx, jsonrpc.NewResponse(m.ID, jsontext.Value(`{}`)))
}
