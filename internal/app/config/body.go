package config

import (
	"fmt"
	"time"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ProxyMode says which calls of models weir judges.
type ProxyMode string

// The modes.
const (
	Embedded ProxyMode = "embedded" // all calls in responses are judged
	// MCPOnly: only calls of MCP servers' tools are judged; bodies are stored, unless bodies.store is false.
	MCPOnly  ProxyMode = "mcp-only"
	Disabled ProxyMode = "disabled" // nothing is sent to models
)

// Proxy says what weir does for model APIs.
type Proxy struct {
	Mode ProxyMode // default embedded
}

// Bodies says what is stored of requests to models and of their responses.
type Bodies struct {
	Store     bool          // default false; in the proxy's mode mcp-only true
	Retention time.Duration // how long bodies are stored; default 30 days
	MaxSize   int64         // bytes that all bodies may take in the store; default 500 MB
	MaxBody   int64         // bytes of one body that are stored; default 1 MiB
}

func defaultBodies() Bodies {
	return Bodies{Retention: 30 * day, MaxSize: 500e6, MaxBody: 1 * mib}
}

// The bounds of MaxBody. A body is in memory several times, so it must not be larger.
const (
	minBody = 1 << 10
	maxBody = 64 << 20
)

var (
	proxyShape     = yamlfile.Shape{Optional: []string{"mode"}}
	proxyModeWords = yamlfile.Choice{What: "a mode", Words: []string{string(Embedded), string(MCPOnly), string(Disabled)}}
	bodiesShape    = yamlfile.Shape{Optional: []string{"store", "retention", "max_size", "max_body"}}
)

func (r *loader) proxy(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, proxyShape) {
		return
	}
	if v := n.Get("mode"); v != nil {
		if word, ok := r.word(v, proxyModeWords); ok {
			cfg.Proxy.Mode = ProxyMode(word)
		}
	}
}

func (r *loader) bodies(b *Bodies, n *yamlfile.Node) {
	if !r.report.Mapping(n, bodiesShape) {
		return
	}
	r.bool(n, "store", &b.Store)
	if v := n.Get("retention"); v != nil {
		r.age(&b.Retention, v)
	}
	for name, field := range map[string]*int64{"max_size": &b.MaxSize, "max_body": &b.MaxBody} {
		if v := n.Get(name); v != nil {
			r.size(field, v)
		}
	}
}

// age reads how long something is stored.
func (r *loader) age(field *time.Duration, n *yamlfile.Node) {
	const cure = "write a whole number with a unit, such as 30d or 12h"
	if n.Kind == yamlfile.Number {
		r.report.Add(n, "a time needs a unit", cure)
		return
	}
	text, ok := r.text(n, "how long, such as 30d")
	if !ok {
		return
	}
	age, err := parseAge(text)
	if err != nil {
		r.report.Add(n, err.Error(), cure)
		return
	}
	*field = age
}

// bodiesRelations checks values that depend on each other, and sets defaults that depend on other keys.
func (r *loader) bodiesRelations(cfg *Config, root *yamlfile.Node) {
	n := root.Get("bodies")
	if cfg.Proxy.Mode == MCPOnly && (n == nil || n.Get("store") == nil) {
		cfg.Bodies.Store = true
	}
	if n == nil || !r.report.CleanAt("bodies") {
		return
	}
	b := cfg.Bodies
	if b.MaxBody < minBody || b.MaxBody > maxBody {
		r.report.Add(firstOf(n, "max_body"), fmt.Sprintf("max_body is %s", formatSize(b.MaxBody)),
			fmt.Sprintf("choose from %s to %s", formatSize(minBody), formatSize(maxBody)))
	}
	if b.MaxBody > b.MaxSize {
		r.report.Add(firstOf(n, "max_body", "max_size"), fmt.Sprintf("max_body (%s) is more than max_size (%s)", formatSize(b.MaxBody),
			formatSize(b.MaxSize)),
			"lower the one or raise the other")
	}
}

func proxySchema() yamlfile.Schema {
	return proxyShape.Schema(map[string]yamlfile.Schema{
		"mode": wordSchema(proxyModeWords).Describe("embedded: responses are judged; mcp-only: of their calls only those of MCP servers' tools " +
			"are judged; disabled: nothing is sent to models."),
	})
}

func bodiesSchema() yamlfile.Schema {
	size := yamlfile.TextSchema()
	return bodiesShape.Schema(map[string]yamlfile.Schema{
		"store":     yamlfile.BoolSchema().Describe("Store the bodies of requests to models and of their responses, redacted."),
		"retention": yamlfile.TextSchema().Describe("How long, such as 30d."),
		"max_size":  size.Describe("How much all bodies may take, such as 500MB; the oldest are removed first."),
		"max_body":  size.Describe("How much of one body is stored, such as 1MiB."),
	})
}
