package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
	"github.com/weir-gate/weir/internal/record/query"
)

// An Archive is what weir needs from a backend for bodies.
type Archive interface {
	PutBodies(ctx context.Context, all []bodies.Body) error
	DropBodies(ctx context.Context, beyond bodies.Limit) (n int64, more bool, err error)
	BodyStanding(ctx context.Context) (count int64, newest time.Time, err error)
	FreeSpace(ctx context.Context) error
	Bodies(ctx context.Context, requestID string) ([]bodies.Body, error)
}

func testBodies(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"ReadBack":  testBodiesReadBack,
		"Together":  testBodiesTogether,
		"Age":       testBodiesByAge,
		"AtMost":    testBodiesOldAtMost,
		"Standing":  testBodyStanding,
		"Size":      testBodiesBySize,
		"Portions":  testBodiesInPortions,
		"Restart":   testBodiesAfterARestart,
		"Cancelled": testBodiesCancelled,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func body(id string, side string, at time.Time, content string) bodies.Body {
	return bodies.Body{
		RequestID: id, Side: side, Time: at, Content: []byte(content),
		Body: call.Body{Digest: fmt.Sprintf("sha256:%x", content[:min(4, len(content))]), Size: int64(2 * len(content))},
	}
}

func putBodies(t *testing.T, s Store, all ...bodies.Body) {
	t.Helper()
	if err := s.PutBodies(t.Context(), all); err != nil {
		t.Fatal(err)
	}
}

func wantBodies(t *testing.T, s Store, id string, want ...bodies.Body) {
	t.Helper()
	got, err := s.Bodies(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(bytes.Equal)); diff != "" {
		t.Errorf("the bodies of %q (-want +got):\n%s", id, diff)
	}
}

func testBodiesReadBack(t *testing.T, b Backend) {
	binary := make([]byte, 256)
	for i := range binary {
		binary[i] = byte(i)
	}
	cut := body("req_1", "response", noon, string(binary))
	cut.FullSize = 1 << 40
	large := body("req_2", "response", noon.Add(time.Microsecond), strings.Repeat(string(binary), 8<<10))
	putBodies(t, b, cut, body("req_1", "request", noon, ""), large)
	wantBodies(t, b, "req_1", body("req_1", "request", noon, ""), cut)
	wantBodies(t, b, "req_2", large)
	wantBodies(t, b, "req_3")
	wantBodies(t, b, "")
	for _, id := range oddIDs {
		putBodies(t, b, body(id, "request", noon, "x"))
		wantBodies(t, b, id, body(id, "request", noon, "x"))
	}
	// An existing body stays: the record names its digest.
	putBodies(t, b, body("req_2", "response", noon, "other"))
	wantBodies(t, b, "req_2", large)
	// Bodies are not part of the record.
	appendAll(t, b, seal(t, record.Event{Type: record.Types.ToolCall}))
	if n := len(entries(t, b, query.Filter{})); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

// testBodiesTogether fails to store one of several bodies: then none is stored.
func testBodiesTogether(t *testing.T, b Backend) {
	bad := body("req_1", "response", noon, "y")
	bad.Digest = strings.Repeat("d", 10)
	if err := b.Exec("CREATE UNIQUE INDEX one_digest ON bodies (digest)"); err != nil {
		t.Fatal(err)
	}
	other := bad
	other.RequestID = "req_2"
	if err := b.PutBodies(t.Context(), []bodies.Body{body("req_1", "request", noon, "x"), bad, other}); err == nil {
		t.Fatal("two bodies with one digest were stored")
	}
	wantBodies(t, b, "req_1")
	wantBodies(t, b, "req_2")
}

// dropAll removes the bodies that are beyond a limit and returns how many.
func dropAll(t *testing.T, s Store, limit bodies.Limit) (total int64) {
	t.Helper()
	for more := true; more; {
		var n int64
		var err error
		if n, more, err = s.DropBodies(t.Context(), limit); err != nil {
			t.Fatal(err)
		}
		total += n
	}
	if err := s.FreeSpace(t.Context()); err != nil {
		t.Fatal(err)
	}
	return total
}

const unlimited = 1 << 50

func testBodiesByAge(t *testing.T, b Backend) {
	old, young := body("old", "request", noon, "a"), body("young", "request", noon.Add(time.Minute), "b")
	putBodies(t, b, young, old)
	for _, step := range []struct {
		since time.Time
		want  int64
	}{{noon, 0}, {noon.Add(time.Microsecond), 1}, {noon.Add(time.Microsecond), 0}, {noon.Add(time.Minute), 0}, {noon.Add(time.Hour), 1}} {
		if n := dropAll(t, b, bodies.Limit{Since: step.since, Size: unlimited}); n != step.want {
			t.Errorf("since %v: %d bodies went, want %d", step.since, n, step.want)
		}
		if step.since.Before(noon.Add(time.Hour)) {
			wantBodies(t, b, "young", young)
		}
	}
	wantBodies(t, b, "young")
	wantBodies(t, b, "old")
}

// testBodiesOldAtMost: no more bodies are removed for their age than Limit.Old, but all that exceed the size.
func testBodiesOldAtMost(t *testing.T, b Backend) {
	content := strings.Repeat("c", 10_000)
	for i := range 10 {
		putBodies(t, b, body(fmt.Sprint(i), "response", noon.Add(time.Duration(i)*time.Minute), content))
	}
	for _, step := range []struct {
		limit bodies.Limit
		want  int64
	}{
		{bodies.Limit{Since: noon.Add(time.Hour), Old: 3, Size: unlimited}, 3},
		{bodies.Limit{Since: noon.Add(4 * time.Minute), Old: 3, Size: unlimited}, 1},
		{bodies.Limit{Since: noon.Add(time.Hour), Old: 1, Size: 45_000}, 2},
		{bodies.Limit{Since: noon.Add(time.Hour), Size: unlimited}, 4},
	} {
		n, _, err := b.DropBodies(t.Context(), step.limit)
		if err != nil || n != step.want {
			t.Errorf("%+v: %d bodies went, want %d; %v", step.limit, n, step.want, err)
		}
	}
}

// testBodyStanding: the standing has the number of bodies, and the newest time of a body or an event.
func testBodyStanding(t *testing.T, b Backend) {
	check := func(want int64, at time.Time) {
		t.Helper()
		if n, newest, err := b.BodyStanding(t.Context()); err != nil || n != want || !newest.Equal(at) {
			t.Errorf("%d bodies, newest %v, %v; want %d, %v", n, newest, err, want, at)
		}
	}
	check(0, time.Time{})
	putBodies(t, b, body("1", "request", noon, "x"), body("2", "request", noon.Add(-time.Hour), "x"))
	check(2, noon)
	appendAll(t, b, seal(t, record.Event{Type: record.Types.PolicyLoaded, Time: noon.Add(time.Minute)}))
	check(2, noon.Add(time.Minute))
}

// testBodiesBySize: the newest bodies that fit stay, in whatever order they were stored.
func testBodiesBySize(t *testing.T, b Backend) {
	content := strings.Repeat("c", 10_000)
	for i := range 10 {
		putBodies(t, b, body(fmt.Sprint(i), "response", noon.Add(-time.Duration(i)*time.Minute), content))
	}
	if n := dropAll(t, b, bodies.Limit{Size: 200_000}); n != 0 {
		t.Errorf("%d bodies went, want 0", n)
	}
	if n := dropAll(t, b, bodies.Limit{Size: 45_000}); n != 6 {
		t.Errorf("%d bodies went, want 6", n)
	}
	for i := range 10 {
		got, err := b.Bodies(t.Context(), fmt.Sprint(i))
		if err != nil || len(got) == 1 != (i < 4) {
			t.Errorf("body %d: %d are there, %v", i, len(got), err)
		}
	}
	if n := dropAll(t, b, bodies.Limit{}); n != 4 {
		t.Errorf("%d bodies went, want 4", n)
	}
}

// testBodiesInPortions removes more than is deleted at once, by number and by size.
func testBodiesInPortions(t *testing.T, b Backend) {
	var many []bodies.Body
	for i := range 450 {
		many = append(many, body(fmt.Sprint(i), "request", noon, "x"))
	}
	putBodies(t, b, many...)
	large := strings.Repeat("y", 3<<20)
	for i := range 5 {
		putBodies(t, b, body(fmt.Sprint("large ", i), "request", noon.Add(time.Hour), large))
	}
	var portions []int64
	for more := true; more; {
		var n int64
		var err error
		if n, more, err = b.DropBodies(t.Context(), bodies.Limit{Since: noon.Add(2 * time.Hour), Size: unlimited}); err != nil {
			t.Fatal(err)
		}
		portions = append(portions, n)
	}
	total := int64(0)
	for _, n := range portions {
		total += n
	}
	if total != 455 || len(portions) < 4 || slices.Max(portions) > 200 {
		t.Errorf("deleted in portions of %d", portions)
	}
}

func testBodiesAfterARestart(t *testing.T, b Backend) {
	one := body("req_1", "request", noon, "x")
	putBodies(t, b, one)
	again := b.Again(t)
	wantBodies(t, again, "req_1", one)
	if n := dropAll(t, again, bodies.Limit{}); n != 1 {
		t.Errorf("%d bodies went, want 1", n)
	}
	wantBodies(t, b, "req_1")
	putBodies(t, b, one)
	wantBodies(t, again, "req_1", one)
}

func testBodiesCancelled(t *testing.T, b Backend) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if b.PutBodies(ctx, []bodies.Body{body("req_1", "request", noon, "x")}) == nil {
		t.Error("PutBodies succeeded though cancelled")
	}
	if _, _, err := b.DropBodies(ctx, bodies.Limit{}); err == nil {
		t.Error("DropBodies succeeded though cancelled")
	}
	if _, err := b.Bodies(ctx, "req_1"); err == nil {
		t.Error("Bodies succeeded though cancelled")
	}
	wantBodies(t, b, "req_1")
}
