package openairesponses

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// isRestated says whether the call's frames do not go out as they came: clients would not read them alike, or its arguments
// are replaced.
func (it *item) isRestated() bool { return it.restated || it.slot.Replaced() }

// sentText is the text of the arguments that a call goes out with, where they are a text.
func (it *item) sentText() string {
	switch {
	case !it.slot.Replaced():
		return string(it.args)
	case it.form == freeText:
		return it.slot.SentText()
	}
	return string(it.slot.Sent())
}

// whole is the item, when it was done, as it goes out.
func (it *item) whole() []byte {
	var doc strictjson.Doc
	if !it.slot.Replaced() || doc.Parse(it.raw) != nil {
		return it.raw
	}
	return strictjson.Splice(it.raw, it.argumentEdit(doc.Root()))
}

// argumentEdit gives an item, wherever it stands, the arguments that its call goes out with: as a text or as an object, as it
// has them there.
func (it *item) argumentEdit(v strictjson.Value) strictjson.Edit {
	was, _ := v.Member(it.from[0])
	args := it.slot.Sent()
	if was.Kind() == strictjson.String || was.Kind() != strictjson.Object && it.inText() {
		args = []byte(dialect.Quote(it.sentText()))
	}
	edit, _ := v.SetMember(it.from[0], args) // it was read before, so there is one at most
	return edit
}

// withArguments is a frame whose item has the arguments that its call goes out with.
func (d *editor) withArguments(f frame.Frame, typ string, it *item) frame.Frame {
	if d.Doc.Parse(f.Data) != nil {
		return frame.Frame{} // it was read before, so it can be read
	}
	v, _ := d.Doc.Root().Member("item")
	return frame.Frame{Type: []byte(typ), Data: strictjson.Splice(f.Data, it.argumentEdit(v))}
}
