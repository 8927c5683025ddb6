package terminal

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress pins when progress is told, and that nothing is left of it on a terminal.
func TestProgress(t *testing.T) {
	for name, test := range map[string]struct {
		terminal bool
		takes    time.Duration
		want     string
	}{
		"quick":                 {true, 900 * time.Millisecond, ""},
		"on a terminal":         {true, 1400 * time.Millisecond, "\rcounting: 30 events, 20%, 1 s\x1b[K\rcounting: 30 events, 20%, 1 s\x1b[K\r\x1b[K"},
		"in a log":              {false, 9 * time.Second, ""},
		"in a log, for long":    {false, 21 * time.Second, "counting: 30 events, 20%, 10 s\ncounting: 30 events, 20%, 20 s\n"},
		"of a terminal, to end": {true, time.Second - 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				p := newProgress(&out, test.terminal, "counting")
				p.read.Store(30)
				p.first.Store(100)
				p.row.Store(130)
				p.last.Store(250)
				time.Sleep(test.takes)
				p.End()
				p.End()
				if got := out.String(); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		})
	}
}

// TestProgressUnknown pins what is told when it is not known how far it is.
func TestProgressUnknown(t *testing.T) {
	p := Progress{what: "counting", began: time.Now()}
	if got := p.String(); got != "counting: 0 s" {
		t.Errorf("got %q", got)
	}
	p.read.Store(1234)
	p.first.Store(5)
	p.row.Store(2000)
	p.last.Store(1500) // more came since
	if got := p.String(); got != "counting: 1,234 events, 0 s" {
		t.Errorf("got %q", got)
	}
	p.over.Store(true)
	p.Then = "adding up"
	if got := p.String(); got != "counting: 1,234 events, adding up, 0 s" {
		t.Errorf("got %q", got)
	}
}

// TestProgressOnNarrowTerminal stays on one line of the terminal, which it can rewrite.
func TestProgressOnNarrowTerminal(t *testing.T) {
	program, person := pair(t, 20)
	p := Progress{out: program, what: "checking the record of many years", began: time.Now(), terminal: true}
	p.read.Store(1234)
	if got := p.width(); got != 20 {
		t.Fatalf("%d columns", got)
	}
	p.show()
	text := make([]byte, 200)
	n, err := person.Read(text)
	if got := string(text[:n]); err != nil || got != "\rchecking the recor…\x1b[K" {
		t.Errorf("%q, %v", got, err)
	}
}
