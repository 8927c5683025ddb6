package proxy

import (
	"context"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A Memory remembers the rulings of calls that providers keep. Calls that were refused stay in what the provider keeps,
// and it wants their outputs.
type Memory interface {
	// Refused returns the refused calls of a response.
	Refused(ctx context.Context, upstream, response string) ([]call.Kept, error)
	// RefusedIn returns the refused calls of a conversation that are not answered yet.
	RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Kept, error)
	// Noticed returns the call in whose place the notice with this id stands.
	Noticed(ctx context.Context, upstream, notice string) (call.Kept, bool, error)
	// SetAnswered notes whether calls of a conversation have their outputs.
	SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error
}

// recallTime is how long remembering may take.
const recallTime = 10 * time.Second

// forgetful is the failure to remember: without it the provider would not take the request, or take it for another.
var forgetful = failure{
	status: http.StatusServiceUnavailable, retry: true,
	message: "weir cannot read what it remembers of this conversation (" + call.CodeStoreUnavailable + ")",
}

// mend adds to a request what the provider lacks because of weir, and removes what only weir knows.
func (x *exchange) mend(ctx context.Context, body []byte) ([]byte, *failure) {
	if x.asked == nil || x.asked.Chain == nil || x.door.cfg.Memory == nil {
		return body, nil
	}
	var err error
	if x.links, err = x.asked.Chain.Read(body); err != nil {
		return nil, refusal(http.StatusBadRequest, err.Error())
	}
	ctx, cancel := context.WithTimeout(ctx, recallTime)
	defer cancel()
	known, err := x.recall(ctx)
	if err != nil {
		x.trouble = err.Error()
		f := forgetful
		return nil, &f
	}
	return x.asked.Chain.Mend(body, x.links, known), nil
}

// recall remembers what a request goes on from.
func (x *exchange) recall(ctx context.Context) (known dialect.Known, err error) {
	memory, upstream := x.door.cfg.Memory, x.upstream.name
	if x.links.Response != "" {
		if known.Refused, err = memory.Refused(ctx, upstream, x.links.Response); err != nil {
			return known, err
		}
	}
	if x.links.Conversation != "" {
		pending, err := memory.RefusedIn(ctx, upstream, x.links.Conversation)
		if err != nil {
			return known, err
		}
		known.Refused = append(known.Refused, pending...)
		for _, k := range pending {
			x.answered = append(x.answered, k.WireID)
		}
	}
	known.Notices = map[string]call.Kept{}
	for _, id := range x.links.Notices {
		kept, ok, err := memory.Noticed(ctx, upstream, id)
		if err != nil {
			return known, err
		}
		if ok {
			known.Notices[id] = kept
		}
	}
	return known, nil
}

// noteAnswered notes that the provider has taken the outputs of a conversation's refused calls. It must be known before
// the client can send its next request.
func (x *exchange) noteAnswered() *failure {
	if err := x.setAnswered(true); err != nil {
		x.trouble = err.Error()
		f := forgetful
		return &f
	}
	return nil
}

// takeBack notes that a response has failed: then the provider has put nothing into the conversation.
func (x *exchange) takeBack() {
	if err := x.setAnswered(false); err != nil {
		x.door.cfg.Log.Error("note that outputs were not taken", "request", x.id, "err", err)
	}
}

func (x *exchange) setAnswered(answered bool) error {
	if len(x.answered) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.R.Context()), recallTime)
	defer cancel()
	return x.door.cfg.Memory.SetAnswered(ctx, x.upstream.name, x.links.Conversation, x.answered, answered)
}
