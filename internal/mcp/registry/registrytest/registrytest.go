// Package registrytest is the contract of a store of the registry: the tests that every backend must pass.
package registrytest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A Backend is a store under test.
type Backend struct {
	registry.Store
	// Again opens the same store once more, as the next process would.
	Again func(t *testing.T) registry.Store
}

// Run tests a backend. open returns a new, empty one for each test.
func Run(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Empty":     testEmpty,
		"ReadBack":  testReadBack,
		"Replace":   testReplace,
		"Names":     testNames,
		"FirstPins": testFirstPins,
		"Forget":    testForget,
		"Cancelled": testCancelled,
		"AtOnce":    testAtOnce,
		"Servers":   testServers,
		"Revision":  testRevision,
		"Large":     testLarge,
		"Refresh":   testRefresh,
		"Observers": testObservers,
		"Trusters":  testTrusters,
		"Marks":     testMarks,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// day is when things happen in these tests.
var day = time.Date(2026, 3, 14, 15, 9, 26, 535897000, time.UTC)

// tool returns a tool with everything in it.
func tool(server, name, description string) registry.Tool {
	d := registry.Definition{
		Server: server, Name: name, Title: "A \"title\"\x00", Description: description,
		InputSchema:  jsontext.Value(`{"maximum":12345678901234567890.5,"text":"'); DROP TABLE tools; --"}`),
		OutputSchema: jsontext.Value(`true`), Annotations: jsontext.Value(`{}`),
		Meta: jsontext.Value(`{"nul":"\u0000"}`), Other: jsontext.Value(`{"icons":["😀"]}`),
	}
	return registry.Tool{Definition: d, Hash: d.Hash(), First: day, Since: day.Add(time.Microsecond), Gone: day.Add(time.Hour)}
}

// bare returns a tool with as little as there can be.
func bare(server, name string) registry.Tool {
	d := registry.Definition{Server: server, Name: name}
	return registry.Tool{Definition: d, Hash: d.Hash(), First: day, Since: day}
}

func pin(t registry.Tool, by string) registry.Pin {
	return registry.Pin{Definition: t.Definition, Hash: t.Hash, By: by, Time: day}
}

func update(t *testing.T, s registry.Store, u registry.Update) []registry.Pin {
	t.Helper()
	written, err := s.UpdateRegistry(t.Context(), u)
	expect.OK(t, err)
	return written.Standing
}

// wantStored checks that the store, also when it is opened again, has exactly these contents, whatever its revision.
func wantStored(t *testing.T, b Backend, want registry.Stored) {
	t.Helper()
	for name, s := range map[string]registry.Store{"open": b.Store, "opened again": b.Again(t)} {
		got, err := s.Registry(t.Context())
		expect.OK(t, err)
		if diff := gocmp.Diff(sorted(want), sorted(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// sorted returns what is stored in one order.
func sorted(k registry.Stored) registry.Stored {
	compare := func(a, b registry.Identity) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Name, b.Name))
	}
	tools, pins := slices.Clone(k.Tools), slices.Clone(k.Pins)
	slices.SortFunc(tools, func(a, b registry.Tool) int { return compare(a.Identity(), b.Identity()) })
	slices.SortFunc(pins, func(a, b registry.Pin) int { return compare(a.Identity(), b.Identity()) })
	servers := slices.Clone(k.Servers)
	slices.SortFunc(servers, func(a, b registry.Server) int { return cmp.Compare(a.ID, b.ID) })
	if len(servers) == 0 {
		servers = nil
	}
	if len(tools) == 0 {
		tools = nil
	}
	if len(pins) == 0 {
		pins = nil
	}
	return registry.Stored{Servers: servers, Tools: tools, Pins: pins}
}

func testEmpty(t *testing.T, b Backend) {
	wantStored(t, b, registry.Stored{})
	update(t, b, registry.Update{})
	wantStored(t, b, registry.Stored{})
}

func testReadBack(t *testing.T, b Backend) {
	full, least := tool("fs", "read", "Reads\na file."), bare("fs", "write")
	u := registry.Update{Tools: []registry.Tool{full, least}, Pins: []registry.Pin{pin(full, "ann"), pin(least, "")}}
	update(t, b, u)
	wantStored(t, b, registry.Stored{Tools: u.Tools, Pins: u.Pins})
}

func testReplace(t *testing.T, b Backend) {
	old, other := tool("fs", "read", "old"), tool("fs", "other", "stays")
	update(t, b, registry.Update{Tools: []registry.Tool{old, other}, Pins: []registry.Pin{pin(old, "ann"), pin(other, "ann")}})
	next := bare("fs", "read")
	update(t, b, registry.Update{Tools: []registry.Tool{next}})
	wantStored(t, b, registry.Stored{Tools: []registry.Tool{next, other}, Pins: []registry.Pin{pin(old, "ann"), pin(other, "ann")}})
	update(t, b, registry.Update{Pins: []registry.Pin{pin(next, "bob")}})
	wantStored(t, b, registry.Stored{Tools: []registry.Tool{next, other}, Pins: []registry.Pin{pin(next, "bob"), pin(other, "ann")}})
}

// testNames: ids and names are compared byte for byte, whatever they hold.
func testNames(t *testing.T, b Backend) {
	var u registry.Update
	for _, name := range []string{
		"read", "Read", "READ", "read ", " read", "re\u200bad", "réad", "re\u0301ad", "read\x00", "read\x00x", "%", "_", "'", `\`, "😀",
		strings.Repeat("long", 256),
	} {
		for _, server := range []string{"fs", "FS", "fs\x00", "f"} {
			tl := bare(server, name)
			u.Tools, u.Pins = append(u.Tools, tl), append(u.Pins, pin(tl, ""))
		}
	}
	for _, id := range []string{"fs", "FS", "fs\x00", "f", strings.Repeat("long", 256), "\xff", `"`} {
		u.Servers = append(u.Servers, registry.Server{ID: id, Addr: id, First: day, Last: day})
	}
	update(t, b, u)
	wantStored(t, b, registry.Stored{Servers: u.Servers, Tools: u.Tools, Pins: u.Pins})
}

// testFirstPins: a pin that no person set replaces no other pin.
func testFirstPins(t *testing.T, b Backend) {
	old, next := tool("fs", "read", "old"), tool("fs", "read", "new")
	other := bare("fs", "other")
	if diff := gocmp.Diff([]registry.Pin{pin(old, "")}, update(t, b, registry.Update{Pins: []registry.Pin{pin(old, "")}})); diff != "" {
		t.Errorf("the first (-want +got):\n%s", diff)
	}
	standing := update(t, b, registry.Update{Pins: []registry.Pin{pin(next, ""), pin(other, "")}})
	slices.SortFunc(standing, func(a, b registry.Pin) int { return cmp.Compare(a.Name, b.Name) })
	if diff := gocmp.Diff([]registry.Pin{pin(other, ""), pin(old, "")}, standing); diff != "" {
		t.Errorf("the second (-want +got):\n%s", diff)
	}
	if standing := update(t, b, registry.Update{Pins: []registry.Pin{pin(next, "ann")}}); len(standing) > 0 {
		t.Errorf("of pins that someone set, %d are returned", len(standing))
	}
	wantStored(t, b, registry.Stored{Pins: []registry.Pin{pin(next, "ann"), pin(other, "")}})
}

func testForget(t *testing.T, b Backend) {
	one, two, elsewhere := tool("fs", "one", "x"), tool("fs", "two", "x"), tool("git", "one", "x")
	update(t, b, registry.Update{
		Tools: []registry.Tool{one, two, elsewhere},
		Pins:  []registry.Pin{pin(one, "ann"), pin(two, "ann"), pin(elsewhere, "ann")},
	})
	update(t, b, registry.Update{Forget: []registry.Identity{one.Identity(), {Server: "fs", Name: "never there"}}})
	wantStored(t, b, registry.Stored{Tools: []registry.Tool{two, elsewhere}, Pins: []registry.Pin{pin(two, "ann"), pin(elsewhere, "ann")}})
	update(t, b, registry.Update{Tools: []registry.Tool{one}, Pins: []registry.Pin{pin(one, "")}})
	wantStored(t, b, registry.Stored{
		Tools: []registry.Tool{one, two, elsewhere},
		Pins:  []registry.Pin{pin(one, ""), pin(two, "ann"), pin(elsewhere, "ann")},
	})
}

// testCancelled: a cancelled update changes nothing.
func testCancelled(t *testing.T, b Backend) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	one := tool("fs", "one", "x")
	if _, err := b.UpdateRegistry(ctx, registry.Update{Tools: []registry.Tool{one}, Pins: []registry.Pin{pin(one, "ann")}}); err == nil {
		t.Error("an update that was cancelled succeeded")
	}
	wantStored(t, b, registry.Stored{})
}

// testAtOnce: of pins that nobody set, the same one stands for all who set one at once.
func testAtOnce(t *testing.T, b Backend) {
	const writers = 8
	stood := make([]registry.Hash, writers)
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			tl := tool("fs", "read", strings.Repeat("x", i+1))
			written, err := b.UpdateRegistry(t.Context(), registry.Update{Tools: []registry.Tool{tl}, Pins: []registry.Pin{pin(tl, "")}})
			if err != nil || len(written.Standing) != 1 {
				t.Errorf("%d pins stand: %v", len(written.Standing), err)
				return
			}
			stood[i] = written.Standing[0].Hash
		})
	}
	group.Wait()
	if all := slices.Compact(stood); len(all) != 1 {
		t.Errorf("different pins stood: %v", all)
	}
}
