package recordcmd

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/text/inert"
)

// FuzzKept reads what may have been kept. What can be read is written and read again as the same.
func FuzzKept(f *testing.F) {
	const text = `{"v":1,"type":"checkpoint","n":1,"time":"2026-01-02T03:04:05Z","chain":"c","seq":1,"hash":"h","cut":false,"prev":"p","key":"k"}`
	f.Add([]byte("head chain_x 4 abc\nkey ed25519:00\ncheckpoint c2ln " + text + "\nintact: 4 events in 1 chain\n"))
	f.Add([]byte(`{"heads":[{"chain":"c","seq":1,"hash":"h"}],"checkpoints":[{"checkpoint": ` + text + ` ,"signature":"c2ln"}]}`))
	f.Add([]byte("head chain_x one\n"))
	f.Add([]byte(`{"heads":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := parseSaved("f", data)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := jsonout.Print(&out, savedOf(first.heads, first.checkpoints)); err != nil {
			t.Fatal(err)
		}
		again, err := parseSaved("f", out.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", out.Bytes(), err)
		}
		for _, h := range first.heads {
			if inert.Text(h.Chain+h.Hash, 1<<20) != h.Chain+h.Hash {
				return // what no weir writes is made inert, and is not the same then
			}
		}
		if diff := cmp.Diff(first.heads, again.heads); diff != "" && len(first.heads) > 0 {
			t.Errorf("heads (-first +again):\n%s", diff)
		}
		if len(again.checkpoints) != len(first.checkpoints) {
			t.Errorf("%d checkpoints, then %d", len(first.checkpoints), len(again.checkpoints))
		}
	})
}

// TestKeptKeepsText: white space that an editor or a formatter puts in does not change what was signed.
func TestKeptKeepsText(t *testing.T) {
	const text = `{"v":1,"type":"checkpoint","n":1,"time":"2026-01-02T03:04:05Z","chain":"c","seq":1,"hash":"h","cut":false,"prev":"p","key":"k"}`
	signed, err := checkpoint.ReadSigned([]byte(text), "c2ln")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := jsonout.Print(&out, savedOf(nil, []checkpoint.Signed{signed})); err != nil {
		t.Fatal(err)
	}
	read, err := parseSaved("f", out.Bytes())
	if err != nil || len(read.checkpoints) != 1 || string(read.checkpoints[0].Text) != text {
		t.Errorf("read %+v, %v", read, err)
	}
}
