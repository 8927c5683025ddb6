package openairesponses

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// readMeta reads what a response says about itself. This has no effect on calls, so invalid members are ignored.
func (d *editor) readMeta(response strictjson.Value) {
	if v, err := response.Member("id"); err == nil && d.Options.Response == "" {
		if id, ok := v.Text(); ok && len(id) <= dialect.MaxName {
			d.meta.ResponseID = id
		}
	}
	if v, err := response.Member("model"); err == nil {
		if model, ok := v.Text(); ok {
			d.meta.Model = model
		}
	}
	if v, err := response.Member("conversation"); err == nil {
		if v.Kind() == strictjson.Object {
			v, _ = v.Member("id")
		}
		if id, ok := v.Text(); ok && len(id) <= dialect.MaxName {
			d.meta.Conversation = id
		}
	}
	if v, err := response.Member("store"); err == nil {
		if stored, ok := v.Bool(); ok {
			d.kept = stored || d.meta.Conversation != ""
		}
	}
	usage, err := response.Member("usage")
	if err != nil || usage.Kind() != strictjson.Object {
		return
	}
	dialect.Count(usage, "input_tokens", &d.meta.Usage.Input)
	dialect.Count(usage, "output_tokens", &d.meta.Usage.Output)
	if details, err := usage.Member("input_tokens_details"); err == nil {
		dialect.Count(details, "cached_tokens", &d.meta.Usage.CacheRead)
		dialect.Count(details, "cache_write_tokens", &d.meta.Usage.CacheCreation)
	}
}
