package model

import (
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/fold"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// written is what an answer writes.
func written(t *testing.T, a scripted.Answer) []byte {
	w := httptest.NewRecorder()
	for _, step := range a.Steps {
		if step(t.Context(), w) != nil {
			break // it is cut off
		}
	}
	return w.Body.Bytes()
}

// A reader that knows nothing of the model finds in both forms of an answer what it says.
func TestAnswersCanBeRead(t *testing.T) {
	calls := []Call{{ID: "call_1", Name: "Read", Args: `{"path":"a file"}`}, {ID: "call_2", Name: "Bash", Args: `{"command":"ls"}`}}
	want := []fold.Block{
		{Text: "I will look."}, {Tool: "Read", ID: "call_1", Text: calls[0].Args}, {Tool: "Bash", ID: "call_2", Text: calls[1].Args},
	}
	for _, w := range []Wire{Messages{}, Chat{}, Responses{}, Gemini{}, Gemini{Signed: true}} {
		for kind, h := range map[fold.Kind]History{fold.Events: {Stream: true}, fold.Whole: {}} {
			m, err := fold.Read(written(t, w.Play(Answer{Text: "I will look.", Calls: calls}, h, "resp_1")), kind)
			if err != nil || m == nil {
				t.Fatalf("%s as %s: %v", w.Dialect(), kind, err)
			}
			blocks, err := m.Blocks()
			if err != nil {
				t.Fatal(err)
			}
			var got []fold.Block
			for _, b := range blocks {
				if !b.Thought {
					got = append(got, b)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s as %s:\n%s", w.Dialect(), kind, diff)
			}
		}
	}
	for _, w := range []Wire{Messages{}, Responses{}} {
		cut := written(t, w.Play(Answer{Calls: calls, Cut: true}, History{Stream: true}, "resp_1"))
		if m, err := fold.Read(cut, fold.Events); !errors.Is(err, fold.ErrUnfinished) {
			t.Errorf("%s, cut off: %v, %v", w.Dialect(), m, err)
		}
	}
}
