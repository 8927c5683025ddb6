package config

import (
	"strings"

	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Store says where the record is stored.
type Store struct {
	URL string // it may have a password
}

var storeShape = yamlfile.Shape{Required: []string{"url"}}

func (r *loader) store(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, storeShape) || n.Get("url") == nil {
		return
	}
	v := n.Get("url")
	text, ok := r.text(v, "a URL such as sqlite:///var/lib/weir/weir.db")
	if !ok {
		return
	}
	wrong := false
	store.URL(text).Check(r.env, func(what, cure string) {
		r.report.Add(v, what, cure)
		wrong = true
	})
	if wrong {
		return
	}
	cfg.Store.URL = text
	if path, isFile := store.URL(text).File(); isFile {
		cfg.Store.URL = strings.TrimSuffix(text, path) + r.file(v, path)
	}
}
