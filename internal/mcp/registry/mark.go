package registry

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
	"time"
)

// A Mark identifies the stored state of one server's tools at a revision. Different states have different digests.
type Mark struct {
	Revision int64
	Digest   string // "sha256:" and hex; "": nothing is stored
}

// Mark returns the mark of a server's current state. Its revision is 0 if the state is not known for certain, or there is no store.
func (r *Registry) Mark(server string) Mark {
	v := r.current.Load()
	if v.behind {
		return Mark{}
	}
	return v.mark(server)
}

// Revision returns the revision of the current view.
func (r *Registry) Revision() int64 { return r.current.Load().revision }

// Marks returns the marks of all servers with stored tools, by id.
func (r *Registry) Marks() map[string]Mark {
	v := r.current.Load()
	if v.behind {
		return nil
	}
	out := map[string]Mark{}
	for id, s := range v.servers {
		if len(s.entries) > 0 {
			out[id] = v.mark(id)
		}
	}
	return out
}

func (v *view) mark(server string) Mark {
	var tools []Tool
	var pins []Pin
	for _, e := range v.server(server).entries {
		tools = append(tools, e.tool)
		if e.pin != nil {
			pins = append(pins, *e.pin)
		}
	}
	return Mark{v.revision, digestOf(tools, pins)}
}

// Marks returns the marks of all servers with stored tools, by id. wrong are the tools whose definition does not match its hash:
// something other than weir wrote them.
func (k Stored) Marks() (marks map[string]Mark, wrong []Identity) {
	updates := map[string]Update{}
	for _, t := range k.Tools {
		if t.Hash != t.Definition.Hash() {
			wrong = append(wrong, t.Identity())
		}
		u := updates[t.Server]
		u.Tools = append(u.Tools, t)
		updates[t.Server] = u
	}
	for _, p := range k.Pins {
		if p.check() != nil {
			wrong = append(wrong, p.Identity())
		}
		u := updates[p.Server]
		u.Pins = append(u.Pins, p)
		updates[p.Server] = u
	}
	marks = map[string]Mark{}
	for id, u := range updates {
		u = withPinned(u)
		marks[id] = Mark{k.Revision, digestOf(u.Tools, u.Pins)}
	}
	slices.SortFunc(wrong, compareIdentities)
	return marks, slices.Compact(wrong)
}

// digestOf is the digest of all that is stored about some tools of one server.
func digestOf(tools []Tool, pins []Pin) string {
	if len(tools)+len(pins) == 0 {
		return ""
	}
	slices.SortFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(pins, func(a, b Pin) int { return cmp.Compare(a.Name, b.Name) })
	h := sha256.New()
	for i := range tools {
		t := &tools[i]
		addTexts(h, "tool", t.Name, string(t.Hash), string(t.Meta), string(t.Other))
		addTimes(h, t.First, t.Since, t.Gone)
	}
	for i := range pins {
		p := &pins[i]
		addTexts(h, "pin", p.Name, string(p.Hash), string(p.Meta), string(p.Other), p.By)
		addTimes(h, p.Time)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// addTexts adds texts with their lengths, so that none can be taken for the end of another.
func addTexts(h hash.Hash, texts ...string) {
	for _, s := range texts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s)))) // a hash takes everything
		h.Write([]byte(s))                                          // a hash takes everything
	}
}

func addTimes(h hash.Hash, times ...time.Time) {
	for _, t := range times {
		micros := int64(0)
		if !t.IsZero() {
			micros = t.UnixMicro()
		}
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(micros))) // a hash takes everything
	}
}
