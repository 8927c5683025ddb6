package bundle_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

func options(whole bool) dialect.Options { return dialect.Options{Whole: whole, MaxArguments: 1 << 20} }

// It does not matter how the bytes arrive.
func TestCuts(t *testing.T) {
	for name, e := range examples() {
		want := string(pass(e.in, e.whole, refuse("rm")).Out)
		at := func(c *dialecttest.Chunks) string {
			return string(dialecttest.Pass(dialecttest.Passage{
				Format: format(), Whole: e.whole, Framing: frame.Rows, In: c, Judge: &dialecttest.Judge{Policy: refuse("rm")},
			}).Out)
		}
		if diff := cmp.Diff(want, at(dialecttest.ByteByByte([]byte(e.in)))); diff != "" {
			t.Errorf("%s, byte by byte (-want +got):\n%s", name, diff)
		}
		for place := 0; place < len(e.in); place += 7 {
			if diff := cmp.Diff(want, at(dialecttest.CutAt([]byte(e.in), place))); diff != "" {
				t.Fatalf("%s, cut at %d (-want +got):\n%s", name, place, diff)
			}
		}
	}
}

// Of an upstream that dies, the agent gets the lines that were whole, and sees that there is no end.
func TestBrokenOff(t *testing.T) {
	for name, e := range examples() {
		for place := 0; place < len(e.in); place += 5 {
			r := dialecttest.Pass(dialecttest.Passage{
				Format: format(), Whole: e.whole, Framing: frame.Rows,
				In: dialecttest.BrokenAfter([]byte(e.in), place), Judge: &dialecttest.Judge{Policy: refuse("rm")},
			})
			whole := strings.Count(e.in[:place], "\n")
			want := strings.Join(strings.SplitAfter(e.refused, "\n")[:whole], "")
			if e.whole {
				want = ""
			}
			if diff := cmp.Diff(want, string(r.Out)); diff != "" || !errors.Is(r.Err, gate.ErrBroken) {
				t.Fatalf("%s, broken off at %d: %v (-want +got):\n%s", name, place, r.Err, diff)
			}
		}
	}
}

func TestLineEnds(t *testing.T) {
	rm, ls := output("1", completion("a", "rm")), output("2", completion("b", "ls"))
	refused := output("1", completionRefused("a", "rm"))
	for name, tt := range map[string]struct{ in, want string }{
		"CRLF":              {rm + "\r\n" + ls + "\r\n", refused + "\n" + ls + "\r\n"},
		"no LF at the end":  {rm + "\n" + ls, lines(refused, ls)},
		"blank lines":       {"\n" + rm + "\n\n  \n" + ls + "\n\n", lines(refused, ls)},
		"mark at the start": {"\ufeff" + ls + "\n" + rm + "\n", lines(ls, refused)},
		"line separator": {
			output("1", strings.Replace(said("c"), "hello", "a\u2028b", 1)) + "\n" + rm + "\n",
			lines(output("1", strings.Replace(said("c"), "hello", `a\u2028b`, 1)), refused),
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := pass(tt.in, false, refuse("rm"))
			if diff := cmp.Diff(tt.want, string(r.Out)); diff != "" || r.Err != nil {
				t.Errorf("%v (-want +got):\n%s", r.Err, diff)
			}
		})
	}
}

// A last line that the end of the source cut off is not the upstream's word.
func TestLastLineCut(t *testing.T) {
	ls := lines(output("2", completion("b", "ls")))
	r := pass(ls+output("1", completion("a", "rm"))[:90], false, dialecttest.AllowAll())
	if string(r.Out) != ls || !errors.Is(r.Err, gate.ErrBroken) {
		t.Errorf("%v:\n%s", r.Err, r.Out)
	}
}

func TestManyLines(t *testing.T) {
	const many = 10_000
	var in, want strings.Builder
	var calls []string
	for i := range many {
		id := fmt.Sprintf("r%d", i)
		switch i % 4 {
		case 0:
			in.WriteString(lines(output(id, completion(id, "rm"))))
			want.WriteString(lines(output(id, completionRefused(id, "rm"))))
			calls = append(calls, id+` rm {"p":"secret"}`)
		case 1:
			in.WriteString(lines(output(id, completion(id, "ls"))))
			want.WriteString(lines(output(id, completion(id, "ls"))))
			calls = append(calls, id+` ls {"p":"secret"}`)
		default:
			in.WriteString(lines(output(id, said(id))))
			want.WriteString(lines(output(id, said(id))))
		}
	}
	r := pass(in.String(), false, refuse("rm"))
	if r.Err != nil || string(r.Out) != want.String() {
		t.Errorf("%v: %d bytes, want %d", r.Err, len(r.Out), want.Len())
	}
	if diff := cmp.Diff(calls, judged(r)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if o := r.Outcome(); o.Released != many/4 || o.Refused != many/4 || o.Usage.Input != 3*many {
		t.Errorf("%+v", o)
	}
}

// waiting is a source whose last read waits for nothing but lets the rulings go that were held until then.
type waiting struct {
	r      io.Reader
	atEnd  func()
	tapped bool
}

func (w *waiting) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !w.tapped {
		w.tapped = true
		w.atEnd()
	}
	return n, err
}

// Rulings that come after everything was read, and in another order, change nothing: no line keeps what others overwrite.
func TestLateRulings(t *testing.T) {
	for name, e := range examples() {
		var in, want string
		for range 60 {
			in, want = in+e.in, want+e.refused
			if e.whole {
				break
			}
		}
		var held []func()
		judge := &dialecttest.Judge{Policy: dialecttest.Policy{ByArgs: refuse("rm").ByName}, Later: func(f func()) { held = append(held, f) }}
		r := dialecttest.Pass(dialecttest.Passage{
			Format: format(), Whole: e.whole, Framing: frame.Rows, Judge: judge,
			In: &waiting{r: bytes.NewReader([]byte(in)), atEnd: func() {
				judge.Later = nil
				slices.Reverse(held)
				for _, f := range held {
					f()
				}
			}},
		})
		got := strings.ReplaceAll(string(r.Out), "args_denied", "tool_denied")
		if r.Err != nil || got != want {
			t.Errorf("%s: %v (-want +got):\n%s", name, r.Err, cmp.Diff(want, got))
		}
	}
}

// Two requests of a batch may be answered alike: those are two calls. Only what another list repeats is the same.
func TestTwins(t *testing.T) {
	same := content("a", "rm")
	once := operationOf(same, same)
	if got := judged(pass(once, true, refuse("rm"))); len(got) != 2 {
		t.Errorf("one list with two calls that are alike: %q", got)
	}
	twice := `{"metadata":{"output":{` + inlined(same, same) + `}},"response":{` + inlined(same, same, same) + `}}`
	r := pass(twice, true, refuse("rm"))
	if got := judged(r); len(got) != 3 {
		t.Errorf("a list with two and a list with three calls that are alike: %q", got)
	}
	refused := contentRefused("a", "rm")
	want := `{"metadata":{"output":{` + inlined(refused, refused) + `}},"response":{` + inlined(refused, refused, refused) + `}}`
	dialecttest.CheckOut(t, want, r)
	other := `{"operations":[` + operationOf(same) + `,` + operationOf(same) + `]}`
	if got := judged(pass(other, true, dialecttest.AllowAll())); len(got) != 2 {
		t.Errorf("two operations with a call each: %q", got)
	}
}
