package registrytest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func testServers(t *testing.T, b Backend) {
	fs := registry.Server{ID: "fs", Type: "stdio", Addr: "npx \"x\"\x00", Name: "files", Version: "1.0", First: day, Last: day.Add(time.Hour)}
	git := registry.Server{ID: "git", First: day, Last: day}
	one := bare("git", "one")
	update(t, b, registry.Update{Servers: []registry.Server{fs, git}, Tools: []registry.Tool{one}})
	fs.Addr, fs.Last = "node", day.Add(2*time.Hour)
	update(t, b, registry.Update{Servers: []registry.Server{fs}})
	wantStored(t, b, registry.Stored{Servers: []registry.Server{fs, git}, Tools: []registry.Tool{one}})
	update(t, b, registry.Update{ForgetServers: []string{"git", "never there"}})
	wantStored(t, b, registry.Stored{Servers: []registry.Server{fs}, Tools: []registry.Tool{one}})
}

// testRevision: every update raises it by one, and nothing else does.
func testRevision(t *testing.T, b Backend) {
	want := func(step string, want int64) {
		t.Helper()
		for name, s := range map[string]registry.Store{"open": b.Store, "opened again": b.Again(t)} {
			got, err := s.RegistryRevision(t.Context())
			if err != nil || got != want {
				t.Errorf("%s, %s: revision %d, %v; want %d", step, name, got, err, want)
			}
			if stored, err := s.Registry(t.Context()); err != nil || stored.Revision != want {
				t.Errorf("%s, %s: stored at revision %d, %v; want %d", step, name, stored.Revision, err, want)
			}
		}
	}
	want("new", 0)
	one := tool("fs", "one", "x")
	for i, u := range []registry.Update{
		{Tools: []registry.Tool{one}},
		{Pins: []registry.Pin{pin(one, "")}},
		{Pins: []registry.Pin{pin(one, "")}}, // though it changes nothing
		{Servers: []registry.Server{{ID: "fs", First: day, Last: day}}},
		{Forget: []registry.Identity{one.Identity()}},
		{ForgetServers: []string{"fs"}},
	} {
		written, err := b.UpdateRegistry(t.Context(), u)
		if err != nil || written.Revision != int64(i+1) {
			t.Errorf("update %d: revision %d, %v", i+1, written.Revision, err)
		}
		want(fmt.Sprint("after update ", i+1), int64(i+1))
	}
	if written, err := b.UpdateRegistry(t.Context(), registry.Update{}); err != nil || written.Revision != 0 {
		t.Errorf("an empty update: revision %d, %v", written.Revision, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.UpdateRegistry(ctx, registry.Update{Tools: []registry.Tool{one}}); err == nil {
		t.Error("an update that was cancelled succeeded")
	}
	want("at last", 6)
}

// testLarge: as much as one listing can hold, in one update.
func testLarge(t *testing.T, b Backend) {
	var u registry.Update
	for i := range 1000 {
		tl := tool("fs", fmt.Sprint("tool-", i), fmt.Sprint(i, strings.Repeat(" words", 40)))
		u.Tools, u.Pins = append(u.Tools, tl), append(u.Pins, pin(tl, ""))
	}
	huge := tool("fs", "huge", strings.Repeat("é\x00", 128<<10))
	u.Tools, u.Pins = append(u.Tools, huge), append(u.Pins, pin(huge, ""))
	if standing := update(t, b, u); len(standing) != len(u.Pins) {
		t.Errorf("%d pins stand, not %d", len(standing), len(u.Pins))
	}
	wantStored(t, b, registry.Stored{Tools: u.Tools, Pins: u.Pins})
}

// newRegistry is what a process knows.
func newRegistry(t *testing.T, s registry.Store) *registry.Registry {
	t.Helper()
	r, err := registry.New(t.Context(), registry.Config{Store: s})
	expect.OK(t, err)
	return r
}

// define returns a definition such as servers send.
func define(t *testing.T, server, name, description string) registry.Definition {
	t.Helper()
	d, err := registry.Bounds{}.Read(server,
		fmt.Appendf(nil, `{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, description))
	expect.OK(t, err)
	return d
}

// testRefresh: what one process writes the other notices, and what it wrote itself it need not read.
func testRefresh(t *testing.T, b Backend) {
	one, counted := newRegistry(t, b.Store), &counter{Store: b.Again(t)}
	other := newRegistry(t, counted)
	refresh := func(step string, reads int) {
		t.Helper()
		counted.reads = 0
		expect.OK(t, other.Refresh(t.Context()))
		expect.Equal(t, counted.reads, reads, "%s: the registry was read %d times, not %d", step, counted.reads, reads)
	}
	refresh("nothing happened", 0)
	read := define(t, "fs", "read", "Reads.")
	if _, err := one.Observe(t.Context(), registry.Listing{Server: "fs", Tools: []registry.Definition{read}, Complete: true}); err != nil {
		t.Fatal(err)
	}
	refresh("the other process observed", 1)
	refresh("nothing happened since", 0)
	trust := registry.Trust{Identity: registry.Identity{Server: "fs", Name: "read"}, Hash: read.Hash(), By: "ann"}
	if _, err := other.Trust(t.Context(), trust); err != nil {
		t.Fatal(err)
	}
	if fresh, err := other.Met(t.Context(), registry.Server{ID: "fs", Type: "stdio"}); err != nil || !fresh {
		t.Errorf("met %v, %v", fresh, err)
	}
	refresh("it wrote itself", 0)
	expect.OK(t, one.Refresh(t.Context()))
	expect.Equal(t, one.State("fs", "read").State, registry.Trusted, "to the first process the tool is")
	if diff := gocmp.Diff(other.Known(), one.Known()); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	// Both write: neither has what the other wrote until it refreshes.
	for r, id := range map[*registry.Registry]string{one: "first", other: "second"} {
		if _, err := r.Met(t.Context(), registry.Server{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range []*registry.Registry{one, other} {
		expect.OK(t, r.Refresh(t.Context()))
		expect.Equal(t, len(r.Known()), 3, "servers are known, not 3")
	}
	if names, err := registry.Reset(t.Context(), b.Store, registry.Identity{Server: "fs"}); len(names) != 1 || err != nil {
		t.Errorf("reset %v, %v", names, err)
	}
	refresh("the other process forgot", 1)
	if got := other.State("fs", "read").State; got != registry.Unknown || len(other.Known()) != 2 {
		t.Errorf("after the reset the tool is %s, and %d servers are known", got, len(other.Known()))
	}
}

// A counter counts how often the registry is read.
type counter struct {
	registry.Store
	reads int
}

func (c *counter) Registry(ctx context.Context) (registry.Stored, error) {
	c.reads++
	return c.Store.Registry(ctx)
}

// testObservers: processes that see one server for the first time at once, each with its own lies, agree on what is trusted.
func testObservers(t *testing.T, b Backend) {
	const processes, tools = 4, 8
	registries := make([]*registry.Registry, processes)
	for i := range registries {
		registries[i] = newRegistry(t, b.Again(t))
	}
	var group sync.WaitGroup
	for i, r := range registries {
		l := registry.Listing{Server: "fs", Complete: true, TrustFirst: true}
		for n := range tools {
			// In another order each, in which rows must not be waited for.
			l.Tools = append(l.Tools, define(t, "fs", fmt.Sprint("tool", (n*(2*i+1))%tools), fmt.Sprint("as told to ", i)))
		}
		group.Go(func() {
			if _, err := r.Observe(t.Context(), l); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	group.Wait()
	want := newRegistry(t, b.Store).Pins("fs")
	expect.Equal(t, len(want), tools, "%d tools are pinned, not %d", len(want), tools)
	for i, r := range registries {
		expect.OK(t, r.Refresh(t.Context()))
		if diff := gocmp.Diff(want, r.Pins("fs")); diff != "" {
			t.Errorf("process %d has other pins (-want +got):\n%s", i, diff)
		}
	}
}

// testTrusters: while some observe, a person trusts; the word of the person stands, for what they have seen.
func testTrusters(t *testing.T, b Backend) {
	const rounds = 10
	seen := define(t, "fs", "read", "as the person has seen it")
	first := registry.Listing{Server: "fs", Complete: true, TrustFirst: true, Tools: []registry.Definition{seen}}
	person := newRegistry(t, b.Again(t))
	if _, err := person.Observe(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	observers := []*registry.Registry{newRegistry(t, b.Again(t)), newRegistry(t, b.Again(t))}
	var group sync.WaitGroup
	for i, r := range observers {
		var listings []registry.Listing
		for n := range rounds {
			listings = append(listings, registry.Listing{Server: "fs", Complete: true, TrustFirst: true, Tools: []registry.Definition{
				define(t, "fs", "read", fmt.Sprint("changed by ", i, " for the time ", n)), define(t, "fs", fmt.Sprint("new-", i, "-", n), ""),
			}})
		}
		group.Go(func() {
			for _, l := range listings {
				if _, err := r.Observe(t.Context(), l); err != nil {
					t.Errorf("observer %d: %v", i, err)
				}
			}
		})
	}
	group.Go(func() {
		for n := range rounds {
			trust := registry.Trust{Identity: registry.Identity{Server: "fs", Name: "read"}, Hash: seen.Hash(), By: fmt.Sprint("ann ", n)}
			if _, err := person.Trust(t.Context(), trust); err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
	at := newRegistry(t, b.Store)
	if st := at.State("fs", "read"); st.State != registry.Changed || st.Pin.Hash != seen.Hash() || st.Pin.By != fmt.Sprint("ann ", rounds-1) {
		t.Errorf("the tool is %s, trusted by %s", st.State, st.Pin.By)
	}
	if n := len(at.Pins("fs")); n != 1+2*rounds {
		t.Errorf("%d tools are pinned, not %d", n, 1+2*rounds)
	}
	expect.OK(t, person.Refresh(t.Context()))
	trust := registry.Trust{Identity: registry.Identity{Server: "fs", Name: "read"}, Hash: seen.Hash(), By: "ann"}
	if _, err := person.Trust(t.Context(), trust); !errors.Is(err, registry.ErrMoved) {
		t.Errorf("what is not offered any more is trusted: %v", err)
	}
}

// What a registry says of how the tools of a server stand is what the store has, whoever wrote in between; and every change shows.
func testMarks(t *testing.T, b Backend) {
	one, other := openRegistry(t, b.Store), openRegistry(t, b.Again(t))
	seen := map[string]bool{}
	check := func(what string, r *registry.Registry, server string) {
		t.Helper()
		stored, err := b.Registry(t.Context())
		expect.OK(t, err)
		marks, wrong := stored.Marks()
		got := r.Mark(server)
		if len(wrong) > 0 || got.Digest != marks[server].Digest || got.Revision != stored.Revision || r.Marks()[server] != marks[server] {
			t.Errorf("%s: the mark is %+v, and %+v is stored (%v)", what, got, marks[server], wrong)
		}
		if seen[got.Digest] {
			t.Errorf("%s: nothing shows that it changed", what)
		}
		seen[got.Digest] = true
	}
	observe := func(r *registry.Registry, complete bool, tools ...registry.Tool) {
		t.Helper()
		l := registry.Listing{Server: "fs", Complete: complete, TrustFirst: true}
		for _, tool := range tools {
			l.Tools = append(l.Tools, tool.Definition)
		}
		if _, err := r.Observe(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	check("nothing", one, "fs")
	observe(one, false, tool("fs", "read", "Reads."))
	check("first", one, "fs")
	observe(other, false, tool("fs", "write", "Writes."))
	check("another process, which was behind", other, "fs")
	changed := tool("fs", "read", "Reads more.")
	observe(one, false, changed)
	check("changed by the first, which was behind", one, "fs")
	trust := registry.Trust{Identity: changed.Identity(), Hash: changed.Hash, By: "ann"}
	expect.OK(t, other.Refresh(t.Context()))
	if _, err := other.Trust(t.Context(), trust); err != nil {
		t.Fatal(err)
	}
	check("trusted", other, "fs")
	observe(one, true, changed)
	check("gone", one, "fs")
	if _, err := registry.Reset(t.Context(), b.Store, registry.Identity{Server: "fs", Name: "write"}); err != nil {
		t.Fatal(err)
	}
	expect.OK(t, one.Refresh(t.Context()))
	check("forgotten", one, "fs")
}

func openRegistry(t *testing.T, s registry.Store) *registry.Registry {
	t.Helper()
	r, err := registry.New(t.Context(), registry.Config{Store: s})
	expect.OK(t, err)
	return r
}
