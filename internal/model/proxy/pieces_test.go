package proxy

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/text/echo"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func newPiecer(b *budget.Budget) *piecer {
	room := b.Open("ann").Share(budget.Responses)
	return &piecer{mask: echo.New(upstreamKey), limit: 16 << 20, texts: map[string]ending{}, room: room}
}

func textFrame(text string) frame.Frame {
	data := []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`)
	return frame.Frame{Raw: append(append([]byte("data: "), data...), "\n\n"...), Data: data}
}

// TestPiecesOfOrdinaryText checks that frames without a beginning of a key cost no memory.
func TestPiecesOfOrdinaryText(t *testing.T) {
	p := newPiecer(nil)
	for _, text := range []string{"hello", " several words,\\n", "50% of \\\"it\\\"", "\\u00e9t\\u00e9"} {
		f := textFrame(text)
		read := func() (frame.Frame, error) { return f, nil }
		if n := testing.AllocsPerRun(100, func() { _, _ = p.next(read) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

// TestPiecesAreCounted checks that the budget knows what waits for the rest of a key, and what it takes to look for it.
func TestPiecesAreCounted(t *testing.T) {
	b := budget.New(budget.Config{Total: 64 << 20, Client: 4 << 20})
	p := newPiecer(b)
	f := textFrame(upstreamKey[:12])
	var during int64
	frames := []frame.Frame{f, textFrame("no")}
	read := func() (frame.Frame, error) {
		during = max(during, b.Held()[budget.Responses])
		if len(frames) == 0 {
			return frame.Frame{}, io.EOF
		}
		f := frames[0]
		frames = frames[1:]
		return f, nil
	}
	for range 2 {
		if _, err := p.next(read); err != nil {
			t.Fatal(err)
		}
	}
	if want := int64(len(f.Raw) + len(f.Data)); during < want {
		t.Errorf("%d bytes were counted, want %d", during, want)
	}
	if held := b.Held()[budget.Responses]; held != int64(p.ends) {
		t.Errorf("%d bytes are counted, %d kept", held, p.ends)
	}
	large := `{"a":[` + strings.Repeat(`{},`, 200_000) + `{}],"text":"` + upstreamKey[:3] + `"}`
	frames = []frame.Frame{{Raw: []byte(large), Data: []byte(large)}}
	p.room.Free()
	p = newPiecer(b)
	var over *budget.Exceeded
	if _, err := p.next(read); !errors.As(err, &over) {
		t.Errorf("a frame that takes more than there is: %v", err)
	}
}

// TestPiecesLeaveNothing checks that a large frame is not kept, and an exchange gives all back.
func TestPiecesLeaveNothing(t *testing.T) {
	p := newPiecer(nil)
	large := []byte(`{"a":[` + strings.Repeat(`{},`, 10_000) + `{}],"text":"` + upstreamKey[:3] + `"}`)
	if _, err := p.next(func() (frame.Frame, error) { return frame.Frame{Raw: large, Data: large}, nil }); err != nil {
		t.Fatal(err)
	}
	expect.Equal(t, p.doc.Root().Len(), 0, "what was read of a large frame is kept")
	counted := budget.New(budget.Config{})
	b := newBench(t, responding(200, streamOf("s", upstreamKey[:20], "no", upstreamKey[:5]), "Content-Type", "text/event-stream"), keyed(t),
		func(cfg *Config) { cfg.Budget = counted })
	b.ask(true, admission.KeyHeader, annsKey)
	b.weir.Close()
	if held := counted.Held(); counted.Used() != 0 {
		t.Errorf("still held: %v", held)
	}
}

// passed are the frames that a piecer lets through of those that come, and why it ended.
func passed(p *piecer, frames ...frame.Frame) (through int, err error) {
	read := func() (frame.Frame, error) {
		if len(frames) == 0 {
			return frame.Frame{}, io.EOF
		}
		f := frames[0]
		frames = frames[1:]
		return f, nil
	}
	for {
		if _, err := p.next(read); err != nil {
			return through, err
		}
		through++
	}
}

func jsonFrame(data string) frame.Frame { return frame.Frame{Raw: []byte(data), Data: []byte(data)} }

// TestPiecesInTurns checks that a key is found over frames that have other strings of the same name beside it.
func TestPiecesInTurns(t *testing.T) {
	half, rest := upstreamKey[:12], upstreamKey[12:]
	for name, frames := range map[string][]frame.Frame{
		"a part ahead":  {jsonFrame(`{"parts":[{"text":"hm"},{"text":"` + half + `"}]}`), jsonFrame(`{"parts":[{"text":"so"},{"text":"` + rest + `"}]}`)},
		"a part behind": {jsonFrame(`{"parts":[{"text":"` + half + `"},{"text":"hm"}]}`), jsonFrame(`{"parts":[{"text":"` + rest + `"},{"text":"so"}]}`)},
		"index behind":  {jsonFrame(`{"c":[{"content":"` + half + `","index":0},{"content":"x","index":1}]}`), jsonFrame(`{"c":[{"content":"` + rest + `","index":0},{"content":"y","index":1}]}`)},
		"empty between": {jsonFrame(`{"text":"` + half + `"}`), jsonFrame(`{"text":""}`), jsonFrame(`{"text":"` + rest + `"}`)},
	} {
		if n, err := passed(newPiecer(nil), frames...); !errors.Is(err, &keyRepeated) || n > 0 {
			t.Errorf("%s: %d frames passed, %v", name, n, err)
		}
	}
}

// TestPiecesThatEnd checks that a text that ends as a key begins does not hold up what comes after it for long.
func TestPiecesThatEnd(t *testing.T) {
	frames := []frame.Frame{textFrame(upstreamKey[:12])}
	for range 3 * patientFrames {
		frames = append(frames, jsonFrame(`{"type":"ping"}`))
	}
	p, came := newPiecer(nil), 0
	read := func() (frame.Frame, error) {
		came++
		return frames[came-1], nil
	}
	if _, err := p.next(read); err != nil || came > patientFrames+2 {
		t.Errorf("the first frame waits for %d more: %v", came-1, err)
	}
	expect.Equal(t, p.ends, 0, "%d bytes are kept", p.ends)
}
