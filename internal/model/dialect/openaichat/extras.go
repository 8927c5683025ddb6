package openaichat

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// addExtras stores the unknown members. If several have the same name, the last one counts.
func (c *toolCall) addExtras(p piece, limit int) {
	for name, value := range p.entry.Members() {
		if ofCall(name) || !entryMembers.Has(name) && dialect.HoldsJSON(value) || !c.hasRoom(len(name.Raw())+len(value.Raw()), limit) {
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

// The documented members of a call: by OpenAI, by other providers of its API, and by proxies in front of them.
var (
	entryMembers = dialect.Documented{
		"index", "id", "type", "function", "custom",
		"extra_content",            // Google: the thought signature, without which the next turn fails
		"provider_specific_fields", // LiteLLM: the same
		"thought_signature",
	}
	bodyMembers = dialect.Documented{"name", "arguments", "input", "provider_specific_fields"}
	// messageMembers are the most frequent members around calls, and those whose names look like parts of calls.
	messageMembers = dialect.Documented{
		"content", "role", "reasoning_content", "reasoning", "refusal", "tool_calls", "function_call",
		"executed_tools", // Groq: what the provider ran
	}
)

// sift leaves out the undocumented members of an entry. An entry of an unknown kind is not changed: all of it is judged.
func (d *editor) sift(c *toolCall, p piece) {
	if c.kind != unknown {
		d.Sieve.Sift(p.entry, c.slot, entryMembers)
		d.Sieve.Sift(p.body, c.slot, bodyMembers)
	}
}

// siftAround leaves out members beside the calls of a delta or message that could be taken for parts of the calls.
func (d *editor) siftAround(ch *choice, body strictjson.Value, found pieces) {
	switch {
	case len(found.entries) > 0:
		d.Sieve.SiftAround(body, found.entries[0].call.slot, messageMembers)
	case found.single != nil:
		d.Sieve.SiftAround(body, found.single.call.slot, messageMembers)
	case ch.last != nil:
		d.Sieve.SiftParsed(body, ch.last.slot, messageMembers)
	default:
		d.Sieve.SiftParsed(body, nil, messageMembers)
	}
}

// maxExtras is how many unknown members a call may have.
const maxExtras = 64

// ofCall says whether an entry's member is part of the call itself.
func ofCall(name strictjson.Value) bool {
	return name.Is("index") || name.Is("id") || name.Is("type") || name.Is("function") || name.Is("custom")
}
