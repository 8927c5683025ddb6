package daemon

import (
	"bytes"
	"log/slog"
	"sync"

	"github.com/weir-gate/weir/internal/text/echo"
	"github.com/weir-gate/weir/internal/text/inert"
)

// How much of what a server says beside the protocol is logged.
const (
	maxSaid      = 400 // characters of a line
	maxSaidLines = 200 // lines of one process
)

// said logs what the process of an MCP server writes to its standard error, line by line, so that somebody can find out why it
// fails. A process that says much is not listened to any more.
type said struct {
	server string
	mask   *echo.Mask // takes the server's credentials out of it; nil: it was given none
	log    *slog.Logger

	mu    sync.Mutex
	line  []byte // the beginning of one that has not ended
	lines int
}

// Write implements io.Writer. It never fails: a server must not stop because nobody listens.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for rest := p; len(rest) > 0 && s.lines <= maxSaidLines; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := 4*maxSaid - len(s.line); room > 0 {
			s.line = append(s.line, line[:min(room, len(line))]...)
		}
		if rest = after; ended {
			s.tell()
		}
	}
	return len(p), nil
}

// tell logs the line.
func (s *said) tell() {
	line := bytes.TrimSpace(s.line)
	s.line = s.line[:0]
	if len(line) == 0 {
		return
	}
	if s.lines++; s.lines > maxSaidLines {
		s.log.Info("the MCP server writes more than is logged", "server", s.server)
		return
	}
	s.log.Info("the MCP server writes", "server", s.server, "text", inert.Text(s.masked(line), maxSaid))
}

// masked is a line without credentials, also if its end was cut off inside one.
func (s *said) masked(line []byte) string {
	if s.mask == nil {
		return string(line)
	}
	if rest, _ := s.mask.Open(line); len(rest) >= echo.Shortest {
		line = line[:len(line)-len(rest)]
	}
	return s.mask.Text(string(line))
}
