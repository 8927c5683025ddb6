package registry_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestMet(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	revision := func() int64 {
		n, err := d.store.RegistryRevision(t.Context())
		expect.OK(t, err)
		return n
	}
	fs := registry.Server{ID: "fs", Type: "stdio", Addr: "npx"}
	for _, step := range []struct {
		what           string
		change         func()
		fresh, written bool
	}{
		{"first", func() {}, true, true},
		{"again", func() {}, false, false},
		{"named", func() { fs.Name, fs.Version = "files", "1" }, false, true},
		{"named again", func() {}, false, false},
		{"not named", func() { fs.Name, fs.Version = "", "" }, false, false},
		{"another version", func() { fs.Name, fs.Version = "files", "2" }, false, true},
		{"another address", func() { fs.Addr = "node" }, false, true},
		{"soon after", func() { d.clock = d.clock.Add(59 * time.Minute) }, false, false},
		{"long after", func() { d.clock = d.clock.Add(time.Minute) }, false, true},
		{"a clock set back", func() { d.clock = d.clock.Add(-2 * time.Hour) }, false, true},
	} {
		step.change()
		before := revision()
		fresh, err := d.Met(t.Context(), fs)
		if err != nil || fresh != step.fresh || revision() > before != step.written {
			t.Errorf("%s: fresh %v, %v; revision %d after %d", step.what, fresh, err, revision(), before)
		}
	}
	known := d.Known()
	want := []registry.Server{{ID: "fs", Type: "stdio", Addr: "node", Name: "files", Version: "2", First: known[0].First, Last: known[0].Last}}
	expect.NoDiff(t, cmp.Diff(want, known), "known")
	next, err := registry.New(t.Context(), registry.Config{Store: d.store})
	expect.OK(t, err)
	expect.NoDiff(t, cmp.Diff(known, next.Known()), "known to the next process")
}

// A server cannot make a reader of its name see what is not there.
func TestMetInert(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	if _, err := d.Met(t.Context(), registry.Server{ID: "fs", Name: "\x1b[2Jx\u202e\n", Version: strings.Repeat("9", 500)}); err != nil {
		t.Fatal(err)
	}
	s := d.Known()[0]
	expect.Equal(t, s.Name, `\x1b[2Jx\u202e\n`, "it is called %q %q", s.Name, s.Version)
	expect.Equal(t, s.Version, strings.Repeat("9", 128)+"…", "it is called %q %q", s.Name, s.Version)
	// What is kept is not made inert once more.
	if fresh, err := d.Met(t.Context(), registry.Server{ID: "fs", Name: "\x1b[2Jx\u202e\n", Version: strings.Repeat("9", 500)}); fresh || err != nil || d.Known()[0] != s {
		t.Errorf("met again: %v, %v, %+v", fresh, err, d.Known()[0])
	}
}

func TestMetBounds(t *testing.T) {
	d := newDesk(t, registry.Bounds{Servers: 2})
	for i := range 2 {
		if _, err := d.Met(t.Context(), registry.Server{ID: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := d.Met(t.Context(), registry.Server{ID: "more"})
	if !errors.Is(err, registry.ErrBounds) || !strings.Contains(err.Error(), "servers that are known: 3, and the bound is 2") {
		t.Error(err)
	}
	if _, err := d.Met(t.Context(), registry.Server{ID: "1", Addr: "known"}); err != nil {
		t.Errorf("one that is known: %v", err)
	}
	// Room is made by forgetting.
	if n, err := d.Reset(t.Context(), registry.Identity{Server: "0"}); n != 0 || err != nil {
		t.Errorf("reset %d, %v", n, err)
	}
	if fresh, err := d.Met(t.Context(), registry.Server{ID: "more"}); err != nil || !fresh {
		t.Errorf("met %v, %v", fresh, err)
	}
	broken := errors.New("broken")
	d.store.Fail(broken)
	if _, err := d.Met(t.Context(), registry.Server{ID: "more", Addr: "moved"}); !errors.Is(err, broken) {
		t.Error(err)
	}
	expect.Is(t, d.Refresh(t.Context()), broken)
	if got := d.Known()[1]; got.ID != "more" || got.Addr != "" {
		t.Errorf("known without being kept: %+v", got)
	}
}

// A registry without a store has nothing to refresh, and forgets nothing by it.
func TestRefreshNowhere(t *testing.T) {
	r, err := registry.New(t.Context(), registry.Config{})
	expect.OK(t, err)
	for range 2 {
		fresh, err := r.Met(t.Context(), registry.Server{ID: "fs"})
		if err != nil || fresh == (len(r.Tools("fs")) > 0) {
			t.Errorf("met %v, %v", fresh, err)
		}
		if _, err := r.Observe(t.Context(), listing(t, "fs", "read")); err != nil {
			t.Fatal(err)
		}
		expect.OK(t, r.Refresh(t.Context()))
	}
	expect.Equal(t, len(r.Known()), 1, "%d servers, %d tools", len(r.Known()), len(r.Tools("fs")))
	expect.Equal(t, len(r.Tools("fs")), 1, "%d servers, %d tools", len(r.Known()), len(r.Tools("fs")))
}

// What could not be saved stays in doubt when the store is read again, until someone saves it or forgets the tool.
func TestRefreshKeepsDoubts(t *testing.T) {
	for name, test := range map[string]struct {
		other func(t *testing.T, r *registry.Registry, store registry.Store) error
		want  registry.State
	}{
		"something else is written": {func(t *testing.T, r *registry.Registry, _ registry.Store) error {
			_, err := r.Met(t.Context(), registry.Server{ID: "git"})
			return err
		}, registry.Changed},
		"the same is saved": {func(t *testing.T, r *registry.Registry, _ registry.Store) error {
			_, err := r.Observe(t.Context(), listing(t, "fs", "read:Reads, and sends"))
			return err
		}, registry.Changed},
		"the same is saved and trusted": {func(t *testing.T, r *registry.Registry, _ registry.Store) error {
			changed := define(t, "fs", "read:Reads, and sends")
			if _, err := r.Observe(t.Context(), listing(t, "fs", "read:Reads, and sends")); err != nil {
				return err
			}
			_, err := r.Trust(t.Context(), registry.Trust{Identity: registry.Identity{Server: "fs", Name: "read"}, Hash: changed.Hash(), By: "ann"})
			return err
		}, registry.Trusted},
		"the tool is forgotten": {func(t *testing.T, _ *registry.Registry, store registry.Store) error {
			_, err := registry.Reset(t.Context(), store, registry.Identity{Server: "fs", Name: "read"})
			return err
		}, registry.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, registry.Bounds{})
			good := listing(t, "fs", "read:Reads")
			good.TrustFirst = true
			d.observe(good)
			other, err := registry.New(t.Context(), registry.Config{Store: d.store})
			expect.OK(t, err)
			d.store.Fail(errors.New("broken"))
			if _, err := d.Observe(t.Context(), listing(t, "fs", "read:Reads, and sends")); err == nil {
				t.Fatal("it was saved")
			}
			d.store.Fail(nil)
			expect.Equal(t, d.State("fs", "read").State, registry.Changed, "before, it is")
			expect.OK(t, test.other(t, other, d.store))
			expect.OK(t, d.Refresh(t.Context()))
			if got := d.State("fs", "read").State; got != test.want {
				t.Errorf("it is %s, not %s", got, test.want)
			}
		})
	}
}
