package weirtest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A message as the service sends it, byte by byte: what is written here must not depend on the code that writes messages.
const (
	startLine  = `messageStart {"role":"assistant"}`
	startBytes = "00000076" + "00000052" + "96d5fade" +
		"0b3a6576656e742d74797065" + "07000c" + "6d6573736167655374617274" +
		"0d3a636f6e74656e742d74797065" + "070010" + "6170706c69636174696f6e2f6a736f6e" +
		"0d3a6d6573736167652d74797065" + "070005" + "6576656e74" +
		"7b22726f6c65223a22617373697374616e74227d" + "6fa8c599"
)

func TestPacketOnTheWire(t *testing.T) {
	got := packets([]byte(startLine + "\n"))
	if diff := cmp.Diff(startBytes, hex.EncodeToString(got)); diff != "" {
		t.Error(diff)
	}
}

func TestPackets(t *testing.T) {
	text := startLine + "\n" + `chunk {"type":"ping"}
chunk+abc {"type":"message_stop"}
chunk= {"p":"abc"}
contentBlockDelta {"delta":{"text":"a«0A»b «78*300»"}}
!throttlingException {"message":"Slow down."}
!!InternalError Something broke.
«000102»
`
	if diff := cmp.Diff(text, string(packetsText(packets([]byte(text))))); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(packets([]byte("chunk+abc {}\n")), []byte(`{"bytes":"e30=","p":"abc"}`)) {
		t.Error("a chunk is not wrapped")
	}
}

func TestUnpackAllFailsWhereClientsStumble(t *testing.T) {
	for _, text := range []string{
		startLine + " «prelude»", startLine + " «checksum»", startLine + " «cut»", startLine + " «twice»", "«0001»", " {}", "chunk {",
		"!a {}\n" + startLine,
	} {
		if list, err := unpackAll(packets([]byte(text + "\n"))); err == nil || errors.Is(err, errErrorEvent) {
			t.Errorf("%s: read as %v, %v", text, list, err)
		}
	}
	for _, text := range []string{"!a {}", "!!a b"} {
		if _, err := unpackAll(packets([]byte(startLine + "\n" + text + "\n"))); !errors.Is(err, errErrorEvent) {
			t.Errorf("%s: %v", text, err)
		}
	}
	list, err := unpackAll(packets([]byte(startLine + " «header»\nchunk+abc {\"type\":\"ping\"}\n")))
	want := []event{{"messageStart", []byte(`{"role":"assistant"}`)}, {"ping", []byte(`{"type":"ping"}`)}}
	if diff := cmp.Diff(want, list, cmp.AllowUnexported(event{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestInventedIDsInBinaryStreams(t *testing.T) {
	r := reply{header: map[string][]string{"Content-Type": {contentTypes[parcels]}}}
	r.body = packets([]byte(`chunk {"id":"msg_weir_` + strings.Repeat("A", 26) + `"}` + "\n"))
	if got, want := string(packetsText(r.withoutChance())), `chunk {"id":"msg_weir_ID"}`+"\n"; got != want {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(string(r.legible()), "msg_weir_") {
		t.Error("what a chunk holds is not found in it")
	}
}

func FuzzPacketsText(f *testing.F) {
	for _, seed := range []string{
		startLine, "chunk {}", "chunk+a {}", "chunk= {}", "!e {}", "!!e m", "a {} «cut»", "a {} «checksum»", "a {} «header»", "a \xff", "«00»",
	} {
		f.Add(packets([]byte(seed + "\n" + startLine + "\n")))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if got := packets(packetsText(body)); !bytes.Equal(got, body) {
			t.Errorf("%x came back as %x by way of %s", body, got, packetsText(body))
		}
		_, _ = unpackAll(body) // it must not panic
	})
}
