package mcp

import (
	"fmt"
	"maps"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A weir is a running one.
type weir struct {
	program.Install
	*program.Process
	at place
}

// startWeir starts a weir that knows some servers. policy is what it holds besides; nil: everything is allowed.
func startWeir(t *testing.T, binary string, at place, policy map[string]any, servers ...server) *weir {
	t.Helper()
	declared := []map[string]any{}
	for _, s := range servers {
		d := map[string]any{"id": s.id, "type": s.kind}
		if s.kind == "stdio" {
			d["command"], d["args"] = s.command[0], s.command[1:]
		} else {
			d["url"] = s.url()
		}
		maps.Copy(d, s.extra)
		declared = append(declared, d)
	}
	all := map[string]any{"version": 1, "default": "allow", "mcp": map[string]any{"servers": declared}}
	maps.Copy(all, policy)
	text, err := json.Marshal(all, json.Deterministic(true)) // JSON is YAML
	if err != nil {
		t.Fatal(err)
	}
	in := program.In(t.TempDir(), binary)
	in.Env, in.Exec = []string{"WEIR_TEST_SECRET=good"}, at.command
	return &weir{in, in.Serve(t, fmt.Sprintf("policy: %s\n", text)), at}
}

// gateway is a server as weir offers it over HTTP.
func (w *weir) gateway(j job, s server) job {
	j.Transport, j.Command, j.URL = "http", nil, w.Base+"/mcp/"+s.id
	return j
}

// wrapped is a server with weir around it.
func (w *weir) wrapped(j job, s server) job {
	j.Transport, j.URL = "stdio", ""
	j.Command = append([]string{w.Binary, "mcp", "wrap", "--config", w.Config, "--id", s.id, "--"}, s.command...)
	return j
}

// An event is an entry of the record.
type event struct {
	Type    string `json:"type"`
	Surface string `json:"surface"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
	Verdict string `json:"verdict"`
	Blocked bool   `json:"blocked"`
	Code    string `json:"code"`
}

// record is all that the weir recorded.
func (w *weir) record(t *testing.T) []event { return program.Record[event](t, w.Install) }
