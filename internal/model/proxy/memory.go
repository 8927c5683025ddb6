package proxy

import (
	"context"
	"net/http"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// A Memory remembers the rulings of calls that providers store. Refused calls stay in what the provider stores, and it expects
// outputs for them.
type Memory interface {
	// Refused returns the refused calls of a response.
	Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error)
	// RefusedIn returns the refused calls of a conversation whose outputs it does not have yet.
	RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error)
	// Noticed returns the call that the notice with this id replaces.
	Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error)
	// SetAnswered notes whether the conversation has the outputs of these calls.
	SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error
}

// recallTime is the time limit of one use of the memory.
const recallTime = 10 * time.Second

// forgetful is the failure if the memory cannot be read: without it, the provider would reject the request or misunderstand it.
var forgetful = failure{
	status: http.StatusServiceUnavailable, retry: true,
	message: "weir cannot read what it remembers of this conversation (" + call.CodeStoreUnavailable + ")",
}

// mend adds the outputs of refused calls, which the provider expects, to a request, and removes weir's notices, which the provider
// does not know.
func (q *asking) mend(ctx context.Context, body []byte) ([]byte, *failure) {
	if q.asked == nil || q.asked.Chain == nil || q.door.cfg.Memory == nil {
		return body, nil
	}
	var err error
	if q.links, err = q.asked.Chain.Read(body); err != nil {
		return nil, refusal(http.StatusBadRequest, err.Error())
	}
	ctx, cancel := context.WithTimeout(ctx, recallTime)
	defer cancel()
	known, err := q.recall(ctx)
	if err != nil {
		q.trouble = err.Error()
		f := forgetful
		return nil, &f
	}
	return q.asked.Chain.Mend(body, q.links, known), nil
}

// recall reads what weir remembers about the response or conversation that a request continues.
func (q *asking) recall(ctx context.Context) (known dialect.Known, err error) {
	memory, upstream := q.door.cfg.Memory, q.upstream.name
	if q.links.Response != "" {
		if known.Refused, err = memory.Refused(ctx, upstream, q.links.Response); err != nil {
			return known, err
		}
	}
	if q.links.Conversation != "" {
		pending, err := memory.RefusedIn(ctx, upstream, q.links.Conversation)
		if err != nil {
			return known, err
		}
		known.Refused = append(known.Refused, pending...)
		for _, k := range pending {
			q.outputs = append(q.outputs, k.WireID)
		}
	}
	known.Notices = map[string]call.Remembered{}
	for _, id := range q.links.Notices {
		noticed, ok, err := memory.Noticed(ctx, upstream, id)
		if err != nil {
			return known, err
		}
		if ok {
			noticed.Ruling = noticed.Ruling.WithContact(q.door.cfg.Contact)
			known.Notices[id] = noticed
		}
	}
	for i := range known.Refused {
		known.Refused[i].Ruling = known.Refused[i].Ruling.WithContact(q.door.cfg.Contact)
	}
	return known, nil
}

// noteAnswered notes that the provider has taken the outputs of a conversation's refused calls. This must be stored before the
// client can send its next request.
func (a *answering) noteAnswered() *failure {
	if err := a.setAnswered(true); err != nil {
		a.trouble = err.Error()
		f := forgetful
		return &f
	}
	return nil
}

// takeBack undoes noteAnswered after a failed response: the provider has added nothing to the conversation.
func (a *answering) takeBack() {
	if err := a.setAnswered(false); err != nil {
		a.door.cfg.Log.Error("note that outputs were not taken", "request", a.id, "err", err)
	}
}

func (a *answering) setAnswered(answered bool) error {
	if len(a.outputs) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.R.Context()), recallTime)
	defer cancel()
	return a.door.cfg.Memory.SetAnswered(ctx, a.upstream.name, a.links.Conversation, a.outputs, answered)
}
