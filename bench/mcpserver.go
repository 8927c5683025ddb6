package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// mcpServer is a server that does nothing but answer.
type mcpServer struct{ sessions atomic.Int64 }

// incoming is what the server reads of a message.
type incoming struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Name      string `json:"name"`
		Arguments struct {
			Text string `json:"text"`
		} `json:"arguments"`
	} `json:"params"`
}

// answer is the answer to a message; nil: it wants none.
func (s *mcpServer) answer(message []byte) ([]byte, incoming, error) {
	var in incoming
	if err := json.Unmarshal(message, &in); err != nil {
		return nil, in, err
	}
	if in.ID == nil {
		return nil, in, nil
	}
	result := "{}"
	switch in.Method {
	case initialize.method:
		result = initialize.result
	case listTools().method:
		result = listTools().result
	case callEcho.method:
		if result = textResult(in.Params.Arguments.Text); in.Params.Name == pageTool {
			result = callForPage().result
		}
	}
	return fmt.Appendf(nil, `%s%s,"result":%s}`, answerOpening, in.ID, result), in, nil
}

// serveStdio answers messages, one in a line, until there are no more.
func (s *mcpServer) serveStdio(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF { // only io.EOF itself is a clean end
			return nil
		}
		if err != nil {
			return err
		}
		answer, _, err := s.answer(line)
		if err != nil {
			return err
		}
		if answer == nil {
			continue
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

const sessionHeader = "Mcp-Session-Id"

// ServeHTTP answers as Streamable HTTP: each message with one of JSON, and GET with a stream that says nothing.
func (s *mcpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodGet:
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		if err := http.NewResponseController(w).Flush(); err == nil {
			<-r.Context().Done()
		}
	case http.MethodDelete:
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (s *mcpServer) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // who asked is gone
	}
	answer, in, err := s.answer(body)
	switch {
	case err != nil:
		http.Error(w, "no message", http.StatusBadRequest)
		return
	case answer == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if in.Method == initialize.method {
		w.Header().Set(sessionHeader, "session-"+strconv.FormatInt(s.sessions.Add(1), 10))
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // who is gone does not wait for it
}

// The ways in which the process can be an MCP server.
const (
	overStdio = "stdio"
	overHTTP  = "http"
)

// serveMCP makes this process an MCP server.
func serveMCP(over string) error {
	var s mcpServer
	switch over {
	case overStdio:
		return s.serveStdio(os.Stdin, os.Stdout)
	case overHTTP:
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Printf("server%shttp://%s\n", program.Listening, listener.Addr())
		return http.Serve(listener, &s)
	}
	return fmt.Errorf("-mcp-server: %q is not a transport; use %s or %s", over, overStdio, overHTTP)
}

// idOf is the id of an answer, which begins as the server writes it.
func idOf(answer []byte) (int64, error) {
	rest, ok := bytes.CutPrefix(answer, []byte(answerOpening))
	digits, _, found := bytes.Cut(rest, []byte(","))
	if !ok || !found {
		return 0, fmt.Errorf("an answer is not as the server sent it: %.200q", answer)
	}
	return strconv.ParseInt(string(digits), 10, 64)
}
