package recordlog

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// effects are record.Effects in a frame. Texts are bytes: what providers and agents write may be no text, and must come back as it was.
type effects struct {
	Remember *remembered `json:"remember,omitzero"`
	Spend    []spend     `json:"spend,omitzero"`
}

type remembered struct {
	Upstream     []byte `json:"upstream,omitzero"`
	Response     []byte `json:"response,omitzero"`
	Conversation []byte `json:"conversation,omitzero"`
	WireID       []byte `json:"wire_id,omitzero"`
	Unit         []byte `json:"unit,omitzero"`
	Notice       []byte `json:"notice,omitzero"`
	Tool         []byte `json:"tool,omitzero"`
	Released     bool   `json:"released,omitzero"`
	Code         []byte `json:"code,omitzero"`
	Reason       []byte `json:"reason,omitzero"`
	Rule         []byte `json:"rule,omitzero"`
	Policy       []byte `json:"policy,omitzero"`
}

type spend struct {
	Scope []byte `json:"scope"`
	Micro int64  `json:"micro"`
}

// writeEffects returns the part of a frame beside the text; nil: the event has no effects.
func writeEffects(with record.Effects) ([]byte, error) {
	if with.Remember == nil && len(with.Spend) == 0 {
		return nil, nil
	}
	var e effects
	if k := with.Remember; k != nil {
		r := k.Ruling
		e.Remember = &remembered{
			[]byte(k.Upstream), []byte(k.Response), []byte(k.Conversation), []byte(k.WireID), []byte(k.Unit), []byte(k.Notice),
			[]byte(k.Tool), r.Released, []byte(r.Code), []byte(r.Reason), []byte(r.Rule), []byte(r.Policy),
		}
	}
	for _, s := range with.Spend {
		e.Spend = append(e.Spend, spend{[]byte(s.Scope), s.Micro})
	}
	side, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write the effects of an event: %w", err)
	}
	return side, nil
}

// readEffects is the inverse of writeEffects, for what stores use of the effects.
func readEffects(side []byte) (with record.Effects, err error) {
	if len(side) == 0 {
		return with, nil
	}
	var e effects
	if err := json.Unmarshal(side, &e); err != nil {
		return with, fmt.Errorf("read the effects of an event: %w", err)
	}
	if k := e.Remember; k != nil {
		with.Remember = &call.Remembered{
			Upstream: string(k.Upstream), Response: string(k.Response), Conversation: string(k.Conversation), WireID: string(k.WireID),
			Unit: string(k.Unit), Notice: string(k.Notice), Tool: string(k.Tool),
			Ruling: call.Ruling{
				Released: k.Released, Code: string(k.Code), Reason: string(k.Reason), Rule: string(k.Rule), Policy: string(k.Policy),
			},
		}
	}
	for _, s := range e.Spend {
		with.Spend = append(with.Spend, call.Spend{Scope: string(s.Scope), Micro: s.Micro})
	}
	return with, nil
}
