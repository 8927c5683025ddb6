package judge

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/weir-gate/weir/internal/call"
)

// A RulingStore remembers rulings durably.
type RulingStore interface {
	Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error)
	Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error)
	RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error)
	Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error)
	SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error
}

// A Rulings is a memory that also knows the rulings that its store does not have yet: refusals that it could not take, so that what was
// refused stays refused while the store is unavailable, and releases that are on their way. It is safe for concurrent use.
type Rulings struct {
	store RulingStore
	// settled says that nothing waits to be stored.
	settled func() bool

	mu      sync.Mutex
	count   int                       // how many refusals are remembered
	refused map[rulingKey][]*unstored // by each way to ask for them, in the order in which they came
	pending int                       // how many of those to be stored do not yet wait to be stored
	over    bool                      // there was no room for one
	tail    tail
}

// A rulingKey is one way to ask for a refusal. It has those parts that by says.
type rulingKey struct {
	by                             askedBy
	upstream, wireID               string
	response, conversation, notice string
}

// askedBy says which parts a key has.
type askedBy uint8

const (
	byCall           askedBy = iota // the id
	byCallOfResponse                // the id and the response, also if they are not known
	byResponse
	byConversation
	byNotice
)

// keys are the ways to ask for a refusal.
func (k *unstored) keys() [5]rulingKey {
	return [...]rulingKey{
		{by: byCall, upstream: k.Upstream, wireID: k.WireID},
		{by: byCallOfResponse, upstream: k.Upstream, wireID: k.WireID, response: k.Response},
		{by: byResponse, upstream: k.Upstream, response: k.Response},
		{by: byConversation, upstream: k.Upstream, conversation: k.Conversation},
		{by: byNotice, upstream: k.Upstream, notice: k.Notice},
	}
}

// An unstored ruling is one that the store may not have.
type unstored struct {
	call.Remembered
	answered bool
}

// maxUnstored bounds how many refusals are remembered.
const maxUnstored = 16_384

// errForgotten says that a ruling may have been forgotten.
var errForgotten = errors.New("more was refused while the store was lost than weir can remember; it is known again when the store has it")

// NewRulings returns a memory over a store. settled says that nothing waits to be stored.
func NewRulings(store RulingStore, settled func() bool) *Rulings {
	return &Rulings{store: store, settled: settled}
}

// Remember remembers a ruling that the store could not take. queued must be called once it waits to be stored again: only from then
// on does settled mean anything for it.
func (b *Rulings) Remember(k call.Remembered) (queued func()) {
	if k.Ruling.Released {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.count >= maxUnstored && !b.clear() {
		b.over = true
	} else {
		b.put(&unstored{Remembered: k})
	}
	b.pending++
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.pending--
	})
}

func (b *Rulings) put(k *unstored) {
	if b.refused == nil {
		b.refused = map[rulingKey][]*unstored{}
	}
	b.count++
	for _, key := range k.keys() {
		if key.by <= byCallOfResponse || key.response+key.conversation+key.notice != "" { // nobody asks by what is not known
			b.refused[key] = append(b.refused[key], k)
		}
	}
}

// clear forgets what the store has by now, and says whether it has all.
func (b *Rulings) clear() bool {
	if b.pending > 0 || !b.settled() {
		return false
	}
	b.refused, b.count, b.over = nil, 0, false
	return true
}

// matching are the remembered refusals under some keys for which is holds; nil: all of them. It fails if there may be more.
func (b *Rulings) matching(is func(unstored) bool, keys ...rulingKey) ([]unstored, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over && !b.clear() {
		return nil, errForgotten
	}
	var found []unstored
	for _, key := range keys {
		for _, k := range b.refused[key] {
			if is == nil || is(*k) {
				found = append(found, *k)
			}
		}
	}
	return found, nil
}

// Ruled returns the strictest ruling that is remembered of a call. It is found as the store finds it.
func (b *Rulings) Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error) {
	keys := []rulingKey{{by: byCall, upstream: x.Provider, wireID: wireID}}
	if x.ResponseID != "" { // then only those of this response, or of one that is not known
		keys = []rulingKey{
			{by: byCallOfResponse, upstream: x.Provider, wireID: wireID, response: x.ResponseID},
			{by: byCallOfResponse, upstream: x.Provider, wireID: wireID},
		}
	}
	found, err := b.matching(func(k unstored) bool { return k.is(x, wireID) }, keys...)
	if err != nil {
		return call.Ruling{}, false, err
	}
	if len(found) > 0 {
		return found[0].Ruling, true, nil
	}
	b.mu.Lock()
	logged, known, forgotten := b.tail.find(x, wireID) // first: what leaves the tail is in the store
	b.mu.Unlock()
	stored, isStored, err := b.store.Ruled(ctx, x, wireID)
	if err != nil || isStored {
		return stored, isStored, err
	}
	return logged, known, forgotten
}

// is says whether a ruling is on the call with this id in an exchange, as far as the exchange is known.
func (k unstored) is(x call.Exchange, wireID string) bool {
	switch {
	case k.Upstream != x.Provider || k.WireID != wireID:
		return false
	case wireID == "":
		return x.ResponseID != "" && k.Response == x.ResponseID
	case x.ResponseID != "" && k.Response != "":
		return k.Response == x.ResponseID
	case x.Conversation != "" && k.Conversation != "":
		return k.Conversation == x.Conversation
	}
	return true
}

// Refused returns the refused calls of a response whose output the provider waits for.
func (b *Rulings) Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error) {
	stored, err := b.store.Refused(ctx, upstream, response)
	if err != nil || response == "" {
		return stored, err
	}
	return b.missing(stored, rulingKey{by: byResponse, upstream: upstream, response: response})
}

// RefusedIn returns the refused calls of a conversation whose output the provider waits for.
func (b *Rulings) RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error) {
	stored, err := b.store.RefusedIn(ctx, upstream, conversation)
	if err != nil || conversation == "" {
		return stored, err
	}
	key := rulingKey{by: byConversation, upstream: upstream, conversation: conversation}
	all, err := b.missing(stored, key)
	if err != nil {
		return nil, err
	}
	answered, err := b.matching(func(k unstored) bool { return k.answered }, key)
	var late []string // were answered before the store had them
	all = slices.DeleteFunc(all, func(k call.Remembered) bool {
		is := slices.ContainsFunc(answered, func(a unstored) bool { return a.WireID == k.WireID })
		if is && slices.ContainsFunc(stored, func(s call.Remembered) bool { return s.WireID == k.WireID }) {
			late = append(late, k.WireID)
		}
		return is
	})
	if err == nil && len(late) > 0 {
		err = b.store.SetAnswered(ctx, upstream, conversation, late, true)
	}
	return all, err
}

// missing adds to the stored refusals those that the store does not have, each call once. What has no output is left out.
func (b *Rulings) missing(stored []call.Remembered, key rulingKey) ([]call.Remembered, error) {
	found, err := b.matching(nil, key)
	if err != nil {
		return nil, err
	}
	stored = slices.Clone(stored)
	for _, k := range found {
		if k.Unit == "" || k.WireID == "" || slices.ContainsFunc(stored, func(s call.Remembered) bool { return s.WireID == k.WireID }) {
			continue
		}
		stored = append(stored, k.Remembered)
	}
	return stored, nil
}

// Noticed returns the refused call in whose place a notice with this id stands.
func (b *Rulings) Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error) {
	if notice != "" {
		found, err := b.matching(nil, rulingKey{by: byNotice, upstream: upstream, notice: notice})
		if err != nil || len(found) > 0 {
			return append(found, unstored{})[0].Remembered, err == nil, err
		}
	}
	return b.store.Noticed(ctx, upstream, notice)
}

// SetAnswered notes that a conversation has the outputs of refused calls, or that it does not have them after all. For those that
// are only remembered no store is needed.
func (b *Rulings) SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error {
	b.mu.Lock()
	var stored []string
	for _, id := range wireIDs {
		found := false
		for _, k := range b.refused[rulingKey{by: byCall, upstream: upstream, wireID: id}] {
			if k.Conversation == conversation {
				k.answered, found = answered, true
			}
		}
		if !found || b.settled() {
			stored = append(stored, id)
		}
	}
	b.mu.Unlock()
	if len(stored) == 0 {
		return nil
	}
	return b.store.SetAnswered(ctx, upstream, conversation, stored, answered)
}
