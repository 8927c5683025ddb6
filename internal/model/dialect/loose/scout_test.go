package loose

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
)

const call = `{"x":1,"tool_calls":[{"a":"b"}]}`

// scout reads a file in pieces of a size, and returns what may go out.
func scout(file string, size, limit int) (out string, err error) {
	s := New([]byte(file[:min(len(file), HeadSize)]), limit)
	for rest := file; rest != "" && err == nil; rest = rest[min(size, len(rest)):] {
		var piece []byte
		piece, err = s.Take([]byte(rest[:min(size, len(rest))]))
		out += string(piece)
	}
	if err == nil {
		var piece []byte
		piece, err = s.End()
		out += string(piece)
	}
	return out, err
}

// TestAnyCut checks what may go out of files with and without calls, however they are cut.
func TestAnyCut(t *testing.T) {
	for file, want := range map[string]string{
		"notes\n" + call + "\nmore":                "notes\n",
		"notes\f" + call:                           "notes\f",
		"notes\n" + call[:20] + "\n":               "(all)",
		call:                                       "",
		call + call:                                "",
		call[:25]:                                  "", // a reader of pieces has it
		"[1,\n" + call + " x\n":                    "",
		"{\"a\":[\n" + call + "\n x":               "",
		"x {\"a\n" + call:                          "x {\"a\n",
		"{\"type\":\"tool_use\"}":                  "",
		"{\"Type\":\"x_FUNCTION_CALL\"}":           "",
		"{\"type\":\"function\"}":                  "(all)",
		"{\"tool_calls\":3}{\"toolUse\":null}":     "(all)",
		"x\ndata: {\"tool_calls\":\ndata: []}\n\n": "x\ndata: ",
		"":                          "(all)",
		"{\"name\":\"tool_calls\"}": "(all)",
		"[\"tool_calls\",[1]]":      "(all)",
	} {
		for size := 1; size <= len(file)+1; size++ {
			out, err := scout(file, size, 1<<20)
			if want == "(all)" && (out != file || err != nil) || want != "(all)" && (out != want || !errors.Is(err, ErrCall)) {
				t.Errorf("%q in pieces of %d: %q, %v, want %q", file, size, out, err, want)
			}
		}
	}
}

// TestHeld checks that no more is held than may be, and that text is not held at all.
func TestHeld(t *testing.T) {
	if _, err := scout("x\n["+strings.Repeat("1,", 1000), 100, 500); !errors.Is(err, frame.ErrOversize) {
		t.Errorf("a value that does not end: %v", err)
	}
	s := New([]byte("note"), 10)
	for _, text := range []string{"notes", " on {\"tool_calls\":[]}\n", "more \"text", "\x00\xff", "\n\x01\x02"} {
		if out, err := s.Take([]byte(text)); string(out) != text || err != nil || s.Held() != 0 {
			t.Errorf("%q: %q, %v", text, out, err)
		}
	}
}
