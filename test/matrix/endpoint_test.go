package main

import (
	"net/http"
	"strings"
	"testing"

	known "github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/model/wire"
)

// unplayed are the gated endpoints that have no line in the table: each has a form of its own, of which weir only has to find
// that a call is in it. around is that form, with a completion in it.
var unplayed = map[string]struct{ path, builtIn, around string }{
	"GET /v1/evals/{id}/runs/{id}/output_items": {
		"/v1/evals/e/runs/r/output_items", "openai", `{"object":"list","data":[{"object":"eval.run.output_item","id":"o","sample":{"output":[%s]}}],"has_more":false}`,
	},
	"GET /v1/evals/{id}/runs/{id}/output_items/{id}": {
		"/v1/evals/e/runs/r/output_items/o", "openai", `{"object":"eval.run.output_item","id":"o","sample":{"output":[%s]}}`,
	},
	"GET /v1/batches/{id}/requests": {"/v1/batches/b/requests", "xai", `{"batch_request_metadata":[{"batch_request_id":"b","result":%s}]}`},
	"GET /v1/batches/{id}/results": {
		"/v1/batches/b/results", "xai", `{"results":[{"batch_request_id":"b","batch_result":{"response":{"chat_get_completion":%s}}}]}`,
	},
	"GET /v1/batch/jobs/{id}": {
		"/v1/batch/jobs/j", "mistral", `{"id":"j","object":"batch","status":"SUCCESS","outputs":[{"custom_id":"a","response":{"status_code":200,"body":%s}}]}`,
	},
	"GET /v1/generation/content": {"/v1/generation/content?id=g", "openrouter", `{"data":{"input":{"messages":[]},"output":%s}}`},
}

// What has a form of its own does not leak either.
func TestOtherFormsDoNotLeak(t *testing.T) {
	var cells []*cell
	for name, u := range unplayed {
		method, _, _ := strings.Cut(name, " ")
		e := &endpoint{
			method: method, path: u.path, builtIn: u.builtIn, modes: []mode{whole},
			body: func(t turn) string { return strings.Replace(u.around, "%s", wire.Chat.Whole(t.said()), 1) },
		}
		for i := range verdicts {
			c := ordinaryCell(row{&chatFormat, e, whole})
			c.number, c.verdict = len(cells), &verdicts[i]
			cells = append(cells, &c)
		}
	}
	upstream, weir := stage(t, cells)
	for _, f := range run(t.Context(), cells, weir) {
		if f.fault == leaks || f.answer.err != nil || f.answer.status == http.StatusNotFound {
			t.Errorf("%s: %s (%s), status %d: %q", f.cell, f.fault, f.why, f.answer.status, f.answer.body)
		}
	}
	for _, f := range run(t.Context(), cells, proxy(t, upstream, nil)) {
		if !f.cell.verdict.released && f.fault != leaks {
			t.Errorf("%s: a bare proxy does not leak", f.cell)
		}
	}
}

// Every endpoint that weir says it gates has a line in the table.
func TestEveryGatedEndpointIsPlayed(t *testing.T) {
	tables := known.Tables()
	played := map[string]bool{}
	for _, r := range rows() {
		for _, way := range r.format.routes(r.endpoint) {
			c := cell{row: r, route: way, verdict: &verdicts[0]}
			_, path, _ := strings.Cut(strings.TrimPrefix(c.target(), "/"), "/")
			path, _, _ = strings.Cut(path, "?")
			for i := range tables {
				if found, ok := tables[i].Find(r.endpoint.verb(), tidy(path)); ok {
					played[found.Method+" "+found.Path] = true
				}
			}
		}
	}
	gated := map[string]bool{}
	for _, table := range tables {
		for _, r := range table.Rows {
			name := r.Method + " " + r.Path
			if gated[name] || r.Treatment != known.Gated {
				continue
			}
			gated[name] = true
			if _, excused := unplayed[name]; played[name] == excused {
				t.Errorf("%s of %s: played: %v; excused: %v: a format in format.go plays it, or unplayed says why not", name, table.Name, played[name], excused)
			}
		}
	}
	for name := range unplayed {
		if !gated[name] {
			t.Errorf("%s is excused, and not there", name)
		}
	}
}

// tidy is a path without empty segments, and without those that stand for themselves.
func tidy(path string) string {
	var b strings.Builder
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && segment != "." {
			b.WriteString("/" + segment)
		}
	}
	return b.String()
}
