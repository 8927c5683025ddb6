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

// flushAt is how many buffered bytes are written without waiting for the upstream to pause.
const flushAt = 64 << 10

// maxSilence is how long a call may be held in a response that cannot show life meanwhile.
const maxSilence = time.Minute

// A transit is the state of one Passage while it goes through the gate.
//
// While nothing is held, frames are sent at once. The first frame that waits for a ruling, and every frame after it, goes into the
// queue. When rulings arrive, the queue is written from its head, up to the first frame that still waits. Invariant: buf followed
// by queue has the frames in the order in which they arrived, except for frames that may overtake. The transit ends when reading
// has ended (also because refused is set) and the queue is empty.
//
// Two goroutines work on it: the reader and, from the first held frame on, a watcher, which writes ruled frames while the reader
// waits for the upstream. mu guards what they share.
type transit struct {
	gate    *Gate
	ctx     context.Context
	p       Passage
	maxHold time.Duration
	// patience is how long the agent waits for progress; keep-alives do not count as progress. 0: without limit.
	patience time.Duration

	rulings inbox
	volume  call.Volume
	took    call.Took
	// countedTo is the time up to which waiting is counted in took.Held.
	countedTo time.Time

	mu        sync.Mutex
	queue     []heldFrame
	calls     []*heldCall            // every call that appeared, in order
	open      []*heldCall            // the incomplete calls
	judged    int                    // calls[:judged] were handed to the judge
	ruled     int                    // calls[:ruled] have their ruling
	opened    map[*dialect.Slot]bool // calls whose first frame, or its replacement, was written
	buf       []byte
	parsed    *budget.Share // the memory for parsing the latest frame, beside its bytes
	lastWrite time.Time
	// lastEvent is when the agent last got something that counts as progress. progress says that buf has such a thing.
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

// A heldCall is the state of one call in the gate.
type heldCall struct {
	slot    *dialect.Slot
	id      call.ID
	since   time.Time
	asked   time.Time // when the call was submitted to the judge; zero: not yet
	charged int       // bytes taken from the budget for it
	closed  bool      // it has its ruling; later rulings are ignored
	// early is the refusal of a call that does not wait for the judge; nil: the call waits. The agent gets it when it is recorded.
	early *call.Ruling
	// told is when early was given to the record ahead of the call's turn; zero: it was not.
	told time.Time
	// follows says that the arguments are recorded later, in an event of their own.
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
	if _, ok := p.Dialect.KeepAlive(); !ok && !p.Whole {
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
			// The upstream did not send a bad frame: it broke off inside this one.
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

// isBare says whether bytes outside of frames are JSON: some servers end a stream with a bare error. Such a stream must not pass as
// complete.
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

// settle applies the rulings that have arrived, submits the calls that waited for them, and writes the frames that no longer wait.
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

// write appends a frame to the buffer, and flushes a full buffer.
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

// flushBeforeRead sends the buffered bytes before the reader waits for the upstream.
func (t *transit) flushBeforeRead() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flush()
}

// refuse ends the reading of the response; earlier frames are still settled.
func (t *transit) refuse(why *dialect.Refused) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fail(why)
}

// fail is refuse for a caller that holds mu.
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

// readEnded ends a response after an error of its reader.
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
	case errors.As(err, &why): // the response has arrived, but cannot be decoded
	default:
		return t.finish(err)
	}
	t.refuse(why)
	return t.finish(nil)
}

// finish settles the held frames after the last one was read, writes the end of the response, and records how it ended. err is the
// error that ended the reading; nil: the gate ended it.
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

// lastFrames are the frames that weir adds at the end of the response.
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

// settleEnd completes or gives up the calls still open and waits until the queue is empty. The caller holds mu; it is unlocked
// during the wait.
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

// end returns the outcome for the record. A call of which nothing was written counts as refused: it did not reach the agent.
func (t *transit) end(clean bool) call.Outcome {
	t.exchange()
	m := t.p.Dialect.Meta()
	e := call.Outcome{Actor: t.p.Actor, Exchange: t.p.Exchange, Usage: m.Usage, Volume: t.volume, Took: t.took}
	e.Started, e.Status, e.Bodies = t.p.Started, t.p.Status, t.p.Bodies
	e.Took.Upstream = t.p.Waited + t.p.Source.Waited
	// Agents hang up after the frame that ends the response. Then weir does not see the upstream close the stream.
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
