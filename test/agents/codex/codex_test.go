package codex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/test/agents"
)

// What a person tells Codex, in one conversation.
const (
	beginPrompt = "Please begin."
	thenPrompt  = "Please go on."
)

func TestCodex(t *testing.T) {
	stage := stage{weir: agents.Build(t), codex: need.Codex(t, ".", "the Codex CLI")}
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			stage.play(t, s)
		})
	}
	for _, s := range scenes() {
		if s.control {
			t.Run(s.name+", without rules", func(t *testing.T) {
				t.Parallel()
				stage.play(t, s.unhindered())
			})
		}
	}
}

// unhindered is the scene where there are no rules.
func (s scene) unhindered() scene {
	s.rules = ""
	begin := slices.Clone(s.begin)
	for i, a := range begin {
		begin[i].calls = nil
		for _, c := range a.calls {
			begin[i].calls = append(begin[i].calls, c.unhindered())
		}
	}
	s.begin = begin
	return s
}

// A stage has what every scene needs.
type stage struct {
	weir, codex string // paths
}

// play lets Codex and the model have a conversation of two prompts, and looks at what became of it everywhere.
func (st stage) play(t *testing.T, s scene) {
	next := answer{text: allDone}
	if len(s.then) > 0 {
		next = answer{calls: s.then}
	}
	m := startModel(t, map[string][]answer{beginPrompt: s.begin, thenPrompt: {next}})
	w := agents.StartWeir(t, st.weir, fmt.Sprintf("upstreams: {openai: {url: %q}}\npolicy:\n%s", m.URL(), indented(s.policy(t))))
	config := s.setup.config(t, w.Address, s.model)
	if s.server {
		config += fileServerConfig()
	}
	a := agent{binary: st.codex, home: t.TempDir(), work: t.TempDir(), keyVar: s.setup.keyVar()}
	a.configure(t, config)
	first := a.run(t, false, beginPrompt)
	s.checkFirst(t, first)
	second := a.run(t, true, thenPrompt)
	s.checkSecond(t, second)
	m.check(t)
	s.checkTools(t, m)
	s.checkFiles(t, a, first.output+first.log+second.output+second.log)
	log := w.Stop(t)
	s.checkRecord(t, w.Record(t))
	s.checkUpgrades(t, log, first.log+second.log)
}

// policy is that of the scene, as YAML.
func (s scene) policy(t *testing.T) string {
	t.Helper()
	switch s.rules {
	case "":
		return "version: 1\ndefault: allow\n"
	case documented:
		return documentedPolicy(t)
	case allowList:
		return "version: 1\ndefault: deny\nrules: " + s.rules + "\n"
	default:
		return "version: 1\ndefault: allow\nrules: " + s.rules + "\n"
	}
}

// indented is a text as the value of a YAML key.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// calls are all that the model asks for in the first turn.
func (s scene) calls() []call {
	var calls []call
	for _, a := range s.begin {
		calls = append(calls, a.calls...)
	}
	return calls
}

// checkFirst wants Codex to run what is released, and to show why the rest is refused.
func (s scene) checkFirst(t *testing.T, got outcome) {
	t.Helper()
	want := outcome{Retries: s.retry}
	for _, c := range s.calls() {
		switch c.fate {
		case released:
			want.Acts = append(want.Acts, c.act)
		case refused:
			want.Messages = append(want.Messages, c.notice())
		}
	}
	if len(want.Acts) > 0 {
		want.Messages = append(want.Messages, allDone)
	}
	compare(t, "the first turn", want, got)
}

// checkSecond wants the conversation to go on as if nothing had happened.
func (s scene) checkSecond(t *testing.T, got outcome) {
	t.Helper()
	want := outcome{Messages: []string{allDone}}
	for _, c := range s.then {
		want.Acts = append(want.Acts, c.act)
	}
	compare(t, "the next turn", want, got)
}

func compare(t *testing.T, what string, want, got outcome) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(outcome{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkTools wants Codex to offer its tools as the model's name makes it, since that is what the scene is about.
func (s scene) checkTools(t *testing.T, m *model) {
	t.Helper()
	for i, a := range m.requests() {
		additional := slices.ContainsFunc(a.body.Input, func(item input) bool { return item.Type == "additional_tools" })
		if code := s.model == codeModel; additional != code || (len(a.body.Tools) == 0) != code {
			t.Errorf("request %d has %d tools and additional ones: %v", i+1, len(a.body.Tools), additional)
		}
	}
}

// checkFiles wants the files of released calls, and none of the others; nor may Codex have written down or shown
// anything of those.
func (s scene) checkFiles(t *testing.T, a agent, shown string) {
	t.Helper()
	hindered := false
	for _, c := range slices.Concat(s.calls(), s.then) {
		if made := a.made(c.makes); made != (c.fate == released) {
			t.Errorf("%s was made: %v", c.makes, made)
		}
		hindered = hindered || c.fate != released
	}
	if !hindered {
		return
	}
	if strings.Contains(shown, marker) {
		t.Error("Codex shows something of what is forbidden")
	}
	if file, found := a.keeps(t, marker); found {
		t.Errorf("Codex has something of what is forbidden in %s", file)
	}
}
