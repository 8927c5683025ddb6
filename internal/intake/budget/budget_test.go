package budget

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// checkEmpty checks that nothing is held or taken.
func checkEmpty(t *testing.T, b *Budget) {
	t.Helper()
	for kind, n := range b.Held() {
		if n != 0 {
			t.Errorf("%d bytes are held for %s", n, kind)
		}
	}
	if b.Used() != 0 || len(b.holders) != 0 {
		t.Errorf("%d bytes are taken, of %d clients", b.Used(), len(b.holders))
	}
}

// exceeded returns what an error says of a bound.
func exceeded(t *testing.T, err error) Exceeded {
	t.Helper()
	var e *Exceeded
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v", err)
	}
	return *e
}

func TestClientsDoNotHarmEachOther(t *testing.T) {
	b := New(Config{Total: 100 * portion, Client: 40 * portion})
	first, second, other := b.Open("a"), b.Open("a"), b.Open("b")
	if err := first.Take(Requests, 30*portion); err != nil {
		t.Fatal(err)
	}
	if got := exceeded(t, second.Take(Responses, 11*portion)); got != (Exceeded{Scope: OfClient}) {
		t.Errorf("the second connection: %+v", got)
	}
	if got := exceeded(t, first.Take(Responses, 11*portion)); got != (Exceeded{Scope: OfClient, Alone: true}) {
		t.Errorf("the first alone: %+v", got)
	}
	if err := other.Take(Calls, 40*portion); err != nil {
		t.Errorf("another client: %v", err)
	}
	third := b.Open("c")
	if got := exceeded(t, third.Take(Calls, 31*portion)); got != (Exceeded{Scope: OfAll}) {
		t.Errorf("all together: %+v", got)
	}
	if got := b.Held()[Calls]; got != 40*portion {
		t.Errorf("%d bytes of calls are held", got)
	}
	if got := b.Refused(); got[OfClient] != 2 || got[OfAll] != 1 {
		t.Errorf("refused: %v", got)
	}
	for _, a := range []*Account{first, second, other, third} {
		a.Close()
		a.Close()
	}
	checkEmpty(t, b)
	if first.Take(Calls, 1) == nil {
		t.Error("a closed account takes")
	}
}

// Whatever connections do at the same time, no bound is passed and nothing is left.
func TestNothingIsLeft(t *testing.T) {
	b := New(Config{Total: 64 * portion, Client: 24 * portion})
	var under sync.WaitGroup
	for i := range 16 {
		under.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for range 50 {
				a := b.Open(string(rune('a' + i%5)))
				one, two := a.Share(Responses), a.Share(Calls)
				for range 20 {
					_ = one.Set(rng.IntN(6 * portion))
					_ = two.Add(rng.IntN(portion))
					if rng.IntN(3) == 0 {
						two.Free()
					}
					if b.Used() > 64*portion+16*portion { // a taker that fails has taken for a moment
						t.Error("the bound is passed")
					}
				}
				a.Close()
			}
		})
	}
	under.Wait()
	checkEmpty(t, b)
}

func TestReadAll(t *testing.T) {
	b := New(Config{Total: 8 * portion, Client: 8 * portion})
	a := b.Open("a")
	s := a.Share(Requests)
	text := strings.Repeat("x", 3*portion)
	got, err := ReadAll(strings.NewReader(text), len(text), Unknown, s)
	if string(got) != text || err != nil || s.Held() < len(text) {
		t.Errorf("%d bytes, %v; %d are taken", len(got), err, s.Held())
	}
	s.Free()
	// Who can do with a part reads the rest from where it ends.
	src := strings.NewReader(text)
	if got, err := ReadAll(src, len(text)-1, Unknown, s); !errors.Is(err, ErrTooLong) || len(got)+src.Len() != len(text) {
		t.Errorf("more than the limit: %v, with %d bytes and %d left", err, len(got), src.Len())
	}
	s.Free()
	large := bytes.NewReader(make([]byte, 9*portion))
	got, err = ReadAll(large, 100*portion, Unknown, s)
	if exceeded(t, err); len(got) == 0 || len(got)+large.Len() != 9*portion {
		t.Errorf("there is no room: %d bytes and %d left", len(got), large.Len())
	}
	broken := io.MultiReader(strings.NewReader("ab"), &broken{})
	if got, err := ReadAll(broken, 10, Unknown, nil); string(got) != "ab" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("broken off: %q, %v", got, err)
	}
	a.Close()
	checkEmpty(t, b)
}

type broken struct{}

func (*broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestByMachine(t *testing.T) {
	for memory, want := range map[int64]Config{
		64 << 30:  {Total: 1536 << 20, Client: 768 << 20},
		4 << 30:   {Total: 1 << 30, Client: 512 << 20},
		2 << 30:   {Total: 512 << 20, Client: 256 << 20},
		256 << 20: {Total: 128 << 20, Client: 64 << 20},
	} {
		if got := (Config{}).within(memory, 16<<20, true); got != want {
			t.Errorf("with %d MiB of memory: %+v", memory>>20, got)
		}
	}
	if got := (Config{Client: 900 << 20}).within(2<<30, 16<<20, true); got.Total < got.Client {
		t.Errorf("a large client: %+v", got)
	}
	if got := (Config{}).within(2<<30, 16<<20, false); got.Client != got.Total {
		t.Errorf("without keys: %+v", got)
	}
	if memory() <= 0 {
		t.Error("the machine has no memory")
	}
}

// A nil Budget has no bound.
func TestNil(t *testing.T) {
	var b *Budget
	a := b.Open("a")
	s := a.Share(Calls)
	if a.Take(Calls, 1<<40) != nil || s.Set(1<<40) != nil || a.Open() != nil || len(b.Held()) != int(kinds) || len(b.Refused()) != int(scopes) {
		t.Error("it has")
	}
	a.Give(Calls, 1<<40)
	s.Free()
	a.Close()
}

// A tab has an account only while something is on it.
func TestTab(t *testing.T) {
	b := New(Config{Total: 4 * portion, Client: 4 * portion})
	tab := Tab{Open: func() *Account { return b.Open("a") }}
	first, second := tab.Take(portion), tab.Take(portion)
	if first != nil || second != nil || b.Held()[Messages] != 2*portion {
		t.Errorf("held: %v", b.Held())
	}
	exceeded(t, tab.Take(3*portion))
	tab.Give(portion)
	tab.Give(portion)
	checkEmpty(t, b)
	exceeded(t, tab.Take(5*portion))
	checkEmpty(t, b)
	none := Tab{}
	none.Give(1)
	if none.Take(1<<40) != nil {
		t.Error("a tab without accounts has a bound")
	}
}

// A lenient budget counts, and refuses nothing.
func TestLenient(t *testing.T) {
	b := New(Config{Total: 4 * portion, Client: 2 * portion})
	a := b.Lenient().Open("a")
	if err := a.Take(Messages, 5*portion); err != nil || b.Held()[Messages] != 5*portion {
		t.Errorf("%v; held: %v", err, b.Held())
	}
	exceeded(t, b.Open("b").Take(Messages, portion)) // it stands in others' way, as all that is held does
	more := a.Open()
	if err := more.Take(Messages, portion); err != nil {
		t.Errorf("another account: %v", err)
	}
	more.Close()
	a.Close()
	if (*Budget)(nil).Lenient() != nil {
		t.Error("of no budget there is one")
	}
}

// What says how long it is takes no more than that at the end, and never more than twice what is there.
func TestReadAllOfKnownLength(t *testing.T) {
	const limit = 64 << 20
	for name, tt := range map[string]struct{ size, length, most int }{
		"as long as it says": {10_000_000, 10_000_000, 10_000_001},
		"empty":              {0, 0, firstRead},
		"small":              {100, 100, firstRead},
		"the whole limit":    {limit, limit, limit + 1},
		"it says too much":   {10_000, limit, 4 * firstRead},
		"it says too little": {10_000_000, 5_000_000, 16_000_000},
		"it says nonsense":   {10_000, 1 << 62, 4 * firstRead},
		"it does not say":    {40_000_000, Unknown, 60_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			s := New(Config{Total: 2 * limit, Client: 2 * limit}).Open("a").Share(Requests)
			there := &watched{r: io.LimitReader(zeros{}, int64(tt.size)), share: s}
			got, err := ReadAll(there, limit, int64(tt.length), s)
			if len(got) != tt.size || err != nil || s.Held() > tt.most || s.Held() != cap(got) {
				t.Errorf("%d bytes, %v; %d are taken, %d held", len(got), err, s.Held(), cap(got))
			}
			if there.early {
				t.Error("more than twice of what was there was taken")
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// watched looks how much is taken whenever it is read.
type watched struct {
	r     io.Reader
	share *Share
	n     int
	early bool
}

func (w *watched) Read(b []byte) (int, error) {
	w.early = w.early || w.share.Held() > max(2*w.n, firstRead)
	n, err := w.r.Read(b)
	w.n += n
	return n, err
}

// Ten requests with 30 MB of images at once fit on a machine with 8 GB, for one client, also if they are kept.
func TestImagesFit(t *testing.T) {
	const size = 30_000_000 + 1<<20
	if got := (Config{}).within(8<<30, 16<<20, true); got.Client < 2*10*size {
		t.Errorf("one client has %d MiB", got.Client>>20)
	}
}
