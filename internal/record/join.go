package record

import (
	"cmp"
	"fmt"
)

// ArgsFollow says that the event is of a call that was refused before its arguments had arrived. They are, or will be, in an event
// of Types.CallArguments with the same call id.
func (e Event) ArgsFollow() bool {
	d, ok := e.Detail.(ToolCall)
	return ok && d.ArgsFollow
}

// Join returns the event of a call with the arguments that followed it, as if it had been recorded with them. Its id, time, ruling
// and position in the chain stay those of the recorded event.
func (e Event) Join(args Event) Event {
	d, _ := e.Detail.(ToolCall)
	followed, _ := args.Detail.(ToolCall)
	d.ArgsFollow = false
	if args.Code != e.Code { // else the refusal says it
		d.ArgsCode = args.Code
	}
	d.Replaced, d.Omitted, d.MembersLeftOut = followed.Replaced, followed.Omitted, followed.MembersLeftOut
	if e.Detail = d; d.IsZero() {
		e.Detail = nil
	}
	e.Args = args.Args
	// These the wire may have sent only later.
	e.WireID = cmp.Or(e.WireID, args.WireID)
	e.Exchange.ResponseID = cmp.Or(e.Exchange.ResponseID, args.Exchange.ResponseID)
	e.Exchange.Conversation = cmp.Or(e.Exchange.Conversation, args.Exchange.Conversation)
	e.Exchange.Model = cmp.Or(e.Exchange.Model, args.Exchange.Model)
	return e
}

// Join is Event.Join for entries. The columns and the hash stay those of the recorded entry.
func (e Entry) Join(followed Entry) (Entry, error) {
	called, err := e.Event()
	if err != nil {
		return e, err
	}
	args, err := followed.Event()
	if err != nil {
		return e, err
	}
	u, err := called.Join(args).Encode()
	if err != nil {
		return e, fmt.Errorf("row %d: join arguments: %w", e.Row, err)
	}
	e.Text = u.seal(called.Head, called.PrevHash).Text
	return e, nil
}
