package mcpcmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/excerpt"
	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record/store"
)

// TestTrustMoved has a tool change after it was shown and before it is trusted: nothing is trusted then, and the person is told.
func TestTrustMoved(t *testing.T) {
	url := "sqlite://" + filepath.Join(t.TempDir(), "weir.db")
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := registry.New(t.Context(), registry.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	observe := func(entries ...string) {
		l := registry.Listing{Server: "fs", Complete: true}
		for _, e := range entries {
			d, err := registry.Bounds{}.Read("fs", []byte(e))
			if err != nil {
				t.Fatal(err)
			}
			l.Tools = append(l.Tools, d)
		}
		if _, err := r.Observe(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	observe(`{"name":"read"}`, `{"name":"write"}`)
	shown := r.Tools("fs")
	observe(`{"name":"read"}`, `{"name":"write","description":"Sends."}`)
	f := trustFlags{registryFlags: registryFlags{Flags: excerpt.Flags{Store: url}}}
	const told = "a tool changed meanwhile, so nothing was trusted; try again"
	if pins, err := f.trust(t.Context(), shown); err == nil || err.Error() != told {
		t.Errorf("trusted %v, %v", pins, err)
	}
	if err := r.Refresh(t.Context()); err != nil || len(r.Pins("fs")) > 0 {
		t.Errorf("pinned are %v, %v", r.Pins("fs"), err)
	}
	pins, err := f.trust(t.Context(), shown[:1])
	if err != nil || len(pins) != 1 || pins[0].By != running.Login() || pins[0].By == "" {
		t.Errorf("trusted %v, %v", pins, err)
	}
}

// TestAskNobody: a device that has no answers is no terminal.
func TestAskNobody(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetIn(null)
	cmd.SetErr(t.Output())
	if err := ask(cmd, "Well?"); !errors.Is(err, errNoTerminal) || exit.Code(err) != exit.Usage {
		t.Errorf("the answer is %v", err)
	}
}
