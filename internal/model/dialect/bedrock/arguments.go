package bedrock

import (
	"bytes"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addArguments takes one piece of a call's arguments. Of a call that cannot pass any more it is kept for the record.
func (d *response) addArguments(b *block, v strictjson.Value) error {
	if v.Kind() != strictjson.Object || dialect.HidesCall(v, "input") {
		return dialect.Malformed("a piece of a call is not an object, or has a call in it")
	}
	piece, err := v.Member("input")
	if err != nil {
		return dialect.Ambiguous()
	}
	if piece.Kind() != strictjson.String {
		return dialect.Malformed("a piece of arguments is not a string")
	}
	s := b.slot
	d.sieve.Sift(v, s, deltaMembers)
	if len(b.args.Text) >= d.opts.MaxArguments && s.Fault != nil {
		return nil
	}
	fits := b.args.Add(piece, d.opts.MaxArguments)
	s.Args, s.Kept = b.args.Text, len(b.input)+len(b.args.Text)
	switch {
	case !fits:
		s.Fault = dialect.Oversize()
	case b.args.State() == strictjson.Broken && s.Fault == nil:
		s.Fault = dialect.NotObject()
	}
	return nil
}

// addDelta keeps a delta of an unknown block.
func (d *response) addDelta(b *block, u unit) {
	if b.slot.Fault != nil {
		return
	}
	delta := u.whole.Raw()
	if len(b.input)+len(b.deltas)+len(delta) > d.opts.MaxArguments {
		b.slot.Fault = dialect.Oversize()
		return
	}
	if len(b.deltas) > 0 {
		b.deltas = append(b.deltas, ',')
	}
	b.deltas = append(b.deltas, delta...)
	b.slot.Kept = len(b.input) + len(b.deltas)
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
		s.Args = b.wholeUnit()
	case len(s.Args) == 0:
		s.Args = b.input
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

// wholeUnit is an unknown block as arguments: the block, with its deltas.
func (b *block) wholeUnit() []byte {
	if len(b.deltas) == 0 {
		return b.input
	}
	unit := append(bytes.TrimSuffix(bytes.Clone(b.input), []byte("}")), `,"deltas":[`...)
	unit = append(unit, b.deltas...)
	return append(unit, "]}"...)
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
	d.undecided, d.call = nil, nil
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
	return &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: "Its arguments are where not every client looks for them."}
}
