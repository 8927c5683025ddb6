package bodies

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/text/redact"
)

// A store stores bodies.
type store interface {
	// PutBodies stores bodies, all or none, and returns when they are durable.
	PutBodies(ctx context.Context, all []Body) error
}

// A meter counts bodies.
type meter interface {
	BodyKept()
	BodyDropped(why call.NotStored)
}

// Config sets up an Archive.
type Config struct {
	Store store
	// Hidden returns what the policy in force hides, beside the secrets that are always hidden; nil: nothing.
	Hidden  func() []*redact.Set
	MaxBody int              // how much of a body is stored, in bytes; 0: 1 MiB
	Room    int64            // bytes of bodies that may be in memory; 0: 64 MiB
	Meter   meter            // nil: bodies are not counted
	OnError func(error)      // called for bodies that are not stored, at most once a minute; nil: not called
	Now     func() time.Time // nil: time.Now
}

// An Exchange has the bodies of one request and its response.
type Exchange struct {
	RequestID         string
	Time              time.Time // when the request came
	Request, Response *Capture  // nil, or empty: there is no body
	// Done is called once, from any goroutine, when the bodies are stored or dropped. It must not block.
	Done func(call.Bodies)
}

// An Archive redacts and stores bodies.
//
// An exchange never waits for it: bodies wait in a queue, and one goroutine redacts, compresses and stores them. All bodies in
// memory, from their first captured byte on, share one room. A body that does not fit is dropped and counted.
type Archive struct {
	cfg     Config
	secrets *redact.Set
	encoder *zstd.Encoder
	room    room
	grumble grumbler

	ctx    context.Context // of the store's work; ends when Close gives up
	cancel context.CancelFunc
	wake   chan struct{} // holds a token while the queue may be non-empty or the archive closed
	ended  chan struct{} // closed when the writer has ended

	mu     sync.Mutex
	queue  []Exchange
	closed bool
}

// New starts an Archive. Close ends it.
func New(cfg Config) (*Archive, error) {
	if cfg.Hidden == nil {
		cfg.Hidden = func() []*redact.Set { return nil }
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = 1 << 20
	}
	if cfg.Room == 0 {
		cfg.Room = 64 << 20
	}
	if cfg.Meter == nil {
		cfg.Meter = noMeter{}
	}
	if cfg.OnError == nil {
		cfg.OnError = func(error) {}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	set, err := redact.New(redact.Config{Presets: secrets})
	if err != nil {
		return nil, fmt.Errorf("set up bodies: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("set up bodies: %w", err)
	}
	a := &Archive{
		cfg: cfg, secrets: set, encoder: encoder, room: room{size: cfg.Room}, grumble: grumbler{cfg: cfg},
		wake: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	go a.write()
	return a, nil
}

// noMeter counts nothing.
type noMeter struct{}

func (noMeter) BodyKept()                  {}
func (noMeter) BodyDropped(call.NotStored) {}

// Capture begins to record a body. The body is charged to account, which is closed when the body is stored; nil: to none. Put must
// follow.
func (a *Archive) Capture(account *budget.Account) *Capture {
	return &Capture{room: &a.room, account: account, limit: a.cfg.MaxBody + margin}
}

// Put queues the captured bodies. It does not wait.
func (a *Archive) Put(x Exchange) {
	if why := a.enqueue(x); why != "" {
		a.giveUp(x, why)
	}
}

// maxQueue is how many exchanges may wait, however small their bodies are.
const maxQueue = 8192

// enqueue adds an exchange to the queue, or returns why it cannot; "": it did.
func (a *Archive) enqueue(x Exchange) call.NotStored {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return call.Shutdown
	case len(a.queue) >= maxQueue:
		return call.Overload
	}
	a.queue = append(a.queue, x)
	a.signal()
	return ""
}

func (a *Archive) signal() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Close accepts no more bodies and returns when all waiting bodies are stored. When ctx ends first, the rest is dropped: Done is
// called for every exchange before Close returns.
func (a *Archive) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	a.signal()
	a.mu.Unlock()
	defer a.cancel()
	select {
	case <-a.ended:
		return nil
	case <-ctx.Done():
		a.cancel()
		<-a.ended
		return fmt.Errorf("store the last bodies: %w", ctx.Err())
	}
}

// write is the writer's goroutine. It ends when the archive is closed and the queue is empty.
func (a *Archive) write() {
	defer close(a.ended)
	for range a.wake {
		for {
			batch, closed := a.take()
			if len(batch) > 0 {
				a.store(batch)
				continue
			}
			if closed {
				return
			}
			break
		}
	}
}

// The bounds of one transaction: so small that events, which may share the database's one writer, wait only for a moment.
const (
	batchExchanges = 16
	batchBytes     = 2 << 20 // as captured
)

// take removes exchanges from the queue, up to the bounds of a batch.
func (a *Archive) take() (batch []Exchange, closed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := 0
	for size := 0; n < len(a.queue) && n < batchExchanges; n++ {
		size += a.queue[n].captured()
		if n > 0 && size > batchBytes {
			break
		}
	}
	batch = a.queue[:n:n]
	a.queue = a.queue[n:]
	if len(a.queue) == 0 {
		a.queue = nil // the batch owns the array now
	}
	return batch, a.closed
}

// captured is how many bytes of an exchange are in memory.
func (x Exchange) captured() (n int) {
	for _, c := range []*Capture{x.Request, x.Response} {
		if c != nil {
			n += len(c.data)
		}
	}
	return n
}

// store makes a batch durable.
func (a *Archive) store(batch []Exchange) {
	hide := hider{sets: append([]*redact.Set{a.secrets}, a.cfg.Hidden()...)}
	refs := make([]call.Bodies, len(batch))
	var all []Body
	for i, x := range batch {
		if a.ctx.Err() != nil {
			break
		}
		add := func(side string, c *Capture) call.Body {
			ref, content := a.prepare(hide, c)
			if content != nil {
				all = append(all, Body{RequestID: x.RequestID, Side: side, Time: x.Time, Body: ref, Content: content})
			}
			return ref
		}
		refs[i].Request, refs[i].Response = add("request", x.Request), add("response", x.Response)
	}
	var err error
	if len(all) > 0 && a.ctx.Err() == nil {
		err = a.cfg.Store.PutBodies(a.ctx, all)
	}
	for i, x := range batch {
		switch {
		case a.ctx.Err() != nil:
			a.giveUp(x, call.Shutdown)
		case err != nil:
			a.grumble.tell(err)
			a.giveUp(x, call.Unstored)
		default:
			a.finish(x, refs[i])
		}
	}
}

// prepare makes the stored content from a captured body; nil: nothing is stored.
func (a *Archive) prepare(hide hider, c *Capture) (ref call.Body, content []byte) {
	// Text of strangers must not be able to crash weir.
	defer func() {
		if p := recover(); p != nil {
			a.cfg.OnError(fmt.Errorf("panic while redacting a body: %T\n%s", p, debug.Stack()))
			ref, content = call.Body{NotStored: call.Unreadable}, nil
		}
	}()
	switch {
	case c == nil || c.size == 0:
		return call.Body{}, nil
	case c.over:
		return call.Body{NotStored: call.Overload}, nil
	}
	text, cut, err := c.text(a.cfg.MaxBody)
	if err != nil {
		return call.Body{NotStored: call.Unreadable}, nil
	}
	plain, cut := shorten(hide.hide(text), a.cfg.MaxBody, cut)
	ref = call.Body{Digest: digestOf(plain), Size: int64(len(plain))}
	if cut {
		ref.FullSize = max(c.size, int64(len(text)))
	}
	return ref, a.encoder.EncodeAll(plain, nil)
}

// giveUp drops all bodies of an exchange.
func (a *Archive) giveUp(x Exchange, why call.NotStored) {
	refused := func(c *Capture) call.Body {
		if c == nil || c.size == 0 {
			return call.Body{}
		}
		return call.Body{NotStored: why}
	}
	a.finish(x, call.Bodies{Request: refused(x.Request), Response: refused(x.Response)})
}

// finish counts the stored and dropped bodies of an exchange, gives back their room and calls Done.
func (a *Archive) finish(x Exchange, refs call.Bodies) {
	for _, ref := range []call.Body{refs.Request, refs.Response} {
		switch {
		case ref.NotStored != "":
			a.cfg.Meter.BodyDropped(ref.NotStored)
			a.grumble.dropped(ref.NotStored)
		case ref.Digest != "":
			a.cfg.Meter.BodyKept()
		}
	}
	for _, c := range []*Capture{x.Request, x.Response} {
		if c != nil {
			c.drop()
			c.account.Close()
		}
	}
	if x.Done != nil {
		x.Done(refs)
	}
}
