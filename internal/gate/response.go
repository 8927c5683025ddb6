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

// A response is one passage under way.
//
// Frames go straight out while nothing is held. The first frame that waits for a ruling, and every frame after it, goes
// into the queue; whenever rulings arrive, the queue is written from its head as far as it is ready. Invariant: what is
// in buf, then queue, is the order in which frames came, but for frames that may overtake. The end is reached when the
// reader has ended (or refused is set, and nothing is read any more) and the queue is empty.
//
// Two goroutines work on a response: the one that reads, and, from the first held frame on, a keeper that writes what
// is ruled while the reader waits for the upstream. mu makes them take turns.
type response struct {
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
	queue     []held
	calls     []*passing             // every call that appeared, in order
	open      []*passing             // those that are not complete
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
	keeper    *keeper
	ended     bool // the dialect was told that no more frames come
}

// held is a frame that waits.
type held struct {
	frame   frame.Frame
	reading dialect.Reading
	size    int
}

// passing is a call on its way.
type passing struct {
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

func newResponse(ctx context.Context, g *Gate, p Passage) *response {
	r := &response{
		gate: g, ctx: ctx, p: p, volume: call.Volume{Asked: p.Asked, Whole: p.Whole}, maxHold: g.cfg.MaxHold, opened: map[*dialect.Slot]bool{},
	}
	r.parsed = p.Account.Share(budget.Responses)
	r.lastWrite = time.Now()
	r.lastEvent, r.patience = r.lastWrite, p.Patience
	r.rulings.wake = make(chan struct{}, 1)
	g.cfg.Meter.StreamOpened()
	if _, ok := p.Dialect.KeepAlive(); !ok {
		r.maxHold = min(r.maxHold, maxSilence)
	}
	return r
}

// take handles one frame and says whether to go on reading.
func (r *response) take(f frame.Frame) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refused != nil || r.outErr != nil {
		return false
	}
	if len(f.Data) == 0 {
		if !f.Plain && isBare(f.Raw) {
			r.fail(dialect.Malformed("the stream has JSON outside of its frames"))
			return false
		}
		r.write(f)
		return r.outErr == nil
	}
	r.volume.Frames++
	r.volume.Answered += int64(len(f.Data))
	cost := parseCost(f)
	if err := r.parsed.Set(cost); err != nil {
		r.fail(noRoom(err))
		return false
	}
	reading, err := r.p.Dialect.Scan(f)
	if err != nil {
		if f.Cut {
			// Not a lie of the upstream but its death: the frame is what was left of it.
			r.broken = fmt.Errorf("%w inside a frame", ErrBroken)
			return false
		}
		r.fail(err)
		return false
	}
	if reading.Pass && len(r.queue) == 0 || reading.Overtakes {
		r.progress = r.progress || !reading.Idle
		r.write(f)
		return r.outErr == nil
	}
	if err = r.register(reading.Opens); err == nil {
		err = r.tally()
	}
	if err != nil {
		r.fail(noRoom(err))
		return false
	}
	r.enqueue(f, reading, cost)
	r.submit()
	r.settle()
	return r.refused == nil && r.outErr == nil
}

// isBare says whether bytes that are no frame are JSON all the same: some servers end a stream with a bare error. Nobody may
// take such a stream for whole.
func isBare(raw []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	return len(text) > 0 && text[0] == '{'
}

// enqueue keeps a frame until its calls are ruled.
func (r *response) enqueue(f frame.Frame, reading dialect.Reading, cost int) {
	size := len(f.Raw) + len(f.Data) + len(reading.Instead) + cost + frameOverhead + len(reading.Texts)*textOverhead
	if err := r.p.Account.Take(budget.Calls, size); err != nil {
		r.fail(noRoom(err))
		return
	}
	h := held{frame: f, reading: reading, size: size}
	if len(r.queue) > 0 || !ready(reading) {
		h.frame, h.reading.Texts = f.Clone(), slices.Clone(reading.Texts)
		r.ensureKeeper()
	}
	r.queue = append(r.queue, h)
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
func (r *response) settle() {
	for judged := -1; judged < r.judged; {
		judged = r.judged
		r.applyRulings()
		r.submit()
	}
	r.applyRulings()
	for len(r.queue) > 0 && r.outErr == nil && ready(r.queue[0].reading) {
		h := r.queue[0]
		r.queue[0] = held{}
		r.queue = r.queue[1:]
		r.p.Account.Give(budget.Calls, h.size)
		frames, err := r.p.Dialect.Rewrite(h.frame, h.reading)
		if err != nil {
			r.dropQueue()
			r.fail(err)
			return
		}
		r.progress = r.progress || len(frames) > 0 && !h.reading.Idle
		for _, f := range frames {
			r.write(f)
		}
		for _, s := range h.reading.Opens {
			r.opened[s] = true
		}
	}
	if len(r.queue) == 0 {
		r.queue = nil
	}
}

// write puts a frame on its way.
func (r *response) write(f frame.Frame) {
	r.buf = r.p.In.Append(r.buf, f)
	if len(r.buf) >= flushAt {
		r.flush()
	}
}

func (r *response) flush() {
	if len(r.buf) == 0 || r.outErr != nil {
		return
	}
	_, err := r.p.Out.Write(r.buf)
	if err == nil {
		err = r.p.Out.Flush()
	}
	if r.buf = r.buf[:0]; cap(r.buf) > 2*flushAt {
		r.buf = nil
	}
	r.lastWrite = time.Now()
	if r.progress {
		r.lastEvent, r.progress = r.lastWrite, false
	}
	if err != nil {
		r.outErr = fmt.Errorf("write to the agent: %w", err)
	}
}

// flushBeforeRead sends what has gathered, before the reader waits for the upstream.
func (r *response) flushBeforeRead() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
}

// refuse ends the reading of the response; what came before is still settled.
func (r *response) refuse(why *dialect.Refused) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail(why)
}

// fail is refuse for who holds mu.
func (r *response) fail(err error) {
	if r.refused != nil {
		return
	}
	if !errors.As(err, &r.refused) {
		r.refused = &dialect.Refused{Code: call.CodeMalformed, Reason: "the response cannot be read"}
	}
}

func (r *response) dropQueue() {
	for _, h := range r.queue {
		r.p.Account.Give(budget.Calls, h.size)
	}
	r.queue = nil
}

// readEnded ends a response of which no frame can be read any more.
func (r *response) readEnded(err error) error {
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
		return r.finish(err)
	}
	r.refuse(why)
	return r.finish(nil)
}

// finish settles what is held after the last frame, says how the response ends, and records it. err is what ended the
// reading, nil if the gate did.
func (r *response) finish(err error) error {
	r.stopKeeper()
	r.mu.Lock()
	clean := err != nil && errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !clean {
		r.broken = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if r.outErr == nil {
		r.settleEnd(clean)
	}
	if r.outErr != nil {
		r.abandon()
	}
	for _, f := range r.lastFrames() {
		r.write(f)
	}
	if r.outErr == nil && (r.refused != nil || r.broken == nil) {
		r.buf = r.p.In.AppendEnd(r.buf)
	}
	r.flush()
	end, result := r.end(clean), r.outErr
	if result == nil && r.refused == nil {
		result = r.broken
	}
	r.mu.Unlock()
	r.gate.cfg.Judge.Ended(end)
	return result
}

// lastFrames are what follows when everything else has been written.
func (r *response) lastFrames() []frame.Frame {
	switch {
	case r.outErr != nil:
		return nil
	case r.refused != nil:
		return r.p.Dialect.Stop(dialect.ResponseNotice(*r.refused))
	case r.broken != nil:
		return nil
	}
	return r.p.Dialect.Tail()
}

// settleEnd completes or gives up the calls still open and waits until the queue is empty. It holds mu, and gives it
// away while it waits.
func (r *response) settleEnd(clean bool) {
	if gone := r.giveUp(clean && r.refused == nil); len(gone) > 0 && r.broken == nil {
		r.broken = fmt.Errorf("%w inside a call", ErrBroken)
	}
	r.submit()
	r.settle()
	if len(r.queue) == 0 {
		return
	}
	r.flush()
	r.mu.Unlock()
	r.rulings.nudge()
	newKeeper(r).run(true)
	r.mu.Lock()
}

// end is for the record. A call of which nothing was written did not reach the agent, whatever its ruling.
func (r *response) end(clean bool) call.Outcome {
	r.exchange()
	m := r.p.Dialect.Meta()
	e := call.Outcome{Actor: r.p.Actor, Exchange: r.p.Exchange, Usage: m.Usage, Volume: r.volume, Took: r.took}
	e.Started, e.Status, e.Bodies = r.p.Started, r.p.Status, r.p.Bodies
	e.Took.Upstream = r.p.Waited + r.p.Source.Waited
	// Agents hang up when the wire has said that it is over: then the upstream's own end is not seen.
	e.Clean = clean && r.broken == nil || m.Ended && r.refused == nil
	for _, c := range r.calls {
		if c.slot.Ruling != nil && c.slot.Ruling.Released && r.opened[c.slot] {
			e.Released++
		} else {
			e.Refused++
		}
	}
	if r.refused != nil {
		e.Code, e.Reason = r.refused.Code, r.refused.Reason
	}
	return e
}

func (r *response) close() {
	r.gate.cfg.Meter.StreamClosed()
	r.stopKeeper()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropQueue()
	for _, p := range r.calls {
		r.p.Account.Give(budget.Calls, p.charged)
	}
	r.parsed.Free()
}
