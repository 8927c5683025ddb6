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

// A Mark is how what is stored of the tools of one server stood at a revision. Two that differ in anything have another digest.
type Mark struct {
	Revision int64
	Digest   string // "sha256:" and hex; "": nothing is stored
}

// Mark is that of a server as it stands. Its revision is 0 if that is not known for certain, or there is no store.
func (r *Registry) Mark(server string) Mark {
	v := r.current.Load()
	if v.behind {
		return Mark{}
	}
	return v.mark(server)
}

// Revision is that of what is known.
func (r *Registry) Revision() int64 { return r.current.Load().revision }

// Marks are those of all servers of which tools are stored, by id.
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

// Marks are those of all servers of which tools are stored, by id. Rows that do not have their hash are told of: something else than weir
// wrote them.
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

// digestOf names all that is stored of some tools of one server.
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

// addTexts adds texts so that none can be taken for the end of another.
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
