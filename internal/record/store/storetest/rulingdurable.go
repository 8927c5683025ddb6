package storetest

import (
	"context"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// testRestart closes a store and opens its database again.
func testRestart(t *testing.T, b Backend) {
	one, two := remembered("r1 c1 a", refused("a")), remembered("r1 c1 b", refused("b"))
	remember(t, b, one, two, remembered("r1 c1 ok", released))
	if err := b.SetAnswered(t.Context(), "openai", "c1", []string{"a"}, true); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again := b.Again(t)
	wantRuled(t, again, exchange("r1", "c1"), "a", &one.Ruling)
	wantRuled(t, again, exchange("r1", "c1"), "ok", &released)
	wantMissing(t, again, "r1", "", one, two)
	wantMissing(t, again, "", "c1", two)
	remember(t, again, remembered("r1 c1 a", released))
	wantRuled(t, again, exchange("r1", "c1"), "a", &one.Ruling)
}

// testTwoStores: two processes share their stored rulings.
func testTwoStores(t *testing.T, b Backend) {
	other := b.Again(t)
	one, two := remembered("r1 c1 a", refused("a")), remembered("r1 c1 b", refused("b"))
	remember(t, b, one, remembered("r1 c1 b", released))
	wantRuled(t, other, exchange("r1", ""), "a", &one.Ruling)
	remember(t, other, two, remembered("r1 c1 a", refused("later")))
	for _, s := range []Store{b, other} {
		wantMissing(t, s, "r1", "c1", one, two)
	}
	if err := other.SetAnswered(t.Context(), "openai", "c1", []string{"a", "b"}, true); err != nil {
		t.Fatal(err)
	}
	wantMissing(t, b, "", "c1")
}

// testRulingWithItsEvent fails to store an event: then neither its ruling nor any other of the batch is stored.
func testRulingWithItsEvent(t *testing.T, b Backend) {
	before, one, two := remembered("r1 c1 before", released), remembered("r1 c1 a", refused("a")), remembered("r1 c1 before", refused("b"))
	all := sealRulings(t, record.Types.ToolCall, before, one, two)
	appendAll(t, b, all[:1])
	if err := b.Append(t.Context(), []record.Entry{all[1], all[2], all[2]}); err == nil {
		t.Fatal("a batch with an event twice was stored")
	}
	wantMissing(t, b, "r1", "c1")
	wantRuled(t, b, exchange("r1", ""), "a", nil)
	wantRuled(t, b, exchange("r1", ""), "before", &released)
	appendAll(t, b, all[1:])
	wantMissing(t, b, "r1", "c1", two, one)
	for _, e := range entries(t, b, query.Filter{}) {
		if e.With.Remember != nil {
			t.Errorf("an entry came back with a ruling to keep: %+v", e.With.Remember)
		}
	}
	if r := verified(t, b); !b.Kept && (r.Found != 0 || r.Events != 3) { // a log takes an event twice, which the recorder never gives it
		t.Errorf("verified: %+v", r)
	}
}

func testMemoryCancelled(t *testing.T, b Backend) {
	remember(t, b, remembered("r1 c1 a", refused("a")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, ruled := b.Ruled(ctx, exchange("r1", "c1"), "a")
	_, inResponse := b.Refused(ctx, "openai", "r1")
	_, inConversation := b.RefusedIn(ctx, "openai", "c1")
	_, _, noticed := b.Noticed(ctx, "openai", "msg_weir_a")
	for name, err := range map[string]error{
		"Ruled": ruled, "Refused": inResponse, "RefusedIn": inConversation, "Noticed": noticed,
		"SetAnswered": b.SetAnswered(ctx, "openai", "c1", []string{"a"}, true),
	} {
		if err == nil {
			t.Errorf("%s succeeded though cancelled", name)
		}
	}
	wantMissing(t, b, "r1", "c1", remembered("r1 c1 a", refused("a")))
}
