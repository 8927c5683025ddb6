package daemon

import (
	"log/slog"
	"strings"
	"testing"
)

func TestSaid(t *testing.T) {
	log := &journal{}
	s := &said{server: "files", log: slog.New(slog.NewTextHandler(log, nil))}
	for _, piece := range []string{"one", " line\ntwo \x1b[2J\n", "\n\n", strings.Repeat("x", 10_000), "\nlast without an end"} {
		if n, err := s.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `text="one line"`) || strings.Contains(log.String(), "\x1b") || len(lines[2]) > 2*maxSaid {
		t.Errorf("log:\n%s", log)
	}
	for range 10 * maxSaidLines {
		_, _ = s.Write([]byte("again\n")) // it never fails
	}
	if got := strings.Count(log.String(), "\n"); got != maxSaidLines+1 || !strings.Contains(log.String(), "writes more than is logged") {
		t.Errorf("%d lines are logged", got)
	}
}
