package formats_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/fold"
)

func turns() map[string]wire.Turn {
	call := func(id, tool string, pieces ...string) wire.Block {
		b := wire.Call(tool, pieces...)
		b.ID = id
		return b
	}
	all := map[string]wire.Turn{
		"text":           {Blocks: []wire.Block{wire.Text("Ein \"Wort\", ", "und 🌊 noch\neins.")}},
		"a call":         {Blocks: []wire.Block{call("a", "Bash", `{"command":"l`, `s é"`, `}`)}},
		"text and calls": {Blocks: []wire.Block{wire.Text("Both."), call("a", "Read", `{}`), call("b", `odd "name"`, `{"n":[1e3`, `,null]}`)}},
		"what is stored": {Stored: true, Blocks: []wire.Block{wire.Text("So."), call("a", "Read", `{"a":`, `"b"}`)}},
		"a thought": {In: 3, Out: 9, Blocks: []wire.Block{
			{Thought: true, Pieces: []string{"Hm", "…"}, Signature: "c2ln"}, wire.Text("So."), call("a", "Read", `{}`),
		}},
		"a quoted prompt": {Prompt: "say \"so\"\n", Blocks: []wire.Block{wire.Text("So.")}},
	}
	for name, t := range all {
		t.Model, t.ID = "scripted-model", "t1"
		all[name] = t
	}
	return all
}

// kinds are what the readers call the framings.
var kinds = map[frame.Framing]fold.Kind{frame.Events: fold.Events, frame.Rows: fold.Lines, frame.Binary: fold.Packets}

func everyKit(t *testing.T, test func(t *testing.T, f dialect.Format, turn wire.Turn)) {
	for _, f := range formats.All() {
		for name, turn := range turns() {
			t.Run(f.Name+"/"+name, func(t *testing.T) { test(t, f, turn) })
		}
	}
}

// Its own format, and no other, takes the request of a kit for one, and for a stream or not as it was asked.
func TestRequestsOfKits(t *testing.T) {
	everyKit(t, func(t *testing.T, f dialect.Format, turn wire.Turn) {
		for framing, streamed := range map[frame.Framing]bool{frame.Whole: false, f.Kit.Framing: true} {
			path, body := f.Kit.Request(turn, streamed)
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			for _, other := range formats.All() {
				if asks := other.Asks(r, r.URL.Path) == dialect.Turn; asks != (other.Name == f.Name) {
					t.Errorf("%s asks for a turn in %s: %v", path, other.Name, asks)
				}
			}
			if got, err := f.Wants(r, []byte(body)); err != nil || got != framing {
				t.Errorf("%s %s wants framing %d, not %d (%v)", path, body, got, framing, err)
			}
			var doc strictjson.Doc
			if err := doc.Parse([]byte(body)); err != nil {
				t.Errorf("%s: %v", body, err)
			}
		}
	})
}

// A reader that knows nothing of the kit finds the same message in the stream and in the body, and no fault with it.
func TestTurnsOfKits(t *testing.T) {
	everyKit(t, func(t *testing.T, f dialect.Format, turn wire.Turn) {
		streamed, err := fold.Read(f.Kit.Bytes(turn), kinds[f.Kit.Framing])
		if err != nil || streamed == nil {
			t.Fatalf("a stream that no reader in weirtest/fold can read: %s, %v", f.Kit.Bytes(turn), err)
		}
		whole, err := fold.Read([]byte(f.Kit.Whole(turn)), fold.Whole)
		if err != nil || whole == nil {
			t.Fatalf("a body that no reader in weirtest/fold can read: %s, %v", f.Kit.Whole(turn), err)
		}
		if diff := fold.Difference(said(t, whole.JSON), said(t, streamed.JSON)); diff != "" {
			t.Errorf("(-whole +stream)\n%s", diff)
		}
		var want, got []string
		for _, b := range turn.Blocks {
			if !b.Thought {
				want = append(want, b.Tool+" "+b.Whole())
			}
		}
		blocks, err := streamed.Blocks()
		for _, b := range blocks {
			if !b.Thought { // some APIs hide what a model thought
				got = append(got, b.Tool+" "+b.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		for _, answer := range []string{f.Kit.Whole(turn), string(f.Kit.Bytes(turn))} {
			if strings.Contains(answer, f.Kit.Marks[0]) != turn.Calls() {
				t.Errorf("%s is a mark of %s", f.Kit.Marks[0], answer)
			}
		}
	})
}

// The beginning of a stream is nothing that a reader finds fault with, and no end.
func TestBeginningsOfStreams(t *testing.T) {
	everyKit(t, func(t *testing.T, f dialect.Format, turn wire.Turn) {
		all := f.Kit.Bytes(turn)
		message, err := fold.Read(all, kinds[f.Kit.Framing])
		if err != nil {
			t.Fatal(err)
		}
		var sent []byte
		told := false // why the turn ends
		for _, step := range f.Kit.Stream(turn) {
			if ended, err := message.Format.Check(sent, kinds[f.Kit.Framing]); err != nil || ended && !told {
				t.Errorf("ended: %v, %v\n%s", ended, err, sent)
			}
			sent = append(sent, f.Kit.Encode(step)...)
			told = told || step.Stop != ""
		}
		if ended, err := message.Format.Check(all, kinds[f.Kit.Framing]); err != nil || !ended {
			t.Errorf("ended: %v, %v", ended, err)
		}
	})
}

// said is a message without what the streams of some formats leave out: what it cost, and when it was made.
func said(t *testing.T, message jsontext.Value) jsontext.Value {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(message, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "usage")
	delete(members, "created")
	rest, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return rest
}

// What a client learns of a stream is what the model says.
func TestReadersOfKits(t *testing.T) {
	everyKit(t, func(t *testing.T, f dialect.Format, turn wire.Turn) {
		var want []wire.News
		for _, b := range turn.Blocks {
			switch {
			case b.Thought:
			case b.Tool == "":
				for _, p := range b.Pieces {
					want = append(want, wire.News{Text: p})
				}
			default:
				want = append(want, wire.News{Tool: b.Tool, Args: b.Whole()})
			}
		}
		in, release := frame.Open(bytes.NewReader(f.Kit.Bytes(turn)), f.Kit.Framing, 1<<20)
		defer release()
		understand := f.Kit.Reader()
		var got []wire.News
		for first := true; ; first = false {
			frame, err := in.Next()
			if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				break
			}
			if err != nil || first && !f.Recognises(frame) {
				t.Fatalf("%q, %v", frame.Raw, err)
			}
			var doc strictjson.Doc
			if doc.Parse(frame.Data) == nil {
				got = append(got, understand(doc.Root())...)
			}
		}
		if len(got) == 0 || got[len(got)-1].Stop == "" {
			t.Fatalf("no stop ends %+v", got)
		}
		if diff := cmp.Diff(want, got[:len(got)-1]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFormatsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range formats.All() {
		if seen[f.Name] || seen[f.Title] || f.Provider == "" || f.Kit == nil || kinds[f.Kit.Framing] == "" {
			t.Errorf("%s (%s) lacks something, or is there twice", f.Name, f.Title)
		}
		seen[f.Name], seen[f.Title] = true, true
	}
}
