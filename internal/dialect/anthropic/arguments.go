package anthropic

import (
	"bytes"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addArguments takes one piece of a call's arguments. Of a call that cannot pass any more it is kept for the record.
func (d *response) addArguments(b *block, piece strictjson.Value) {
	s := b.slot
	if len(s.Args) >= d.opts.MaxArguments && s.Fault != nil {
		return
	}
	s.Args = piece.AppendText(s.Args)
	s.Kept = len(b.input) + len(s.Args)
	if len(s.Args) > d.opts.MaxArguments {
		s.Args = s.Args[:d.opts.MaxArguments]
		s.Fault = oversize()
	}
	if s.Fault != nil {
		return
	}
	end := len(s.Args)
	if endsInHighHalf(s.Args) {
		// The other half comes with the next piece, if at all.
		end -= halfLen
		b.split = true
	}
	if b.fed < end {
		b.state = b.json.Write(s.Args[b.fed:end])
		b.fed = end
	}
	if b.state == strictjson.Broken {
		s.Fault = notObject()
	}
}

// halfLen is the length of half a surrogate pair, as strictjson writes one that has no partner.
const halfLen = 3

// endsInHighHalf says whether text ends in the first half of a surrogate pair.
func endsInHighHalf(text []byte) bool {
	if len(text) < halfLen {
		return false
	}
	tail := text[len(text)-halfLen:]
	return tail[0] == 0xED && 0xA0 <= tail[1] && tail[1] <= 0xAF
}

// close completes a block: the wire has said that nothing is added to it any more.
func (d *response) close(b *block) {
	b.open = false
	s := b.slot
	if s == nil {
		return
	}
	switch {
	case b.kind == unknown:
		s.Args = b.unit()
	case len(s.Args) == 0:
		s.Args = b.input
	case len(b.input) > 0 && !emptyObject(b.input):
		// Clients disagree: some replace the start's input by the deltas, some append to it.
		s.Fault = unreadable("Its arguments were sent twice.")
	}
	if len(s.Args) == 0 {
		s.Args = []byte("{}")
	}
	if b.kind == asked && s.Fault == nil && (emptyObject(s.Args) || b.unfinished()) {
		// It may be all there is, or all that came before the turn was cut: what follows will tell.
		d.undecided = append(d.undecided, s)
		return
	}
	if s.Fault == nil {
		s.Fault = d.checkArguments(s)
	}
	s.Done = true
}

// unfinished says whether the arguments came in pieces and could still become an object.
func (b *block) unfinished() bool { return b.fed > 0 && b.state == strictjson.Open }

func (d *response) checkArguments(s *dialect.Slot) *dialect.Refused {
	if len(s.Args) > d.opts.MaxArguments {
		s.Args = s.Args[:d.opts.MaxArguments]
		return oversize()
	}
	if strictjson.CheckArguments(s.Args) != nil {
		return notObject()
	}
	return nil
}

// unit is an unknown block as arguments: the block, with its deltas.
func (b *block) unit() []byte {
	if len(b.deltas) == 0 {
		return b.input
	}
	unit := append(bytes.TrimSuffix(b.input, []byte("}")), `,"deltas":[`...)
	unit = append(unit, b.deltas...)
	return append(unit, "]}"...)
}

// addDelta keeps a delta of an unknown block.
func (d *response) addDelta(b *block, delta strictjson.Value) {
	if b.slot.Fault != nil {
		return
	}
	if len(b.input)+len(b.deltas)+len(delta.Raw()) > d.opts.MaxArguments {
		b.slot.Fault = oversize()
		return
	}
	if len(b.deltas) > 0 {
		b.deltas = append(b.deltas, ',')
	}
	b.deltas = append(b.deltas, delta.Raw()...)
	b.slot.Kept = len(b.input) + len(b.deltas)
}

// decide completes the calls whose arguments are empty or not whole, now that it is known whether the turn was cut at the
// last of them.
func (d *response) decide(cut bool) {
	for i, s := range d.undecided {
		if cut && i == len(d.undecided)-1 {
			s.Fault = cutShort()
		} else {
			s.Fault = d.checkArguments(s)
		}
		s.Done = true
	}
	d.undecided = nil
}

// giveUp completes the calls that will never be whole.
func (d *response) giveUp(silent bool) []*dialect.Slot {
	var given []*dialect.Slot
	for _, b := range d.blocks {
		if s := b.slot; s != nil && !s.Done {
			if s.Fault == nil || silent {
				s.Fault = cutShort()
			}
			if len(s.Args) == 0 {
				s.Args = b.input
			}
			b.open, s.Done, s.Silent = false, true, silent
			given = append(given, s)
		}
	}
	d.undecided = nil
	return given
}

// cutsTurn says whether a stop reason means that the turn ended because it became too long.
func cutsTurn(reason string) bool {
	return reason == "max_tokens" || reason == "model_context_window_exceeded"
}

func emptyObject(args []byte) bool {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(args), []byte("{"))
	return ok && string(bytes.TrimSpace(inner)) == "}"
}

func oversize() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsOversize, Reason: "Its arguments are larger than weir's bound."}
}

func unreadable(reason string) *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: reason}
}

func notObject() *dialect.Refused {
	return unreadable("Its arguments are not one strict JSON object.")
}

func cutShort() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeCutShort, Reason: "The response ended before the call was complete."}
}
