package blocks

import (
	"bytes"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// AddArguments adds a delta with one piece of a call's arguments. If the call can no longer pass, the piece is only for the record.
func (m *Message) AddArguments(b *Block, delta strictjson.Value) error {
	piece, err := delta.Member(m.wire.Piece)
	if err != nil {
		return dialect.Ambiguous()
	}
	if piece.Kind() != strictjson.String {
		return dialect.Malformed("a piece of arguments is not a string")
	}
	s := b.Slot
	m.Sieve.Sift(delta, s, m.wire.Delta)
	if len(b.args.Text) >= m.Options.MaxArguments && s.Fault != nil {
		return nil
	}
	fits := b.args.Add(piece, m.Options.MaxArguments)
	s.Args, s.Held = b.args.Text, len(b.Input)+len(b.args.Text)
	switch {
	case !fits:
		s.Fault = dialect.Oversize()
	case b.args.State() == strictjson.Broken && s.Fault == nil:
		s.Fault = dialect.NotObject()
	}
	return nil
}

// AddDelta adds a delta of an unknown block.
func (m *Message) AddDelta(b *Block, delta strictjson.Value) {
	if b.Slot.Fault != nil {
		return
	}
	raw := delta.Raw()
	if len(b.Input)+len(b.deltas)+len(raw) > m.Options.MaxArguments {
		b.Slot.Fault = dialect.Oversize()
		return
	}
	if len(b.deltas) > 0 {
		b.deltas = append(b.deltas, ',')
	}
	b.deltas = append(b.deltas, raw...)
	b.Slot.Held = len(b.Input) + len(b.deltas)
}

// complete closes a block: the upstream has said that nothing is added to it any more.
func (m *Message) complete(b *Block) {
	b.Open = false
	s := b.Slot
	if s == nil {
		return
	}
	switch {
	case b.Kind == Unknown:
		s.Args = b.withDeltas()
	case len(s.Args) == 0:
		s.Args = b.Input
	case m.wire.Twice != "" && b.inStart():
		// Clients disagree: some replace the start's input by the deltas, others append to it.
		s.Fault = &dialect.Refused{Code: call.CodeArgsUnreadable, Reason: m.wire.Twice}
	}
	if len(s.Args) == 0 {
		s.Args = []byte("{}")
	}
	if b.Kind == Asked && s.Fault == nil && (isEmptyObject(s.Args) || b.unfinished()) {
		// These may be all arguments, or those before the turn was cut off: a later frame shows it.
		m.undecided = append(m.undecided, s)
		return
	}
	if s.Fault == nil {
		s.CheckArguments(m.Options.MaxArguments)
	}
	s.Done = true
}

// unfinished says whether the arguments came in pieces and are an incomplete object.
func (b *Block) unfinished() bool { return b.args.Begun() && b.args.State() == strictjson.Open }

// withDeltas returns an unknown block as arguments: the block with its deltas.
func (b *Block) withDeltas() []byte {
	if len(b.deltas) == 0 {
		return b.Input
	}
	whole := append(bytes.TrimSuffix(bytes.Clone(b.Input), []byte("}")), `,"deltas":[`...)
	return append(append(whole, b.deltas...), "]}"...)
}

// Decide completes the calls whose arguments are empty or incomplete, once it is known whether the turn was cut off at the last of
// them.
func (m *Message) Decide(cut bool) {
	for i, s := range m.undecided {
		if cut && i == len(m.undecided)-1 {
			s.Fault = dialect.CutShort()
		} else {
			s.CheckArguments(m.Options.MaxArguments)
		}
		s.Done = true
	}
	m.undecided = nil
}

// CutsTurn says whether a stop reason means that the turn was cut off because it became too long.
func CutsTurn(reason string) bool {
	return reason == "max_tokens" || reason == "model_context_window_exceeded"
}

// GiveUp closes the calls that will never be complete.
func (m *Message) GiveUp(silent bool) []*dialect.Slot {
	var given []*dialect.Slot
	for _, b := range m.Blocks {
		if s := b.Slot; s != nil && !s.Done {
			if len(s.Args) == 0 {
				s.Args = b.Input
			}
			s.GiveUp(silent)
			b.Open = false
			given = append(given, s)
		}
	}
	m.undecided = nil
	return given
}

// End implements dialect.Dialect.
func (m *Message) End(bool) []*dialect.Slot { return m.GiveUp(true) }

func isEmptyObject(args []byte) bool {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(args), []byte("{"))
	return ok && string(bytes.TrimSpace(inner)) == "}"
}
