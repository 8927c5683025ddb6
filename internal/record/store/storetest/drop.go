package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/record/verify"
)

// Maintained is a store whose record is maintained.
type Maintained interface {
	verify.Record
	custodian.Store
}

// CutBefore removes the events of a chain before event seq, and returns how many.
func CutBefore(t testing.TB, s Maintained, chain string, seq int64) (int64, error) {
	t.Helper()
	return cutBefore(t.Context(), shelfOf{s, signer(t)}, chain, seq)
}

// A shelfOf is a store with its signer.
type shelfOf struct {
	Maintained
	signer checkpoint.Signer
}

func cutBefore(ctx context.Context, s shelfOf, chain string, seq int64) (int64, error) {
	chains, err := s.Chains(context.WithoutCancel(ctx))
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(chains, func(c record.ChainState) bool { return c.Chain == chain })
	if at < 0 || seq <= chains[at].First {
		return 0, nil
	}
	cut := checkpoint.Cut{First: chains[at].First, Prev: record.Genesis, Last: record.Head{Chain: chain, Seq: seq - 1}}
	all, err := s.Oldest(context.WithoutCancel(ctx), chain, cut.First, int(seq-cut.First))
	if err != nil {
		return 0, err
	}
	for i, e := range all {
		if i == 0 {
			from, _ := e.Follows()
			cut.Prev = from.Hash
		}
		cut.Last.Hash = e.Hash
		cut.Bytes += int64(len(e.Text))
		if at := time.UnixMicro(e.Micros).UTC(); at.After(cut.Until) {
			cut.Until = at
		}
	}
	_, err = s.Cut(ctx, s.signer, cut)
	return seq - cut.First, err
}

// signer signs with the tests' key.
func signer(t testing.TB) checkpoint.Signer {
	t.Helper()
	return testKey(t).Signer(nil)
}

// testKey is a key for the tests of one process.
func testKey(t testing.TB) *checkpoint.Key {
	t.Helper()
	key, err := theKey()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

var theKey = sync.OnceValues(func() (*checkpoint.Key, error) {
	dir, err := os.MkdirTemp("", "weir-storetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a key in a temporary folder
	return checkpoint.OpenKey(filepath.Join(dir, "audit.key"))
})

// testLinks appends events that do not continue their chain.
func testLinks(t *testing.T, b Backend) {
	all := seal(t, make([]record.Event, 4)...)
	late := seal(t, make([]record.Event, 2)...)
	exchanged := all[2]
	exchanged.Text = bytes.Replace(all[2].Text, []byte(all[1].Hash), []byte(late[0].Hash), 1)
	sum := sha256.Sum256(exchanged.Text)
	exchanged.Hash = hex.EncodeToString(sum[:])
	appendAll(t, b, all[:2])
	for name, batch := range map[string][]record.Entry{
		"an event again":        all[1:2],
		"both again":            all[:2],
		"a hole":                all[3:],
		"a hole inside":         {all[2], late[1]},
		"the middle of a chain": late[1:],
		"after another event":   {exchanged},
		"out of order":          {all[3], all[2]},
		"not sealed":            {{Text: []byte("{}")}},
	} {
		if err := b.Append(t.Context(), batch); err == nil {
			t.Errorf("%s: stored", name)
		}
	}
	if n := len(entries(t, b, query.Filter{})); n != 2 {
		t.Errorf("%d entries, want 2", n)
	}
	appendAll(t, b, []record.Entry{all[2], late[0], all[3], late[1]})
	if r := verified(t, b); r.Found != 0 || r.Events != 6 {
		t.Errorf("verified: %+v", r)
	}
	if err := b.Append(t.Context(), nil); err != nil {
		t.Errorf("nothing at all: %v", err)
	}
}

func testDrop(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Some":      testDropSome,
		"All":       testDropAll,
		"Refused":   testDropRefused,
		"Cancelled": testDropCancelled,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func drop(t *testing.T, b Backend, chain string, seq, want int64) {
	t.Helper()
	if n, err := CutBefore(t, b, chain, seq); n != want || err != nil {
		t.Errorf("dropping what is before %d: %d, %v; want %d", seq, n, err, want)
	}
}

func testDropSome(t *testing.T, b Backend) {
	one, two := seal(t, corpus...), seal(t, corpus[:3]...)
	appendAll(t, b, one[:5])
	appendAll(t, b, two)
	before := entries(t, b, query.Filter{})
	drop(t, b, one[0].Chain, 1, 0)
	drop(t, b, one[0].Chain, 4, 3)
	if diff := cmp.Diff(before[3:], entries(t, b, query.Filter{})); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	drop(t, b, one[0].Chain, 4, 0)
	drop(t, b, one[0].Chain, 2, 0)
	wantLocked(t, b)
	// The chain can be continued, and cut again.
	appendAll(t, b, one[5:])
	drop(t, b, one[0].Chain, 6, 2)
	if got := entries(t, b, query.Filter{}); len(got) != 5 {
		t.Errorf("%d entries, want 5", len(got))
	}
}

// wantLocked checks that statements cannot change events that were not dropped. A log has nothing that would stop them.
func wantLocked(t *testing.T, b Backend) {
	t.Helper()
	for _, query := range []string{"DELETE FROM events", "UPDATE events SET tool = 'x'"} {
		if b.Kept {
			return
		}
		if err := b.Exec(query); err == nil {
			t.Errorf("%s succeeded", query)
		}
	}
}

// testDropAll leaves a chain without events. It must not begin anew: its head may have been saved elsewhere.
func testDropAll(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	appendAll(t, b, all[:5])
	drop(t, b, all[0].Chain, 6, 5)
	if got := entries(t, b, query.Filter{}); len(got) != 0 {
		t.Errorf("%d entries are left", len(got))
	}
	if got, err := b.Head(t.Context(), all[0].Chain); got != headOf(all[4]) || err != nil {
		t.Errorf("head %+v, %v; want %+v", got, err, headOf(all[4]))
	}
	if err := b.Append(t.Context(), all[:1]); err == nil {
		t.Error("a dropped event was stored again")
	}
	appendAll(t, b, all[5:])
	if got := ids(t, entries(t, b, query.Filter{})); got != "f g" {
		t.Errorf("entries %q", got)
	}
	wantLocked(t, b)
}

func testDropRefused(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	appendAll(t, b, all)
	_, err := CutBefore(t, b, all[0].Chain, 9)
	if err == nil || !strings.Contains(err.Error(), "events 1 to 7") {
		t.Errorf("dropping events that are not there yet: %v", err)
	}
	drop(t, b, "chain_unheard_of", 5, 0)
	drop(t, b, all[0].Chain, 0, 0)
	drop(t, b, all[0].Chain, -5, 0)
	if n := len(entries(t, b, query.Filter{})); n != len(all) {
		t.Errorf("%d entries, want %d", n, len(all))
	}
}

func testDropCancelled(t *testing.T, b Backend) {
	all := seal(t, corpus...)
	appendAll(t, b, all)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cutBefore(ctx, shelfOf{b, signer(t)}, all[0].Chain, 3); err == nil {
		t.Error("Cut succeeded though cancelled")
	}
	if n := len(entries(t, b, query.Filter{})); n != len(all) {
		t.Errorf("%d entries, want %d", n, len(all))
	}
}
