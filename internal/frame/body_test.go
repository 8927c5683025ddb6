package frame

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBody(t *testing.T) {
	large := strings.Repeat("x", 3*firstBodySize+1)
	tests := []struct {
		name, in string
		want     []Frame
		out      string
	}{
		{"empty", "", nil, ""},
		{"json", "{}\n", []Frame{plain("{}\n", "", "{}\n")}, "{}\n"},
		{"large", large, []Frame{plain(large, "", large)}, large},
		{"byte order mark", "\ufeff{}", []Frame{odd("\ufeff{}", "", "{}")}, "{}"},
		{"only a mark", "\ufeff", []Frame{odd("\ufeff", "", "")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for how, src := range map[string]io.Reader{"whole": strings.NewReader(tt.in), "byte by byte": everyByte([]byte(tt.in))} {
				b := NewBody(src, 0)
				got := readAll(t, b)
				if diff := cmp.Diff(tt.want, got, sameFrame); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				var out []byte
				for _, f := range got {
					out = b.Append(out, f)
				}
				if string(out) != tt.out {
					t.Errorf("%s: written as %q, want %q", how, out, tt.out)
				}
			}
		})
	}
}

func TestBodyAppendsMadeFrames(t *testing.T) {
	if got := NewBody(strings.NewReader(""), 0).Append(nil, Frame{Data: []byte("{\n}")}); string(got) != "{\n}" {
		t.Errorf("written as %q", got)
	}
}

func TestBodyBound(t *testing.T) {
	for _, bound := range []int{1, 10, firstBodySize, 2*firstBodySize + 1} {
		for _, size := range []int{bound, bound + 1, 3 * bound} {
			var want error
			if size > bound {
				want = ErrOversize
			}
			f, err := NewBody(strings.NewReader(strings.Repeat("x", size)), bound).Next()
			if !errors.Is(err, want) || err == nil && len(f.Data) != size {
				t.Errorf("%d bytes with bound %d: %d bytes and %v, want %v", size, bound, len(f.Data), err, want)
			}
		}
	}
}

func TestBodyBrokenSource(t *testing.T) {
	b := NewBody(&brokenReader{strings.NewReader(`{"a":1}`), errReset}, 0)
	for range 2 {
		f, err := b.Next()
		if f.Raw != nil || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, errReset) {
			t.Errorf("frame %q and %v, want nothing and the cause", f.Raw, err)
		}
	}
}
