package anthropic

import (
	"bytes"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addArguments takes one piece of a call's arguments. Of a call that cannot pass any more it is kept for the record.
func (d *response) addArguments(b *block, piece strictjson.Value) {
	s := b.slot
	if len(b.args.Text) >= d.opts.MaxArguments && s.Fault != nil {
		return
	}
	fits := b.args.Add(piece, d.opts.MaxArguments)
	s.Args, s.Kept = b.args.Text, len(b.input)+len(b.args.Text)
	switch {
	case !fits:
		s.Fault = dialect.Oversize()
	case b.args.State() == strictjson.Broken && s.Fault == nil:
		s.Fault = dialect.NotObject()
	}
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
	case b.inStart():
		// Clients disagree: some replace the start's input by the deltas, some append to it.
		s.Fault = sentTwice()
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
func (b *block) unfinished() bool { return b.args.Begun() && b.args.State() == strictjson.Open }

func (d *response) checkArguments(s *dialect.Slot) *dialect.Refused {
	if len(s.Args) > d.opts.MaxArguments {
		s.Args = s.Args[:d.opts.MaxArguments]
		return dialect.Oversize()
	}
	if strictjson.CheckArguments(s.Args) != nil {
		return dialect.NotObject()
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
		b.slot.Fault = dialect.Oversize()
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
			s.Fault = dialect.CutShort()
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
				s.Fault = dialect.CutShort()
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

func sentTwice() *dialect.Refused {
	return &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments were sent twice."}
}
