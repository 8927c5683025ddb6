package gemini

import (
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Meta implements dialect.Dialect.
func (d *editor) Meta() dialect.Meta {
	m := d.meta
	m.Usage.Input += d.toolTokens // they are not counted in the prompt
	m.Usage = m.Usage.WithoutCached()
	m.Ended = d.ended || d.allFinished()
	return m
}

func (d *editor) allFinished() bool {
	for _, c := range d.candidates {
		if !c.finished {
			return false
		}
	}
	return len(d.candidates) > 0
}

// readMeta reads what a response says about itself. This has no effect on calls, so invalid members are ignored.
func (d *editor) readMeta(v strictjson.Value) {
	if m, err := v.Member("modelVersion"); err == nil && d.meta.Model == "" {
		d.meta.Model, _ = m.Text()
	}
	if m, err := v.Member("responseId"); err == nil && d.meta.ResponseID == "" {
		d.meta.ResponseID, _ = m.Text()
	}
	usage, err := v.Member("usageMetadata")
	if err != nil || usage.Kind() != strictjson.Object {
		return
	}
	dialect.Count(usage, "promptTokenCount", &d.meta.Usage.Input)
	dialect.Count(usage, "toolUsePromptTokenCount", &d.toolTokens)
	dialect.Count(usage, "cachedContentTokenCount", &d.meta.Usage.CacheRead)
	var output, thoughts int64
	dialect.Count(usage, "candidatesTokenCount", &output)
	dialect.Count(usage, "thoughtsTokenCount", &thoughts)
	if output+thoughts > 0 {
		d.meta.Usage.Output = output + thoughts
	}
}
