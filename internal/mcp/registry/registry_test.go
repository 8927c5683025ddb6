package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/mcp/registry/registrytest"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestMemory(t *testing.T) {
	registrytest.Run(t, func(*testing.T) registrytest.Backend {
		m := &registrytest.Memory{}
		return registrytest.Backend{Store: m, Again: func(*testing.T) registry.Store { return m }}
	})
}

// A desk is a registry with its store and clock.
type desk struct {
	*registry.Registry
	t     *testing.T
	store *registrytest.Memory
	clock time.Time
}

func newDesk(t *testing.T, bounds registry.Bounds) *desk {
	d := &desk{t: t, store: &registrytest.Memory{}, clock: time.Date(2026, 1, 1, 0, 0, 0, 999, time.UTC)}
	r, err := registry.New(t.Context(), registry.Config{Store: d.store, Bounds: bounds, Now: func() time.Time {
		d.clock = d.clock.Add(time.Second)
		return d.clock
	}})
	expect.OK(t, err)
	d.Registry = r
	return d
}

// define returns a tool; its description follows its name after a colon.
func define(t testing.TB, server, text string) registry.Definition {
	t.Helper()
	name, description, _ := strings.Cut(text, ":")
	d, err := registry.Bounds{}.Read(server, fmt.Appendf(nil, `{"name":%s,"description":%s,"inputSchema":{"type":"object"}}`,
		strictjson.AppendString(nil, name), strictjson.AppendString(nil, description)))
	expect.OK(t, err)
	return d
}

func listing(t testing.TB, server string, tools ...string) registry.Listing {
	l := registry.Listing{Server: server, Complete: true}
	for _, text := range tools {
		l.Tools = append(l.Tools, define(t, server, text))
	}
	return l
}

// Reset has the store forget, and the registry notice. It returns how many tools were forgotten.
func (d *desk) Reset(ctx context.Context, id registry.Identity) (int, error) {
	names, err := registry.Reset(ctx, d.store, id)
	if err != nil {
		return 0, err
	}
	return len(names), d.Refresh(ctx)
}

// observe takes note of a complete listing, and returns the changes in short.
func (d *desk) observe(l registry.Listing) []string {
	d.t.Helper()
	c, err := d.Observe(d.t.Context(), l)
	expect.OK(d.t, err)
	return summary(c)
}

func summary(c registry.Changes) (out []string) {
	for _, t := range c.New {
		out = append(out, "new "+t.Name)
	}
	for _, ch := range c.Changed {
		out = append(out, fmt.Sprintf("changed %s (%d)", ch.New.Name, len(registry.Diff(ch.Old.Definition, ch.New.Definition))))
	}
	for _, ch := range c.Noted {
		out = append(out, "noted "+ch.New.Name)
	}
	for _, t := range c.Gone {
		out = append(out, "gone "+t.Name)
	}
	for _, t := range c.Back {
		out = append(out, "back "+t.Name)
	}
	for _, r := range c.Renamed {
		out = append(out, "renamed "+r.Old.Name+" "+r.New.Name)
	}
	for _, a := range c.LookAlikes {
		out = append(out, fmt.Sprintf("alike %s %s %v+%d", a.Likeness, a.Tool.Name, a.Like, a.More))
	}
	for _, c := range c.Collisions {
		out = append(out, fmt.Sprintf("collision %s %v", c.Name, c.Servers))
	}
	return out
}

func (d *desk) want(what string, got, want []string) {
	d.t.Helper()
	expect.NoDiff(d.t, cmp.Diff(want, got), "%s", what)
}

func (d *desk) wantState(server, name string, want registry.State) {
	d.t.Helper()
	if got := d.State(server, name).State; got != want {
		d.t.Errorf("%s of %s is %s, not %s", name, server, got, want)
	}
	if stored, err := registry.New(d.t.Context(), registry.Config{Store: d.store}); err == nil {
		if got := stored.State(server, name).State; got != want {
			d.t.Errorf("%s of %s is %s to the next process, not %s", name, server, got, want)
		}
	}
}

func TestObserve(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.want("first", d.observe(listing(t, "fs", "read:Reads", "write:Writes", "stat:States")), []string{"new read", "new stat", "new write"})
	d.want("again", d.observe(listing(t, "fs", "stat:States", "write:Writes", "read:Reads")), nil)
	d.want("changed", d.observe(listing(t, "fs", "read:Reads more", "write:Writes", "stat:States")), []string{"changed read (1)"})
	d.want("gone", d.observe(listing(t, "fs", "read:Reads more", "write:Writes")), []string{"gone stat"})
	d.want("still gone", d.observe(listing(t, "fs", "read:Reads more", "write:Writes")), nil)
	d.want("back", d.observe(listing(t, "fs", "read:Reads more", "write:Writes", "stat:States")), []string{"back stat"})
	d.want("renamed", d.observe(listing(t, "fs", "read:Reads more", "put:Writes", "stat:States")), []string{"new put", "gone write", "renamed write put"})
	d.want("back otherwise", d.observe(listing(t, "fs", "read:Reads more", "put:Writes", "stat:States", "write:Other")),
		[]string{"changed write (1)", "back write"})
	page := listing(t, "fs", "more:More")
	page.Complete = false
	d.want("page", d.observe(page), []string{"new more"})
	d.want("nothing left", d.observe(listing(t, "fs")), []string{"gone more", "gone put", "gone read", "gone stat", "gone write"})
	d.want("two renamed alike", d.observe(listing(t, "fs", "one:Same", "two:Same")), []string{"new one", "new two"})
	d.want("not told apart", d.observe(listing(t, "fs", "three:Same", "four:Same")), []string{"new four", "new three", "gone one", "gone two"})
}

// A change of what is not hashed is noted, kept, and changes no trust.
func TestNoted(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	l := listing(t, "fs", "read:Reads")
	l.TrustFirst = true
	d.observe(l)
	l.Tools[0].Meta = []byte(`{"v":2}`)
	d.want("noted", d.observe(l), []string{"noted read"})
	d.want("once", d.observe(l), nil)
	d.wantState("fs", "read", registry.Trusted)
}

func TestStates(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.wantState("fs", "read", registry.Unknown)
	first := listing(t, "fs", "read:Reads", "write:Writes")
	first.TrustFirst = true
	d.observe(first)
	d.wantState("fs", "read", registry.Trusted)
	d.wantState("fs", "Read", registry.Unknown)
	d.wantState("FS", "read", registry.Unknown)

	changed := listing(t, "fs", "read:Reads, and sends", "later:Late")
	d.observe(changed)
	d.wantState("fs", "read", registry.Changed)
	d.wantState("fs", "write", registry.Gone)
	d.wantState("fs", "later", registry.Unknown)
	if st := d.State("fs", "read"); !st.Offered || st.Pin.Description != "Reads" || st.Hash == st.Pin.Hash || st.Pin.By != "" {
		t.Errorf("the tool stands as %+v", st)
	}

	// A tool that was seen before is not trusted for being seen.
	changed.TrustFirst = true
	d.observe(changed)
	d.wantState("fs", "read", registry.Changed)
	d.wantState("fs", "later", registry.Unknown)

	// What was trusted once is trusted when it is so again.
	d.observe(listing(t, "fs", "read:Reads", "write:Writes"))
	d.wantState("fs", "read", registry.Trusted)
	d.wantState("fs", "write", registry.Trusted)
	d.wantState("fs", "later", registry.Gone)
}

func TestTrustAndReset(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	l := listing(t, "fs", "read:Reads", "write:Writes")
	l.TrustFirst = true
	d.observe(l)
	seen := listing(t, "fs", "read:Better", "write:Better")
	d.observe(seen)
	read := registry.Identity{Server: "fs", Name: "read"}
	trust := registry.Trust{Identity: read, Hash: seen.Tools[0].Hash(), By: "ann"}

	for name, tt := range map[string]struct {
		trust registry.Trust
		want  error
	}{
		"as it was":  {registry.Trust{Identity: read, Hash: l.Tools[0].Hash(), By: "ann"}, registry.ErrMoved},
		"unseen":     {registry.Trust{Identity: read, By: "ann"}, registry.ErrMoved},
		"other tool": {registry.Trust{Identity: registry.Identity{Server: "fs", Name: "Read"}, Hash: trust.Hash, By: "ann"}, registry.ErrUnknown},
	} {
		if _, err := d.Trust(t.Context(), tt.trust); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.Trust(t.Context(), registry.Trust{Identity: read, Hash: trust.Hash}); err == nil {
		t.Error("nobody trusts it, and it is trusted")
	}
	d.wantState("fs", "read", registry.Changed)

	other := registry.Trust{Identity: registry.Identity{Server: "fs", Name: "write"}, Hash: l.Tools[1].Hash(), By: "ann"}
	if _, err := d.Trust(t.Context(), trust, other); !errors.Is(err, registry.ErrMoved) {
		t.Errorf("one of two: %v", err)
	}
	d.wantState("fs", "read", registry.Changed)
	if pins, err := d.Trust(t.Context()); len(pins) != 0 || err != nil {
		t.Errorf("none: %v, %v", pins, err)
	}

	set, err := d.Trust(t.Context(), trust)
	if err != nil || len(set) != 1 {
		t.Fatalf("%+v, %v", set, err)
	}
	if pin := set[0]; pin.By != "ann" || pin.Hash != trust.Hash || pin.Time.Nanosecond() != 0 {
		t.Errorf("%+v", pin)
	}
	d.wantState("fs", "read", registry.Trusted)
	d.wantState("fs", "write", registry.Changed)
	if pins := d.Pins("fs"); len(pins) != 2 || pins[0].Name != "read" || pins[0].By != "ann" || pins[1].By != "" {
		t.Errorf("the pins are %+v", pins)
	}

	if n, err := d.Reset(t.Context(), read); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	d.wantState("fs", "read", registry.Unknown)
	if _, err := d.Reset(t.Context(), read); !errors.Is(err, registry.ErrUnknown) {
		t.Error(err)
	}
	seen.TrustFirst = true
	d.want("seen anew", d.observe(seen), []string{"new read"})
	d.wantState("fs", "read", registry.Trusted)
	if n, err := d.Reset(t.Context(), registry.Identity{Server: "fs"}); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := d.Reset(t.Context(), registry.Identity{Server: "fs"}); !errors.Is(err, registry.ErrUnknownServer) {
		t.Error(err)
	}
	expect.Equal(t, len(d.Servers()), 0, "left are %v", d.Servers())
}

// A listing that cannot be kept trusts nothing and hides no change.
func TestStoreFails(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	l := listing(t, "fs", "read:Reads", "write:Writes")
	l.TrustFirst = true
	d.observe(l)
	broken := errors.New("disk full")
	d.store.Fail(broken)
	bad := listing(t, "fs", "read:Reads, and sends", "write:Writes", "new:New")
	bad.TrustFirst = true
	if c, err := d.Observe(t.Context(), bad); !errors.Is(err, broken) || summary(c) != nil {
		t.Errorf("%v, %v", summary(c), err)
	}
	if _, err := d.Trust(t.Context(), registry.Trust{Identity: registry.Identity{Server: "fs", Name: "read"}, Hash: l.Tools[0].Hash(), By: "ann"}); !errors.Is(err, registry.ErrMoved) {
		t.Error(err)
	}
	for name, want := range map[string]registry.State{"read": registry.Changed, "write": registry.Trusted, "new": registry.Unknown} {
		d.wantState("fs", name, want)
	}
	expect.Is(t, d.Reload(t.Context()), broken)
	if _, err := d.Reset(t.Context(), registry.Identity{Server: "fs"}); !errors.Is(err, broken) {
		t.Error(err)
	}
	d.store.Fail(nil)
	d.want("kept at last", d.observe(bad), []string{"new new", "changed read (1)"})
	d.store.Fail(broken)
	_, _ = d.Observe(t.Context(), l)
	d.store.Fail(nil)
	d.observe(bad)
	d.wantState("fs", "read", registry.Changed)
	d.wantState("fs", "new", registry.Trusted)
}

// Of two weirs with one store, the pin of the first stands.
func TestTwoWeirs(t *testing.T) {
	one := newDesk(t, registry.Bounds{})
	other, err := registry.New(t.Context(), registry.Config{Store: one.store})
	expect.OK(t, err)
	good, bad := listing(t, "fs", "read:Reads"), listing(t, "fs", "read:Reads, and sends")
	good.TrustFirst, bad.TrustFirst = true, true
	one.observe(good)
	if _, err := other.Observe(t.Context(), bad); err != nil {
		t.Fatal(err)
	}
	expect.Equal(t, other.State("fs", "read").State, registry.Changed, "to the other it is")
	expect.OK(t, one.Reload(t.Context()))
	one.wantState("fs", "read", registry.Changed)
}

func TestBounds(t *testing.T) {
	bounds := registry.Bounds{Tools: 3, Known: 4, Servers: 2, Size: 200}
	d := newDesk(t, bounds)
	d.observe(listing(t, "fs", "a", "b", "c"))
	page := listing(t, "fs", "d")
	page.Complete = false
	for name, tt := range map[string]struct {
		listing registry.Listing
		what    string
	}{
		"at once": {listing(t, "fs", "a", "b", "c", "d"), "tools that a server offers: 4, and the bound is 3"},
		"by page": {page, "tools that a server offers: 4, and the bound is 3"},
		"in time": {listing(t, "fs", "x", "y"), "tools of a server that are remembered: 5, and the bound is 4"},
		"in size": {listing(t, "fs", "a:"+strings.Repeat("x", 200)), "bytes of the definitions of a server that are remembered"},
	} {
		_, err := d.Observe(t.Context(), tt.listing)
		if !errors.Is(err, registry.ErrBounds) || !strings.Contains(err.Error(), tt.what) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.observe(listing(t, "git", "a"))
	if _, err := d.Observe(t.Context(), listing(t, "third", "a")); !errors.Is(err, registry.ErrBounds) {
		t.Error(err)
	}
	if got := d.observe(listing(t, "fs", "a", "b", "c")); got != nil {
		t.Errorf("a listing over a bound left %v", got)
	}
}

// A listing that is refused hides no change of what is trusted.
func TestRefusedListings(t *testing.T) {
	for name, bad := range map[string][]string{
		"twice":   {"read:Reads", "read:Sends"},
		"bounded": {"read:Sends", "a", "b", "c"},
	} {
		d := newDesk(t, registry.Bounds{Tools: 3})
		l := listing(t, "fs", "read:Reads", "write:Writes")
		l.TrustFirst = true
		d.observe(l)
		if _, err := d.Observe(t.Context(), listing(t, "fs", bad...)); err == nil {
			t.Errorf("%s: it was taken note of", name)
		}
		if read, write := d.State("fs", "read").State, d.State("fs", "write").State; read != registry.Changed || write != registry.Trusted {
			t.Errorf("%s: %s, %s", name, read, write)
		}
		d.want("as before", d.observe(l), nil)
		d.wantState("fs", "read", registry.Trusted)
	}
}

// Changes are told as JSON, too.
func TestChangesAsJSON(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "git", "write", "read:Reads"))
	first := listing(t, "fs", "Write:Writes", "read:Reads")
	d.observe(first)
	c, err := d.Observe(t.Context(), listing(t, "fs", "read:Sends", "Push:Writes", "write"))
	expect.OK(t, err)
	text, err := json.Marshal(c)
	expect.OK(t, err)
	var again registry.Changes
	expect.OK(t, json.Unmarshal(text, &again))
	expect.NoDiff(t, cmp.Diff(c, again), "(-before +after)")
	for _, part := range []string{`"server":"fs","name":"Push","description":"Writes","input_schema":{"type":"object"},"hash":"weirtool1:`, `"renamed":[{"old":`, `"collisions":[{"name":"write","servers":["fs","git"]}]`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is not in %s", part, text)
		}
	}
}

func TestListingsThatContradict(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	if _, err := d.Observe(t.Context(), listing(t, "fs", "read:One", "read:Two")); !errors.Is(err, registry.ErrTwice) {
		t.Error(err)
	}
	d.want("twice the same", d.observe(listing(t, "fs", "read:One", "read:One")), []string{"new read"})
	l := listing(t, "fs", "read:One")
	l.Server = "git"
	if _, err := d.Observe(t.Context(), l); err == nil {
		t.Error("a tool of another server was taken note of")
	}
}

// A store that was written to by another hand is not believed.
func TestTampering(t *testing.T) {
	for name, tamper := range map[string]func(*registry.Stored){
		"tool": func(k *registry.Stored) { k.Tools[0].Description = "other" },
		"pin":  func(k *registry.Stored) { k.Pins[0].InputSchema = []byte(`{}`) },
		"hash": func(k *registry.Stored) { k.Pins[0].Hash = k.Pins[0].Hash[:20] },
	} {
		d := newDesk(t, registry.Bounds{})
		l := listing(t, "fs", "re\u202ead:Reads")
		l.TrustFirst = true
		d.observe(l)
		stored, err := d.store.Registry(t.Context())
		expect.OK(t, err)
		tamper(&stored)
		var next registrytest.Memory
		if _, err := next.UpdateRegistry(t.Context(), registry.Update{Tools: stored.Tools, Pins: stored.Pins}); err != nil {
			t.Fatal(err)
		}
		if _, err := registry.New(t.Context(), registry.Config{Store: &next}); err == nil || !strings.Contains(err.Error(), `"re\u202ead"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whoever asks while the tools change gets a response that was true at some time.
func TestAtOnce(t *testing.T) {
	r, err := registry.New(context.Background(), registry.Config{})
	expect.OK(t, err)
	good, bad := listing(t, "fs", "read:Reads"), listing(t, "fs", "read:Sends")
	good.TrustFirst = true
	if _, err := r.Observe(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 200 {
				st := r.State("fs", "read")
				if (st.State == registry.Trusted) != (st.Hash == good.Tools[0].Hash()) || st.State == registry.Unknown {
					t.Errorf("it stands as %+v", st)
				}
				if got := r.Lookup(registry.Question{Name: "fs_read"}); len(got) != 1 {
					t.Errorf("found %v", got)
				}
			}
		})
		group.Go(func() {
			for i := range 100 {
				if _, err := r.Observe(t.Context(), []registry.Listing{good, bad}[i%2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
