package expect_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A failing is a test that only notes how it fails.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper()                           {}
func (f *failing) Errorf(format string, args ...any) { f.said = fmt.Sprintf(format, args...) }
func (f *failing) Fatalf(format string, args ...any) {
	f.said = "fatal " + fmt.Sprintf(format, args...)
}

func TestChecksFail(t *testing.T) {
	for want, check := range map[string]func(t testing.TB){
		"fatal unexpected EOF":             func(t testing.TB) { expect.OK(t, io.ErrUnexpectedEOF) },
		"try 2: got error <nil>, want EOF": func(t testing.TB) { expect.Is(t, nil, io.EOF, "try %d", 2) },
		`got "a", want "b"`:                func(t testing.TB) { expect.Equal(t, "a", "b") },
		"length: got 1, want 2":            func(t testing.TB) { expect.Equal(t, 1, 2, "length") },
		"body: want x in abc":              func(t testing.TB) { expect.Text(t, "abc", "body", "a", "x") },
		"body: want !a in abc":             func(t testing.TB) { expect.Text(t, "abc", "body", "b", "!a") },
		"it: got no error":                 func(t testing.TB) { expect.Fails(t, nil, "it") },
		"got error EOF, want <nil>":        func(t testing.TB) { expect.Is(t, io.EOF, nil) },
		"both: \n-+":                       func(t testing.TB) { expect.NoDiff(t, "-+", "both") },
		"": func(t testing.TB) {
			expect.OK(t, nil)
			expect.Is(t, fmt.Errorf("read: %w", io.EOF), io.EOF)
			expect.Equal(t, "a", "a")
			expect.Text(t, "abc", "", "b", "!x")
			expect.Fails(t, io.EOF)
			expect.Is(t, nil, nil)
			expect.Same(t, []string{"a"}, []string{"a"})
			expect.NoDiff(t, "")
		},
	} {
		f := &failing{}
		check(f)
		expect.Equal(t, f.said, want)
	}
	f := &failing{}
	expect.Same(f, []string{"a"}, []string{"b"})
	expect.Text(t, f.said, "", "(-want +got)")
	expect.Is(t, errors.Join(io.EOF), io.EOF)
}
