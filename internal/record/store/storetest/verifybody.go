package storetest

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/bodies"
)

// withBodies is a response event with its two bodies, which have the same text.
func withBodies(t *testing.T, id string, began time.Time, text string) (record.Event, []bodies.Body) {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	content := encoder.EncodeAll([]byte(text), nil)
	named := call.Body{Digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))), Size: int64(len(text))}
	done := record.Event{
		Type: record.Types.ResponseDone, Time: began.Add(time.Second), Exchange: call.Exchange{RequestID: id},
		Detail: record.ResponseDone{RequestBody: named, ResponseBody: named, Timings: record.Timings{Started: began}},
	}
	return done, []bodies.Body{
		{RequestID: id, Side: "request", Time: began, Body: named, Content: content},
		{RequestID: id, Side: "response", Time: began, Body: named, Content: content},
	}
}

// testVerifyBodies changes bodies that events name.
func testVerifyBodies(t *testing.T, b Backend) {
	var events []record.Event
	var all [][]bodies.Body
	for i := range 4 {
		e, pair := withBodies(t, fmt.Sprint("req_", i), at(0).Add(time.Duration(i)*2*time.Hour), fmt.Sprint("body ", i))
		events, all = append(events, e), append(all, pair)
		putBodies(t, b, pair...)
	}
	appendAll(t, b, seal(t, events...))
	if r := verified(t, b); r.Found != 0 {
		t.Fatalf("as they were kept: %v", r.Problems)
	}
	restore := func() {
		t.Helper()
		if err := b.Exec("DELETE FROM bodies"); err != nil {
			t.Fatal(err)
		}
		for _, pair := range all {
			putBodies(t, b, pair...)
		}
	}
	for change, want := range map[string]string{
		"UPDATE bodies SET content = (SELECT content FROM bodies WHERE request_id = 'req_2' AND side = 'request') WHERE request_id = " +
			"'req_1'": "does not have its digest: it was changed",
		"UPDATE bodies SET digest = 'x' WHERE request_id = 'req_1' AND side = " +
			"'request'": "the body of the request that the event names, of \"req_1\", was " +
			"exchanged",
		"UPDATE bodies SET size = 1 WHERE request_id = 'req_1'":                         "was exchanged",
		"UPDATE bodies SET full_size = 1 WHERE request_id = 'req_1'":                    "was exchanged",
		"UPDATE bodies SET side = 'x' WHERE request_id = 'req_1' AND side = 'response'": "is gone, and older ones are there",
		"DELETE FROM bodies WHERE request_id = 'req_2'":                                 "is gone, and older ones are there",
	} {
		if err := b.Exec(change); err != nil {
			t.Fatal(err)
		}
		if r := verified(t, b); !says(r, want) {
			t.Errorf("%s: no problem says %q: %v", change, want, r.Problems)
		}
		restore()
	}
	// Retention removes the oldest.
	for i := range 4 {
		if err := b.Exec(fmt.Sprintf("DELETE FROM bodies WHERE request_id = 'req_%d'", i)); err != nil {
			t.Fatal(err)
		}
		if r := verified(t, b); r.Found != 0 {
			t.Errorf("without the oldest %d: %v", i+1, r.Problems)
		}
	}
}
