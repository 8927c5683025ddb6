package frame

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLookaheadChangesNothing(t *testing.T) {
	for _, tt := range framings {
		for peekBefore := range 4 {
			want, out := readSSE(t, strings.NewReader(tt.in))
			l := NewLookahead(NewSSE(everyByte([]byte(tt.in)), 0))
			var got []Frame
			var gotOut []byte
			for n := 0; ; n++ {
				if n == peekBefore {
					checkPeek(t, l, want[min(n, len(want)):])
				}
				f, err := l.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, f.Clone())
				gotOut = l.Append(gotOut, f)
			}
			if diff := cmp.Diff(want, got, sameFrame); diff != "" {
				t.Errorf("%s, peek before frame %d (-want +got):\n%s", tt.name, peekBefore, diff)
			}
			if string(gotOut) != string(out) {
				t.Errorf("%s: written as %q, want %q", tt.name, gotOut, out)
			}
		}
	}
}

// checkPeek demands that Peek returns the first frame of rest that has data, and does so twice.
func checkPeek(t *testing.T, l *Lookahead, rest []Frame) {
	t.Helper()
	for range 2 {
		f, err := l.Peek()
		want, wantErr := Frame{}, io.EOF
		for _, r := range rest {
			if len(r.Data) > 0 {
				want, wantErr = r, nil
				break
			}
		}
		if err != wantErr || !cmp.Equal(f, want, sameFrame) {
			t.Errorf("Peek is %+v and %v, want %+v and %v", f, err, want, wantErr)
		}
	}
}

func TestLookaheadBound(t *testing.T) {
	tests := []struct {
		name, skipped string
		want          error
	}{
		{"as many frames as allowed", strings.Repeat("\n", maxSkippedFrames), nil},
		{"one frame more", strings.Repeat("\n", maxSkippedFrames+1), ErrOversize},
		{"few but large frames", strings.Repeat(": "+strings.Repeat("x", maxSkippedBytes/4)+"\n\n", 4), ErrOversize},
	}
	for _, tt := range tests {
		l := NewLookahead(NewSSE(strings.NewReader(tt.skipped+"data: a\n\n"), 0))
		if _, err := l.Peek(); !errors.Is(err, tt.want) {
			t.Errorf("%s: Peek is %v, want %v", tt.name, err, tt.want)
		}
		_, err := readUntilError(l)
		if want := orEOF(tt.want); !errors.Is(err, want) {
			t.Errorf("%s: after the frames comes %v", tt.name, err)
		}
	}
}

func TestLookaheadBrokenSource(t *testing.T) {
	l := NewLookahead(NewSSE(&brokenReader{strings.NewReader(": x\n\n"), errReset}, 0))
	if _, err := l.Peek(); !errors.Is(err, errReset) {
		t.Errorf("Peek is %v, want the cause", err)
	}
	frames, err := readUntilError(l)
	if len(frames) != 1 || !errors.Is(err, errReset) {
		t.Errorf("%d frames and %v, want the comment and the cause", len(frames), err)
	}
}

func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}
