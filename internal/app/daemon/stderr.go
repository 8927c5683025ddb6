package daemon

import (
	"bytes"
	"log/slog"
	"sync"

	"github.com/weir-gate/weir/internal/text/echo"
	"github.com/weir-gate/weir/internal/text/inert"
)

// How much of a server's standard error is logged.
const (
	maxSaid      = 400 // characters of a line
	maxSaidLines = 200 // lines of one process
)

// said logs the standard error of the process of an MCP server, line by line, so that people can find out why it fails. After
// maxSaidLines lines it logs no more.
type said struct {
	server string
	mask   *echo.Mask // removes the server's credentials; nil: it has none
	log    *slog.Logger

	mu    sync.Mutex
	line  []byte // the beginning of an unfinished line
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

// masked returns a line without credentials, even if the line was cut off inside one.
func (s *said) masked(line []byte) string {
	if s.mask == nil {
		return string(line)
	}
	if rest, _ := s.mask.Open(line); len(rest) >= echo.Shortest {
		line = line[:len(line)-len(rest)]
	}
	return s.mask.Text(string(line))
}
