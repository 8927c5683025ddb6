package gateway

import (
	"errors"
	"io"
	"sync"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// An eventStream passes on the events of one stream of a server.
type eventStream struct {
	*relay
	asked    *jsonrpc.Message // the request that the stream is for; nil: none
	answered bool             // its response has arrived

	order sync.Mutex // held until an event is in the queue, so that ids are sent in the order of the sequence
	seq   sequence
	told  bool // the client got an id, and so can ask for the rest of the stream
}

// events passes on a stream of the server. asked is the request that it is for; nil: none.
func (rl *relay) events(w *watch, body io.Reader, asked *jsonrpc.Message) {
	st := &eventStream{relay: rl, asked: asked}
	reader := newEventReader(w.read(body), rl.gw.cfg.Bounds.Message, rl.Account.Share(budget.Messages))
	for {
		rl.out.WaitRoom(w.ctx)
		ev, data, err := reader.next()
		if err != nil {
			st.ended(w, err)
			return
		}
		st.event(ev, data)
	}
}

// event passes on one event.
func (st *eventStream) event(ev event, data []byte) {
	if !st.numbered {
		ev.id, ev.retry = "", "" // they belong to one stream, and the client gets several in one
	}
	if data == nil {
		ev.bare = true
		st.put(st.enter(ev.id), piece{event: ev})
		return
	}
	messages, _, err := jsonrpc.ParseBody(data)
	if err != nil {
		st.unreadable(ev, err)
		return
	}
	st.answered = st.answered || st.asked != nil && has(messages, st.asked.ID)
	for i, m := range messages {
		one := event{name: ev.name}
		if i == len(messages)-1 {
			one = ev
		}
		at := st.enter(one.id)
		st.pass(m, func(out *jsonrpc.Message) {
			st.put(at, piece{event: one, message: st.learn(st.asked, out)})
		})
	}
}

// enter notes that an event arrived.
func (st *eventStream) enter(id string) *position {
	st.order.Lock()
	defer st.order.Unlock()
	return st.seq.add(id)
}

// put sends an event, if it has a message or never had one. If its message was dropped, the id alone is not sent: some clients
// would expect a message.
func (st *eventStream) put(at *position, it piece) {
	st.order.Lock()
	defer st.order.Unlock()
	it.event.id = st.seq.settle(at)
	if it.message != nil || it.event.bare && it.event != (event{bare: true}) {
		st.out.Put(it)
		st.told = st.told || it.event.id != ""
	}
}

// resumes says whether the client can ask for the rest of the stream.
func (st *eventStream) resumes() bool {
	st.order.Lock()
	defer st.order.Unlock()
	return st.told && st.version != streamable.VersionStateless
}

// unreadable handles an event whose data cannot be parsed as messages. If the event has another name than that of messages, it is
// dropped silently.
func (st *eventStream) unreadable(ev event, err error) {
	at := st.enter(ev.id)
	var refused *jsonrpc.Refused
	if ev.name != "" && ev.name != "message" || !errors.As(err, &refused) {
		st.put(at, piece{})
		return
	}
	toClient, toServer := st.governed.RefusedFromServer(refused)
	if toServer != nil {
		st.respondToServer(toServer)
	}
	if toClient != nil && st.asked != nil && toClient.ID == st.asked.ID {
		st.answered = true
	}
	st.put(at, piece{event: event{name: ev.name}, message: toClient})
}

// ended handles the end of the stream. A client that waits for a response gets a failure if the response cannot come any more.
func (st *eventStream) ended(w *watch, err error) {
	oversize := errors.Is(err, frame.ErrOversize)
	if st.asked == nil {
		if oversize {
			st.governed.RefusedFromServer(&jsonrpc.Refused{Code: jsonrpc.CodeInternal, Reason: "it is too large"})
		}
		return
	}
	silent := errors.Is(w.explain(err), errSilent)
	switch {
	case st.answered:
	case isNoRoom(err):
		st.failed(st.asked, st.unheld(err))
	case oversize:
		st.failed(st.asked, st.unfit("the server's response is too large"))
	case silent:
		st.failed(st.asked, st.trouble(errSilent))
	case !st.resumes():
		st.failed(st.asked, st.trouble(errors.New("the server's stream ended before its response")))
	}
}
