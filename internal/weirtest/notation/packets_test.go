package notation

import (
	"bytes"
	"encoding/hex"
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
	got := Packets([]byte(startLine + "\n"))
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
	if diff := cmp.Diff(text, string(PacketsText(Packets([]byte(text))))); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(Packets([]byte("chunk+abc {}\n")), []byte(`{"bytes":"e30=","p":"abc"}`)) {
		t.Error("a chunk is not wrapped")
	}
}

func FuzzPacketsText(f *testing.F) {
	for _, seed := range []string{
		startLine, "chunk {}", "chunk+a {}", "chunk= {}", "!e {}", "!!e m", "a {} «cut»", "a {} «checksum»", "a {} «header»", "a \xff", "«00»",
	} {
		f.Add(Packets([]byte(seed + "\n" + startLine + "\n")))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if got := Packets(PacketsText(body)); !bytes.Equal(got, body) {
			t.Errorf("%x came back as %x by way of %s", body, got, PacketsText(body))
		}
	})
}
