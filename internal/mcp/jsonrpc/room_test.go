package jsonrpc

import (
	"errors"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A message that does not end takes no more than there is room for, and what it took is given back.
func TestRoom(t *testing.T) {
	b := budget.New(budget.Config{Total: 1 << 20, Client: 1 << 20})
	a := b.Open("a")
	long := `{"jsonrpc":"2.0","method":"m","params":{"a":"` + strings.Repeat("x", 200<<10) + `"}}` + "\n"
	r := NewReader(ReaderConfig{Source: strings.NewReader(long + long + `{"a":"` + strings.Repeat("x", 4<<20)), Room: a.Share(budget.Messages)})
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	var over *budget.Exceeded
	for {
		if _, err := r.Next(); errors.As(err, &over) {
			break
		} else if err != nil && !errors.As(err, new(*Refused)) {
			t.Fatalf("a message without end: %v", err)
		}
	}
	a.Close()
	expect.Equal(t, b.Used(), 0, "%d bytes are taken", b.Used())
}
