package config

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Metrics says who may read metrics.
type Metrics struct {
	Enabled bool // whether weir serves /metrics; default true
	// Token is the token for /metrics; "": if weir has clients, nobody may read it; else everyone who reaches weir may.
	Token string
}

// OTLP says where traces and logs of OpenTelemetry are sent.
type OTLP struct {
	Endpoint *url.URL // nil: nowhere
	Headers  map[string]string
	Traces   bool // default true
	Logs     bool // default true
	Content  bool // the arguments of calls are sent, too; default false
	Resource map[string]string
}

// minSecret is the least length of secrets between weir and other services.
const minSecret = 16

var (
	metricsShape = yamlfile.Shape{Optional: []string{"enabled", "token"}}
	otlpShape    = yamlfile.Shape{Required: []string{"endpoint"}, Optional: []string{"headers", "traces", "logs", "content", "resource"}}
)

func (r *loader) metrics(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, metricsShape) {
		return
	}
	r.bool(n, "enabled", &cfg.Metrics.Enabled)
	if v := n.Get("token"); v != nil {
		if cfg.Metrics.Token, _ = r.text(v, "the token of whoever reads metrics"); cfg.Metrics.Token != "" {
			r.metricsToken(v, cfg.Metrics.Token)
		}
	}
}

// metricsToken checks a token without repeating it.
func (r *loader) metricsToken(n *yamlfile.Node, token string) {
	switch {
	case len(token) < minSecret:
		r.report.Add(n, fmt.Sprintf("the token has fewer than %d characters", minSecret), "make one with: openssl rand -hex 24")
	case strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		r.report.Add(n, "a header cannot hold the token", "use printable characters of ASCII without spaces, as openssl rand -hex 24 gives")
	}
}

// metricsRelations checks that the token is not the key of a client.
func (r *loader) metricsRelations(cfg *Config, root *yamlfile.Node) {
	for _, c := range cfg.Clients {
		if cfg.Metrics.Token != "" && c.Has(cfg.Metrics.Token) {
			r.report.Add(root.Get("metrics").Get("token"), "the token is the key of a client, who would see what all clients do",
				"make one with: openssl rand -hex 24")
		}
	}
}

func metricsSchema() yamlfile.Schema {
	return metricsShape.Schema(map[string]yamlfile.Schema{
		"enabled": yamlfile.BoolSchema().Describe("Whether /metrics is served (default: true)."),
		"token": yamlfile.TextSchema().Describe("The bearer token for /metrics: at least 16 characters. Where there are clients, " +
			"nothing else does."),
	})
}

// bool reads a bool, if it is set.
func (r *loader) bool(n *yamlfile.Node, name string, to *bool) {
	if v := n.Get(name); v != nil {
		*to, _ = r.report.Bool(v)
	}
}

func (r *loader) otlp(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, otlpShape) {
		return
	}
	o := OTLP{Traces: true, Logs: true}
	if v := n.Get("endpoint"); v != nil {
		if text, ok := r.text(v, "the address of a receiver, such as http://127.0.0.1:4318"); ok {
			o.Endpoint = r.url(v, text)
		}
	}
	r.bool(n, "traces", &o.Traces)
	r.bool(n, "logs", &o.Logs)
	r.bool(n, "content", &o.Content)
	o.Headers = r.texts(n.Get("headers"), headerName, "a header")
	o.Resource = r.texts(n.Get("resource"), attributeName, "an attribute")
	if !o.Traces && !o.Logs {
		r.report.Add(n, "neither traces nor logs are sent", "remove otlp, or switch one of them on")
	}
	cfg.OTLP = o
}

var (
	headerName    = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+.^_|~-]+$`)
	attributeName = regexp.MustCompile(`^[a-z][a-z0-9_.]*$`)
)

// texts reads a mapping of names to texts.
func (r *loader) texts(n *yamlfile.Node, name *regexp.Regexp, what string) map[string]string {
	if n == nil {
		return nil
	}
	var shape yamlfile.Shape
	if n.Kind == yamlfile.Map {
		for _, e := range n.Entries {
			shape.Optional = append(shape.Optional, e.Name)
		}
	}
	if !r.report.Mapping(n, shape) {
		return nil
	}
	out := map[string]string{}
	for _, e := range n.Entries {
		if !name.MatchString(e.Name) {
			r.report.Add(e.Value, "this is not a name of "+what, "correct the name")
			continue
		}
		if text, ok := r.text(e.Value, "the value of "+what); ok {
			if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' }) {
				r.report.Add(e.Value, "the value has a line break or another control character in it", "check the variable for a line break at its end")
				continue
			}
			out[e.Name] = text
		}
	}
	return out
}

func otlpSchema() yamlfile.Schema {
	text, flag := yamlfile.TextSchema(), yamlfile.BoolSchema()
	texts := yamlfile.Schema{"type": "object", "additionalProperties": text}
	return otlpShape.Schema(map[string]yamlfile.Schema{
		"endpoint": text.Describe("The base address of a receiver of OTLP over HTTP, such as http://127.0.0.1:4318."),
		"headers":  texts.Describe("Sent with every request."), "resource": texts.Describe("Attributes of this weir."),
		"traces":  flag.Describe("Send a span for every request and call (default: true)."),
		"logs":    flag.Describe("Send a record for every event (default: true)."),
		"content": flag.Describe("Send the arguments of calls, as recorded (default: false)."),
	})
}
