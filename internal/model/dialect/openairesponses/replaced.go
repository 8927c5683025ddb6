package openairesponses

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// isRestated says whether the call's frames are rewritten: clients would read them differently, or its arguments are replaced.
func (it *item) isRestated() bool { return it.restated || it.slot.Replaced() }

// sentText is the text of the arguments with which a call is sent, if they are a text.
func (it *item) sentText() string {
	switch {
	case !it.slot.Replaced():
		return string(it.args)
	case it.form == freeText:
		return it.slot.SentText()
	}
	return string(it.slot.Sent())
}

// whole returns the complete item as it is sent.
func (it *item) whole() []byte {
	var doc strictjson.Doc
	if !it.slot.Replaced() || doc.Parse(it.raw) != nil {
		return it.raw
	}
	return strictjson.Splice(it.raw, it.argumentEdit(doc.Root()))
}

// argumentEdit returns the edit that sets the arguments of an item to those with which its call is sent: as a text or as an object,
// like the old ones.
func (it *item) argumentEdit(v strictjson.Value) strictjson.Edit {
	was, _ := v.Member(it.from[0])
	args := it.slot.Sent()
	if was.Kind() == strictjson.String || was.Kind() != strictjson.Object && it.inText() {
		args = []byte(dialect.Quote(it.sentText()))
	}
	edit, _ := v.SetMember(it.from[0], args) // it was parsed before, so there is at most one
	return edit
}

// withArguments returns a frame whose item has the arguments with which its call is sent.
func (d *editor) withArguments(f frame.Frame, typ string, it *item) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was parsed before, so it can be parsed
	}
	v, _ := d.Doc.Root().Member("item")
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, it.argumentEdit(v))}
}
