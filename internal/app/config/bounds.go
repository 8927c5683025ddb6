package config

import (
	"fmt"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

const (
	minFrame = 64 << 10  // with less, ordinary responses would be refused
	maxFrame = 1 << 30   // a frame is held in memory
	minHeld  = 256 << 10 // with less, no request would get memory
)

var boundsShape = yamlfile.Shape{Optional: []string{"frame", "arguments", "warn_arguments", "held_client", "held_total", "hold"}}

func (r *loader) bounds(b *Bounds, n *yamlfile.Node) {
	sizes := map[string]*int64{
		"frame": &b.Frame, "arguments": &b.Arguments, "warn_arguments": &b.WarnArguments,
		"held_client": &b.HeldClient, "held_total": &b.HeldTotal,
	}
	if !r.report.Mapping(n, boundsShape) {
		return
	}
	for _, e := range n.Entries {
		if field := sizes[e.Name]; field != nil {
			r.size(field, e.Value)
		}
	}
	if v := n.Get("hold"); v != nil {
		r.hold(b, v)
	}
}

func (r *loader) hold(b *Bounds, n *yamlfile.Node) {
	const cure = "write a number with a unit, such as 10m or 90s"
	if n.Kind == yamlfile.Number {
		r.report.Add(n, "a time needs a unit", cure)
		return
	}
	text, ok := r.text(n, "a duration such as 10m")
	if !ok {
		return
	}
	d, err := parseDuration(text)
	if err != nil {
		r.report.Add(n, err.Error(), cure)
		return
	}
	b.Hold = d
}

func (r *loader) size(field *int64, n *yamlfile.Node) {
	const cure = "write a whole number with a unit, such as 16MiB"
	if n.Kind == yamlfile.Number {
		r.report.Add(n, "a size needs a unit", cure)
		return
	}
	text, ok := r.text(n, "a size such as 16MiB")
	if !ok {
		return
	}
	size, err := parseSize(text)
	if err != nil {
		r.report.Add(n, err.Error(), cure)
		return
	}
	*field = size
}

// relations checks values that depend on each other.
func (r *loader) relations(cfg *Config, root *yamlfile.Node) {
	at := func(key string) *yamlfile.Node {
		if n := root.Get(key); n != nil {
			return n
		}
		return root
	}
	if !cfg.ForClients() && root.Get("clients") == nil {
		for name, u := range cfg.Upstreams {
			if u.Key != "" {
				r.report.Add(at("upstreams").Get(name), "an injected key needs clients: else everyone who reaches weir could use it",
					"add clients, or remove the key")
			}
		}
	}
	// Sections that could not be parsed are already reported. What is missing because of this is not reported again.
	if r.report.CleanAt("listen", "clients", "client_files", "tls", "ingress") {
		if err := cfg.checkListen(cfg.Listen); err != nil {
			r.addError(at("listen"), err)
		}
	}
	if r.report.CleanAt("bounds") {
		r.boundsRelations(cfg.Bounds, at("bounds"))
	}
	r.bodiesRelations(cfg, root)
}

// firstOf returns the first of these keys' values in a mapping, or the mapping itself: the position for a message about them.
func firstOf(n *yamlfile.Node, keys ...string) *yamlfile.Node {
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			return v
		}
	}
	return n
}

func (r *loader) boundsRelations(b Bounds, n *yamlfile.Node) {
	atMost := func(key string, size int64, otherKey string, other int64) {
		if size > other && other > 0 { // 0: it is determined later, and large enough
			r.report.Add(firstOf(n, key, otherKey), fmt.Sprintf("%s (%s) is more than %s (%s)", key, formatSize(size), otherKey, formatSize(other)),
				"lower the one or raise the other")
		}
	}
	atMost("warn_arguments", b.WarnArguments, "arguments", b.Arguments)
	atMost("arguments", b.Arguments, "frame", b.Frame)
	atMost("frame", b.Frame, "held_client", b.HeldClient)
	atMost("frame", b.Frame, "held_total", b.HeldTotal)
	atMost("held_client", b.HeldClient, "held_total", b.HeldTotal)
	for key, size := range map[string]int64{"held_client": b.HeldClient, "held_total": b.HeldTotal} {
		if size != 0 && size < minHeld {
			r.report.Add(firstOf(n, key), fmt.Sprintf("%s is %s", key, formatSize(size)), "choose "+formatSize(minHeld)+" or more")
		}
	}
	if b.Frame < minFrame || b.Frame > maxFrame {
		r.report.Add(firstOf(n, "frame"), fmt.Sprintf("frame is %s", formatSize(b.Frame)),
			fmt.Sprintf("choose from %s to %s", formatSize(minFrame), formatSize(maxFrame)))
	}
}
