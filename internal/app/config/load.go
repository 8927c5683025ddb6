package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/secretfile"
	"github.com/weir-gate/weir/internal/text/envtext"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Load reads the configuration at path. An error of the content is yamlfile.Problems: everything that is wrong, with its position
// and what to do. It never contains a secret.
func Load(path string, env func(string) (string, bool)) (*Config, error) {
	data, err := yamlfile.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return parse(path, data, loader{env: env, isFolder: isFolder, clientFiles: readClientFiles, secret: secretfile.Read})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Parse reads a configuration. Relative paths in it are relative to the folder of file. It looks at no other file.
func Parse(file string, data []byte, env func(string) (string, bool)) (*Config, error) {
	return parse(file, data, loader{
		env: env, isFolder: func(string) bool { return false }, clientFiles: func(string) ([]clientFile, error) { return nil, nil },
	})
}

func parse(file string, data []byte, r loader) (*Config, error) {
	root, report := yamlfile.Parse(file, data)
	if root == nil {
		return nil, report.Err()
	}
	r.report, r.dir = report, filepath.Dir(file)
	cfg := r.document(root)
	if err := report.Err(); err != nil {
		return nil, err
	}
	return cfg, nil
}

var (
	documentShape = yamlfile.Shape{
		Optional: []string{
			"listen", "tls", "ingress", "enforcement", "proxy", "upstreams", "outgoing", "clients", "client_files", "policy", "on_deny",
			"inbound", "notice", "prices", "store", "audit", "bodies", "bounds", "metrics", "otlp", "webhooks", "egress", "log", "drain",
			"drain_notice",
		},
		NotBuilt: []string{"redis", "dlp", "control"},
	}
	enforcementWords = yamlfile.Choice{What: "a way to enforce", Words: []string{string(Enforce), string(Shadow), string(Observe)}}
	onDenyWords      = yamlfile.Choice{What: "a thing to do", Words: []string{string(Replace), string(Drop)}}
	inboundWords     = yamlfile.Choice{What: "a thing to do", Words: []string{string(Block), string(Strip)}}
)

// A loader reads the nodes of one configuration and reports what is wrong.
type loader struct {
	report   *yamlfile.Report
	env      func(string) (string, bool)
	dir      string // of the file
	isFolder func(path string) bool
	// clientFiles reads the files at the path that client_files names.
	clientFiles func(path string) ([]clientFile, error)
	seen        clientsSeen
	// secret reads a file that is for weir alone; nil: files are not looked at.
	secret func(path string) ([]byte, error)
}

func (r *loader) document(root *yamlfile.Node) *Config {
	// An error about the state folder is reported below, only if a default that needs it is still in use.
	state, stateErr := StateDir(r.env)
	cfg := Default(state)
	if !r.report.Mapping(root, documentShape) {
		return cfg
	}
	for _, e := range root.Entries {
		r.section(cfg, e.Name, e.Value)
	}
	if stateErr != nil && (root.Get("policy") == nil || root.Get("store") == nil) {
		r.report.Add(root, stateErr.Error(), "or write policy and store")
	}
	if cfg.ClientFiles != "" {
		r.clientsOfFiles(cfg, root.Get("client_files"))
	}
	r.auditRelations(cfg, root, stateErr != nil)
	r.metricsRelations(cfg, root)
	r.ingressRelations(cfg, root)
	r.relations(cfg, root)
	return cfg
}

// section reads the value of one key.
func (r *loader) section(cfg *Config, name string, n *yamlfile.Node) {
	switch name {
	case "listen":
		if n.Kind == yamlfile.Number {
			r.report.Add(n, "this is not an address", "write host:port, such as 127.0.0.1:4141")
		} else if text, ok := r.text(n, "an address such as 127.0.0.1:4141"); ok {
			cfg.Listen = text
			if path, socket := cfg.Socket(); socket && path != "" {
				cfg.Listen = unixPrefix + r.path(path)
			}
		}
	case "tls":
		r.tls(cfg, n)
	case "enforcement":
		if word, ok := r.word(n, enforcementWords); ok {
			cfg.Enforcement = Enforcement(word)
		}
	case "proxy":
		r.proxy(cfg, n)
	case "upstreams":
		r.upstreams(cfg, n)
	case "clients":
		r.clients(cfg, n)
	case "policy":
		r.policy(cfg, n)
	case "on_deny":
		if word, ok := r.word(n, onDenyWords); ok {
			cfg.OnDeny = OnDeny(word)
		}
	case "inbound":
		if word, ok := r.word(n, inboundWords); ok {
			cfg.Inbound = Inbound(word)
		}
	case "notice":
		r.notice(&cfg.Notice, n)
	case "prices":
		if text, ok := r.text(n, "the path of a table of prices"); ok {
			cfg.Prices = r.file(n, text)
		}
	case "store":
		r.store(cfg, n)
	case "audit":
		r.audit(&cfg.Audit, n)
	case "bodies":
		r.bodies(&cfg.Bodies, n)
	case "bounds":
		r.bounds(&cfg.Bounds, n)
	case "metrics":
		r.metrics(cfg, n)
	case "otlp":
		r.otlp(cfg, n)
	case "webhooks":
		r.webhooks(cfg, n)
	case "egress":
		r.egress(&cfg.Egress, n)
	default:
		r.platform(cfg, name, n)
	}
}

// platform reads the value of one key that is for whoever runs weir for others.
func (r *loader) platform(cfg *Config, name string, n *yamlfile.Node) {
	switch name {
	case "ingress":
		r.ingress(&cfg.Ingress, n)
	case "outgoing":
		r.outgoing(&cfg.Outgoing, n)
	case "client_files":
		if text, ok := r.text(n, "the path of a file or a folder"); ok {
			cfg.ClientFiles = r.path(text)
		}
	case "log":
		r.log(&cfg.Log, n)
	case "drain":
		r.drain(&cfg.Drain, n)
	case "drain_notice":
		r.drain(&cfg.DrainNotice, n)
	}
}

// text reads a string and replaces the variables in it.
func (r *loader) text(n *yamlfile.Node, what string) (string, bool) {
	raw, ok := r.report.String(n, what)
	if !ok {
		return "", false
	}
	text, err := envtext.Expand(raw, r.env)
	if err != nil {
		r.addError(n, err)
		return "", false
	}
	if text == "" {
		r.report.Add(n, "the variable is empty", "give it "+what)
		return "", false
	}
	return text, true
}

// word reads a word of a choice. Messages do not repeat the value of a variable.
func (r *loader) word(n *yamlfile.Node, c yamlfile.Choice) (string, bool) {
	if n.Kind != yamlfile.String || !strings.Contains(n.Text, "${") {
		return r.report.Word(n, c)
	}
	text, ok := r.text(n, c.What)
	if ok && !slices.Contains(c.Words, text) {
		r.report.Add(n, "the variable does not hold "+c.What, "use "+yamlfile.OneOf(c.Words))
		return "", false
	}
	return text, ok
}

// addError reports an error whose text ends with what to do.
func (r *loader) addError(n *yamlfile.Node, err error) {
	message, cure, _ := strings.Cut(err.Error(), "; ")
	r.report.Add(n, message, cure)
}

// path makes a path absolute, or at least relative to the working folder instead of the file's.
func (r *loader) path(text string) string {
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(r.dir, text)
}

// file is path for a path that must be a file, if it exists.
func (r *loader) file(n *yamlfile.Node, text string) string {
	path := r.path(text)
	if r.isFolder(path) {
		r.report.Add(n, "this is a folder", "name a file in it")
	}
	return path
}
