// Command client is a client with the official Go SDK. It does the job that its argument is, as JSON, and prints what it saw, a
// line for each step.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A job is what the client is to do.
type job struct {
	Transport    string            `json:"transport"` // stdio, http or sse
	Command      []string          `json:"command"`   // of stdio
	URL          string            `json:"url"`
	Headers      map[string]string `json:"headers"`
	Version      string            `json:"version"` // of the protocol; "": the newest
	Capabilities []string          `json:"capabilities"`
	Elicited     map[string]any    `json:"elicited"` // what a user fills in
	Steps        []step            `json:"steps"`
}

// A step is one thing to do.
type step struct {
	Do        string                      `json:"do"`
	Name      string                      `json:"name"`
	URI       string                      `json:"uri"`
	Arguments map[string]any              `json:"arguments"`
	Progress  bool                        `json:"progress"`
	Ref       *mcp.CompleteReference      `json:"ref"`
	Argument  *mcp.CompleteParamsArgument `json:"argument"`
	Notes     int                         `json:"notes"` // notifications that must have arrived, unless it fails
	Asks      int                         `json:"asks"`  // requests that must have arrived, unless it fails
}

// A line is what is printed of a step.
type line struct {
	Do     string    `json:"do"`
	Name   string    `json:"name"`
	Result any       `json:"result,omitempty"`
	Error  *failure  `json:"error,omitempty"`
	Asked  []arrival `json:"asked"`
	Noted  []arrival `json:"noted"`
}

type failure struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return fmt.Errorf("read the job: %w", err)
	}
	seen := newArrivals()
	session, err := newClient(j, seen).Connect(ctx, j.transport(), &mcp.ClientSessionOptions{ProtocolVersion: j.Version})
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if err := printLine(line{Do: "connect", Result: session.InitializeResult()}); err != nil {
		return err
	}
	for _, s := range j.Steps {
		l := line{Do: s.Do, Name: s.Name + s.URI}
		result, err := s.do(ctx, session, seen)
		if err != nil {
			l.Error = describe(err)
			l.Asked, l.Noted = seen.take(0, 0)
		} else {
			l.Result = result
			l.Asked, l.Noted = seen.take(s.Asks, s.Notes)
		}
		if err := printLine(l); err != nil {
			return err
		}
	}
	return session.Close()
}

func (j job) transport() mcp.Transport {
	client := &http.Client{Transport: withHeaders(j.Headers)}
	switch j.Transport {
	case "stdio":
		cmd := exec.Command(j.Command[0], j.Command[1:]...)
		cmd.Stderr = os.Stderr
		return &mcp.CommandTransport{Command: cmd}
	case "sse":
		return &mcp.SSEClientTransport{Endpoint: j.URL, HTTPClient: client}
	default:
		return &mcp.StreamableClientTransport{Endpoint: j.URL, HTTPClient: client}
	}
}

// withHeaders is a transport that sends these headers with every request.
type withHeaders map[string]string

func (h withHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, value := range h {
		req.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(req)
}

// newClient is a client that answers what a server may ask, always alike.
func newClient(j job, seen *arrivals) *mcp.Client {
	can := func(what string) bool { return slices.Contains(j.Capabilities, what) }
	options := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			seen.note("notifications/message", r.Params)
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			seen.note("notifications/progress", r.Params)
		},
	}
	if can("sampling") {
		options.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			seen.ask("sampling/createMessage", r.Params)
			return &mcp.CreateMessageResult{
				Role: "assistant", Model: "scripted", StopReason: "endTurn",
				Content: &mcp.TextContent{Text: "sampled text"},
			}, nil
		}
	}
	if can("elicitation") {
		options.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			seen.ask("elicitation/create", r.Params)
			return &mcp.ElicitResult{Action: "accept", Content: j.Elicited}, nil
		}
	}
	if can("roots") {
		options.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "weir-test", Version: "1.0.0"}, options)
	if can("roots") {
		client.AddRoots(&mcp.Root{URI: "file:///srv/one", Name: "one"})
	}
	client.AddReceivingMiddleware(seen.watchRoots)
	return client
}

// do does a step and returns the result that is printed.
func (s step) do(ctx context.Context, session *mcp.ClientSession, seen *arrivals) (any, error) {
	switch s.Do {
	case "list":
		var all mcp.ListToolsResult
		for tool, err := range session.Tools(ctx, nil) {
			if err != nil {
				return nil, err
			}
			all.Tools = append(all.Tools, tool)
		}
		return all, nil
	case "call":
		params := &mcp.CallToolParams{Name: s.Name}
		if s.Arguments != nil {
			params.Arguments = s.Arguments
		}
		if s.Progress {
			params.SetProgressToken(7)
		}
		return session.CallTool(ctx, params)
	case "prompts":
		return session.ListPrompts(ctx, nil)
	case "prompt":
		return session.GetPrompt(ctx, &mcp.GetPromptParams{Name: s.Name, Arguments: texts(s.Arguments)})
	case "resources":
		return session.ListResources(ctx, nil)
	case "templates":
		return session.ListResourceTemplates(ctx, nil)
	case "read":
		return session.ReadResource(ctx, &mcp.ReadResourceParams{URI: s.URI})
	case "complete":
		return session.Complete(ctx, &mcp.CompleteParams{Ref: s.Ref, Argument: *s.Argument})
	case "level":
		return struct{}{}, session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: mcp.LoggingLevel(s.Name)})
	case "ping":
		return struct{}{}, session.Ping(ctx, nil)
	case "roots":
		seen.awaitRoots()
		return struct{}{}, nil
	default:
		return nil, fmt.Errorf("no step %q", s.Do)
	}
}

func texts(values map[string]any) map[string]string {
	m := map[string]string{}
	for name, value := range values {
		m[name] = fmt.Sprint(value)
	}
	return m
}

func describe(err error) *failure {
	f := &failure{Message: err.Error()}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		f.Code = wire.Code
	}
	return f
}

// printLine writes a line with the members of objects in one order, so that equal values read alike.
func printLine(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(text, &plain); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(plain)
}
