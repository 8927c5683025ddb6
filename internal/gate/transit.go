package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// flushAt is how many bytes gather before they are written without waiting for the upstream to pause.
const flushAt = 64 << 10

// maxSilence is how long a response may hold a call when its wire has no way to show life meanwhile.
const maxSilence = time.Minute

// A transit is one passage under way.
//
// Frames go straight out while nothing is held. The first frame that waits for a ruling, and every frame after it, goes
// into the queue; whenever rulings arrive, the queue is written from its head as far as it is ready. Invariant: what is
// in buf, then queue, is the order in which frames came, but for frames that may overtake. The end is reached when the
// reader has ended (or refused is set, and nothing is read any more) and the queue is empty.
//
// Two goroutines work on it: the one that reads, and, from the first held frame on, a watcher that writes what
// is ruled while the reader waits for the upstream. mu makes them take turns.
type transit struct {
	gate    *Gate
	ctx     context.Context
	p       Passage
	maxHold time.Duration
	// patience is how long the agent goes without progress, whatever shows life meanwhile; 0: as long as need be.
	patience time.Duration

	rulings inbox
	volume  call.Volume
	took    call.Took
	// countedTo is the end of the time that took.Held has in it.
	countedTo time.Time

	mu        sync.Mutex
	queue     []heldFrame
	calls     []*heldCall            // every call that appeared, in order
	open      []*heldCall            // those that are not complete
	judged    int                    // calls[:judged] were handed to the judge
	ruled     int                    // calls[:ruled] have their ruling
	opened    map[*dialect.Slot]bool // calls whose first frame was written, or what replaces it
	buf       []byte
	parsed    *budget.Share // what the frame that was read last takes beside its bytes
	lastWrite time.Time
	// lastEvent is when the agent last got something that it takes for progress, and progress says that there is more of it in buf.
	lastEvent time.Time
	progress  bool
	outErr    error            // the agent is gone
	broken    error            // the upstream broke off
	refused   *dialect.Refused // weir refused the rest
	watcher   *watcher
	ended     bool // the dialect was told that no more frames come
}

// A heldFrame is a frame that waits.
type heldFrame struct {
	frame   frame.Frame
	reading dialect.Reading
	size    int
}

// A heldCall is a call that is on its way through the gate.
type heldCall struct {
	slot    *dialect.Slot
	id      call.ID
	since   time.Time
	asked   time.Time // when the judge was given it; zero: it was not yet
	charged int       // bytes taken from the budget for it
	closed  bool      // it has its ruling: later ones do not count
	// early is the refusal of a call that did not wait for the judge's ruling; nil: it does. The agent hears of it when it is on record.
	early *call.Ruling
	// told is when the record was told of early, before it was the call's turn; zero: it was not.
	told time.Time
	// follows says that its arguments are to be recorded by themselves.
	follows bool
}

func newTransit(ctx context.Context, g *Gate, p Passage) *transit {
	t := &transit{
		gate: g, ctx: ctx, p: p, volume: call.Volume{Asked: p.Asked, Whole: p.Whole}, maxHold: g.cfg.MaxHold, opened: map[*dialect.Slot]bool{},
	}
	t.parsed = p.Account.Share(budget.Responses)
	t.lastWrite = time.Now()
	t.lastEvent, t.patience = t.lastWrite, p.Patience
	t.rulings.wake = make(chan struct{}, 1)
	g.cfg.Meter.StreamOpened()
	if _, ok := p.Dialect.KeepAlive(); !ok {
		t.maxHold = min(t.maxHold, maxSilence)
	}
	return t
}

// take handles one frame and says whether to go on reading.
func (t *transit) take(f frame.Frame) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refused != nil || t.outErr != nil {
		return false
	}
	if len(f.Data) == 0 {
		if !f.Plain && isBare(f.Raw) {
			t.fail(dialect.Malformed("the stream has JSON outside of its frames"))
			return false
		}
		t.write(f)
		return t.outErr == nil
	}
	t.volume.Frames++
	t.volume.Answered += int64(len(f.Data))
	cost := parseCost(f)
	if err := t.parsed.Set(cost); err != nil {
		t.fail(noRoom(err))
		return false
	}
	reading, err := t.p.Dialect.Scan(f)
	if err != nil {
		if f.Cut {
			// Not a lie of the upstream but its death: the frame is what was left of it.
			t.broken = fmt.Errorf("%w inside a frame", ErrBroken)
			return false
		}
		t.fail(err)
		return false
	}
	if reading.Pass && len(t.queue) == 0 || reading.Overtakes {
		t.progress = t.progress || !reading.Idle
		t.write(f)
		return t.outErr == nil
	}
	if err = t.register(reading.Opens); err == nil {
		err = t.tally()
	}
	if err != nil {
		t.fail(noRoom(err))
		return false
	}
	t.enqueue(f, reading, cost)
	t.submit()
	t.settle()
	return t.refused == nil && t.outErr == nil
}

// isBare says whether bytes that are no frame are JSON all the same: some servers end a stream with a bare error. Nobody may
// take such a stream for whole.
func isBare(raw []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	return len(text) > 0 && text[0] == '{'
}

// enqueue holds a frame until its calls are ruled.
func (t *transit) enqueue(f frame.Frame, reading dialect.Reading, cost int) {
	size := len(f.Raw) + len(f.Data) + len(reading.Instead) + cost + frameOverhead + len(reading.Texts)*textOverhead
	if err := t.p.Account.Take(budget.Calls, size); err != nil {
		t.fail(noRoom(err))
		return
	}
	h := heldFrame{frame: f, reading: reading, size: size}
	if len(t.queue) > 0 || !ready(reading) {
		h.frame, h.reading.Texts = f.Clone(), slices.Clone(reading.Texts)
		t.ensureWatcher()
	}
	t.queue = append(t.queue, h)
}

func ready(reading dialect.Reading) bool {
	for _, s := range reading.Waits {
		if s.Ruling == nil {
			return false
		}
	}
	return true
}

// settle applies the rulings that have arrived, has those calls judged that waited for them, and writes what is free.
func (t *transit) settle() {
	for judged := -1; judged < t.judged; {
		judged = t.judged
		t.applyRulings()
		t.submit()
	}
	t.applyRulings()
	for len(t.queue) > 0 && t.outErr == nil && ready(t.queue[0].reading) {
		h := t.queue[0]
		t.queue[0] = heldFrame{}
		t.queue = t.queue[1:]
		t.p.Account.Give(budget.Calls, h.size)
		frames, err := t.p.Dialect.Rewrite(h.frame, h.reading)
		if err != nil {
			t.dropQueue()
			t.fail(err)
			return
		}
		t.progress = t.progress || len(frames) > 0 && !h.reading.Idle
		for _, f := range frames {
			t.write(f)
		}
		for _, s := range h.reading.Opens {
			t.opened[s] = true
		}
	}
	if len(t.queue) == 0 {
		t.queue = nil
	}
}

// write puts a frame on its way.
func (t *transit) write(f frame.Frame) {
	t.buf = t.p.In.Append(t.buf, f)
	if len(t.buf) >= flushAt {
		t.flush()
	}
}

func (t *transit) flush() {
	if len(t.buf) == 0 || t.outErr != nil {
		return
	}
	_, err := t.p.Out.Write(t.buf)
	if err == nil {
		err = t.p.Out.Flush()
	}
	if t.buf = t.buf[:0]; cap(t.buf) > 2*flushAt {
		t.buf = nil
	}
	t.lastWrite = time.Now()
	if t.progress {
		t.lastEvent, t.progress = t.lastWrite, false
	}
	if err != nil {
		t.outErr = fmt.Errorf("write to the agent: %w", err)
	}
}

// flushBeforeRead sends what has gathered, before the reader waits for the upstream.
func (t *transit) flushBeforeRead() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush()
}

// refuse ends the reading of the response; what came before is still settled.
func (t *transit) refuse(why *dialect.Refused) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fail(why)
}

// fail does what refuse does. The caller holds mu.
func (t *transit) fail(err error) {
	if t.refused != nil {
		return
	}
	if !errors.As(err, &t.refused) {
		t.refused = &dialect.Refused{Code: call.CodeMalformed, Reason: "the response cannot be read"}
	}
}

func (t *transit) dropQueue() {
	for _, h := range t.queue {
		t.p.Account.Give(budget.Calls, h.size)
	}
	t.queue = nil
}

// readEnded ends a response of which no frame can be read any more.
func (t *transit) readEnded(err error) error {
	var why *dialect.Refused
	var over *budget.Exceeded
	switch {
	case errors.As(err, &over):
		why = noRoom(err)
	case errors.Is(err, frame.ErrOversize):
		why = &dialect.Refused{Code: call.CodeMalformed, Reason: "a frame is larger than weir's bound"}
	case errors.Is(err, frame.ErrCorrupt):
		why = &dialect.Refused{Code: call.CodeMalformed, Reason: "a frame can be read in more than one way, or its checksum is wrong"}
	case errors.As(err, &why): // the source is there, but cannot be decoded
	default:
		return t.finish(err)
	}
	t.refuse(why)
	return t.finish(nil)
}

// finish settles what is held after the last frame, says how the response ends, and records it. err is what ended the
// reading, nil if the gate did.
func (t *transit) finish(err error) error {
	t.stopWatcher()
	t.mu.Lock()
	clean := err != nil && errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !clean {
		t.broken = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if t.outErr == nil {
		t.settleEnd(clean)
	}
	if t.outErr != nil {
		t.abandon()
	}
	for _, f := range t.lastFrames() {
		t.write(f)
	}
	if t.outErr == nil && (t.refused != nil || t.broken == nil) {
		t.buf = t.p.In.AppendEnd(t.buf)
	}
	t.flush()
	end, result := t.end(clean), t.outErr
	if result == nil && t.refused == nil {
		result = t.broken
	}
	t.mu.Unlock()
	t.gate.cfg.Judge.Ended(end)
	return result
}

// lastFrames are what follows when everything else has been written.
func (t *transit) lastFrames() []frame.Frame {
	switch {
	case t.outErr != nil:
		return nil
	case t.refused != nil:
		return t.p.Dialect.Stop(dialect.ResponseNotice(*t.refused))
	case t.broken != nil:
		return nil
	}
	return t.p.Dialect.Tail()
}

// settleEnd completes or gives up the calls still open and waits until the queue is empty. It holds mu, and gives it
// away while it waits.
func (t *transit) settleEnd(clean bool) {
	if gone := t.giveUp(clean && t.refused == nil); len(gone) > 0 && t.broken == nil {
		t.broken = fmt.Errorf("%w inside a call", ErrBroken)
	}
	t.submit()
	t.settle()
	if len(t.queue) == 0 {
		return
	}
	t.flush()
	t.mu.Unlock()
	t.rulings.nudge()
	newWatcher(t).run(true)
	t.mu.Lock()
}

// end is for the record. A call of which nothing was written did not reach the agent, whatever its ruling.
func (t *transit) end(clean bool) call.Outcome {
	t.exchange()
	m := t.p.Dialect.Meta()
	e := call.Outcome{Actor: t.p.Actor, Exchange: t.p.Exchange, Usage: m.Usage, Volume: t.volume, Took: t.took}
	e.Started, e.Status, e.Bodies = t.p.Started, t.p.Status, t.p.Bodies
	e.Took.Upstream = t.p.Waited + t.p.Source.Waited
	// Agents hang up when the wire has said that it is over: then the upstream's own end is not seen.
	e.Clean = clean && t.broken == nil || m.Ended && t.refused == nil
	for _, c := range t.calls {
		if c.slot.Ruling != nil && c.slot.Ruling.Released && t.opened[c.slot] {
			e.Released++
		} else {
			e.Refused++
		}
	}
	if t.refused != nil {
		e.Code, e.Reason = t.refused.Code, t.refused.Reason
	}
	return e
}

func (t *transit) close() {
	t.gate.cfg.Meter.StreamClosed()
	t.stopWatcher()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dropQueue()
	for _, p := range t.calls {
		t.p.Account.Give(budget.Calls, p.charged)
	}
	t.parsed.Free()
}
