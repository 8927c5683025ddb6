package openaichat

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addExtras keeps the members that we do not know, of several with one name the last.
func (c *toolCall) addExtras(p piece, limit int) {
	for name, value := range p.entry.Members() {
		if ofCall(name) || !c.hasRoom(len(name.Raw())+len(value.Raw()), limit) {
			continue
		}
		x := extra{string(name.AppendText(nil)), bytes.Clone(name.Raw()), bytes.Clone(value.Raw())}
		if i := slices.IndexFunc(c.extras, func(old extra) bool { return old.name == x.name }); i >= 0 {
			c.extras[i] = x
			continue
		}
		if len(c.extras) == maxExtras {
			c.slot.Fault = dialect.Oversize()
			return
		}
		c.extras = append(c.extras, x)
	}
}

// maxExtras bounds how many members that we do not know a call may have.
const maxExtras = 64

// ofCall says whether an entry's member is one that makes the call.
func ofCall(name strictjson.Value) bool {
	return name.Is("index") || name.Is("id") || name.Is("type") || name.Is("function") || name.Is("custom")
}

// spellings are the members by which the formats call a tool and its arguments.
var spellings = []string{"name", "arguments", "args", "input", "parameters"}

// writtenTwice says whether an entry, or what is in it, has a call beside the members where this format has it.
func writtenTwice(v strictjson.Value, own ...string) bool {
	for name, value := range v.Members() {
		for _, s := range spellings {
			if present(value) && name.Folds(s) && !slices.Contains(own, s) {
				return true
			}
		}
	}
	return dialect.HidesCall(v, own...)
}
