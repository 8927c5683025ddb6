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
	kind, known := store.KindOf(text)
	if !known {
		r.report.Add(v, "this is not a store", "write "+store.Advised())
		return
	}
	problems := kind.Check(text, r.env)
	for _, p := range problems {
		r.report.Add(v, p.What, p.Cure)
	}
	switch path, isFile := kind.File(text); {
	case !isFile:
		cfg.Store.URL = text
	case len(problems) == 0:
		cfg.Store.URL = strings.TrimSuffix(text, path) + r.file(v, path)
	}
}
