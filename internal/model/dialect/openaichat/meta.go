package openaichat

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// readMeta reads what a frame says about the response. This has no effect on calls, so invalid members are ignored.
func (d *editor) readMeta(root strictjson.Value) {
	if d.meta.ResponseID == "" || d.meta.Model == "" {
		d.readNames(root)
	}
	usage, err := root.Member("usage")
	if err != nil || usage.Kind() != strictjson.Object {
		return
	}
	dialect.Count(usage, "prompt_tokens", &d.meta.Usage.Input)
	dialect.Count(usage, "completion_tokens", &d.meta.Usage.Output)
	if details, err := usage.Member("prompt_tokens_details"); err == nil {
		dialect.Count(details, "cached_tokens", &d.meta.Usage.CacheRead)
		dialect.Count(details, "cache_write_tokens", &d.meta.Usage.CacheCreation)
	}
}

// readNames reads the first id and model that are not empty: Azure begins with a chunk that has neither.
func (d *editor) readNames(root strictjson.Value) {
	if v, err := root.Member("id"); err == nil && d.meta.ResponseID == "" {
		d.meta.ResponseID, _ = v.Text()
	}
	if v, err := root.Member("model"); err == nil && d.meta.Model == "" {
		d.meta.Model, _ = v.Text()
	}
	if v, err := root.Member("created"); err == nil && v.Kind() == strictjson.Number {
		d.created = append(d.created[:0], v.Raw()...)
	}
}
