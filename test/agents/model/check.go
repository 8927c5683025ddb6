package model

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Check compares what the model was asked with what must have become of its calls.
func (m *Model) Check(t testing.TB) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, what := range m.odd {
		t.Errorf("the model was asked in vain: %s", what)
	}
	for prompt, answers := range m.script {
		if len(answers) > 0 {
			t.Errorf("%d answers to %q were never asked for", len(answers), prompt)
		}
	}
	for i, a := range m.asked {
		if err := a.check(m.key); err != nil {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// check wants every call that the model gave to be in the conversation with its one output, or not at all.
func (a Asked) check(key string) error {
	if a.History.Key != key {
		return fmt.Errorf("the key is %q, want %q", a.History.Key, key)
	}
	known := 0
	for _, c := range a.given {
		n, err := a.checkCall(c)
		if err != nil {
			return fmt.Errorf("the call that makes %s: %w", c.Makes, err)
		}
		known += n
	}
	if len(a.History.Calls) != known {
		return fmt.Errorf("it has %d calls, of which the model gave %d", len(a.History.Calls), known)
	}
	return nil
}

// checkCall wants a released call once, with its output, and nothing of any other. It returns how often it is there.
func (a Asked) checkCall(c Call) (int, error) {
	var found []Past
	for _, p := range a.History.Calls {
		if p.is(c) {
			found = append(found, p)
		}
	}
	want := 0
	if c.Fate == Released && a.History.Tools > 0 {
		want = 1
	}
	if len(found) != want {
		return 0, fmt.Errorf("it is there %d times, want %d", len(found), want)
	}
	for _, p := range found {
		if p.Name != c.Name {
			return 0, fmt.Errorf("it is one of %s, want %s", p.Name, c.Name)
		}
		if want := signatureOf(c.ID); p.signature != want && (p.signed || p.signature != "") {
			return 0, fmt.Errorf("it is signed %q, want %q", p.signature, want)
		}
		if !c.Silent && !strings.Contains(p.Output, Said) {
			return 0, fmt.Errorf("its output is %q", p.Output)
		}
	}
	if c.Fate != Released && (c.ID != "" && bytes.Contains(a.Request.Body, []byte(c.ID)) || bytes.Contains(a.Request.Body, []byte(c.Makes))) {
		return 0, fmt.Errorf("something of it is there")
	}
	return len(found), a.checkNotice(c)
}

// is says whether it is a call of the model. The Gemini CLI puts the name ahead of the id; where the wire knows calls by
// their order, an agent may send none, or one that the model has not given.
func (p Past) is(c Call) bool {
	if p.ID == "" || c.ID == "" {
		return strings.Contains(p.Args, c.Makes)
	}
	return strings.HasSuffix(p.ID, c.ID)
}

// checkNotice wants the notice of every refused call once, so that the model can read why.
func (a Asked) checkNotice(c Call) error {
	notices := 0
	for _, text := range a.History.Said {
		notices += strings.Count(text, c.Notice())
	}
	want := 0
	for _, other := range a.given {
		if a.History.Tools > 0 && other.Fate == Refused && other.Notice() == c.Notice() {
			want++
		}
	}
	if notices != want {
		return fmt.Errorf("there are %d notices, want %d", notices, want)
	}
	return nil
}
