// Package outbox delivers recorded events to receivers over HTTP: a bounded queue, batches, and delivery with retries. Its user makes
// the requests.
package outbox

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// A Meter counts events. Its methods must not block.
type Meter interface {
	Queued(n int)  // so many events wait now
	Sent(n int)    // so many were delivered
	Dropped(n int) // so many were given up: there was no room, or they could not be delivered
	Failed()       // one attempt at a delivery failed
}

// Config sets up an Outbox. Encode, Transport and Retry are required.
type Config struct {
	// Name is the name of the destination in errors. It must not be a secret; an address may be one.
	Name string
	// Encode encodes a batch and returns a function that makes the request of one attempt to deliver it. If either fails, the batch is
	// dropped.
	Encode func(events []record.Event) (request func(context.Context) (*http.Request, error), err error)
	// Transport sends the requests. It must respect their contexts.
	Transport http.RoundTripper
	// Retry says whether another attempt may follow a response with this status.
	Retry func(status int) bool
	// Accept parses the response to a successful delivery and returns how many of its events were rejected; nil: none ever is.
	Accept func(response []byte) (refused int, why string)

	Events int           // that may wait; 0: 10,000
	Bytes  int           // that may wait; 0: 32 MiB
	Batch  int           // events delivered at once; 0: 100
	Most   int           // bytes of events delivered at once, unless one event alone has more; 0: 1 MiB
	Every  time.Duration // how long an event waits for others at most; 0: a second

	Timeout  time.Duration // of one attempt; 0: 10 seconds
	First    time.Duration // about how long the first pause between attempts is; each next one is twice as long; 0: a second
	Longest  time.Duration // the longest pause, unless the receiver asks for more; 0: a minute
	GiveUpAt time.Duration // after which there is no further attempt; 0: an hour

	Meter   Meter       // nil: not counted
	OnError func(error) // called when deliveries begin to fail, and when the reason changes; nil: not called
}

func (c *Config) setDefaults() {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	setTime := func(field *time.Duration, value time.Duration) {
		if *field == 0 {
			*field = value
		}
	}
	set(&c.Events, 10_000)
	set(&c.Bytes, 32<<20)
	set(&c.Batch, 100)
	set(&c.Most, 1<<20)
	setTime(&c.Every, time.Second)
	setTime(&c.Timeout, 10*time.Second)
	setTime(&c.First, time.Second)
	setTime(&c.Longest, time.Minute)
	setTime(&c.GiveUpAt, time.Hour)
	if c.Meter == nil {
		c.Meter = uncounted{}
	}
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	if c.Accept == nil {
		c.Accept = func([]byte) (int, string) { return 0, "" }
	}
}

// An Outbox delivers events in the order in which they were put, a batch at a time. One goroutine delivers: while it
// retries a batch, others wait behind it, and when there is no more room the oldest are dropped.
type Outbox struct {
	cfg     Config
	client  *http.Client
	queue   *queue
	ctx     context.Context // of all deliveries; ends when Close gives up
	cancel  context.CancelFunc
	closing chan struct{} // closed: each batch gets one more attempt, without a pause
	ended   chan struct{} // closed when nothing is delivered any more
	once    sync.Once

	trouble string // the last error for OnError; "": deliveries succeed. Only the deliverer uses it
}

// New starts an Outbox. Close ends it.
func New(cfg Config) *Outbox {
	cfg.setDefaults()
	o := &Outbox{
		cfg:     cfg,
		client:  newClient(cfg.Transport),
		queue:   newQueue(cfg),
		closing: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	o.ctx, o.cancel = context.WithCancel(context.Background())
	go o.deliver()
	return o
}

// Put queues an event. It does not block; after Close the event is dropped.
func (o *Outbox) Put(e record.Event) { o.queue.put(e) }

// Close accepts no further events, delivers the waiting events with one attempt for each batch, and returns when that is done. When
// ctx ends first, the rest is dropped.
func (o *Outbox) Close(ctx context.Context) error {
	o.once.Do(func() {
		o.queue.close()
		close(o.closing)
	})
	defer o.cancel()
	select {
	case <-o.ended:
		return nil
	case <-ctx.Done():
		o.cancel()
		<-o.ended
		return fmt.Errorf("close %s: %w", o.cfg.Name, ctx.Err())
	}
}

// deliver is the deliverer's goroutine. It ends when the queue is closed and empty, or when Close gives up.
func (o *Outbox) deliver() {
	defer close(o.ended)
	for {
		batch := o.queue.next(o.ctx)
		if batch == nil {
			o.cfg.Meter.Dropped(o.queue.abandon())
			return
		}
		refused, err := o.send(batch)
		o.cfg.Meter.Sent(len(batch) - refused)
		if refused > 0 {
			o.cfg.Meter.Dropped(refused)
		}
		o.tell(err)
	}
}

// send delivers one batch and returns how many of its events were not accepted.
func (o *Outbox) send(batch []record.Event) (refused int, err error) {
	request, err := o.cfg.Encode(batch)
	if err != nil {
		return len(batch), fmt.Errorf("encode events: %w", err)
	}
	response, err := o.attempts(request)
	if err != nil {
		return len(batch), err
	}
	refused, why := o.cfg.Accept(response)
	if refused > 0 {
		return min(refused, len(batch)), fmt.Errorf("part of a batch was refused: %s", why)
	}
	return 0, nil
}

// tell reports the error of a delivery, if it differs from the error before.
func (o *Outbox) tell(err error) {
	if err == nil {
		o.trouble = ""
		return
	}
	if text := err.Error(); text != o.trouble {
		o.trouble = text
		o.cfg.OnError(fmt.Errorf("deliver events to %s: %w", o.cfg.Name, err))
	}
}

// uncounted is a meter that counts nothing.
type uncounted struct{}

func (uncounted) Queued(int)  {}
func (uncounted) Sent(int)    {}
func (uncounted) Dropped(int) {}
func (uncounted) Failed()     {}
