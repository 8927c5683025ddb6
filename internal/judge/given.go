package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/scan"
)

// asServersWrite parses JSON that need not be strict: nothing is judged by what is found.
var asServersWrite = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Given records what an MCP server returned, and rules on whether it may reach the client. It does not wait for the record: the
// tool has already run.
func (j *Judge) Given(ctx context.Context, g call.Given) call.Ruling {
	p := j.policyOf(g.Actor)
	j.meet(ctx, g)
	found := j.scanGiven(ctx, g, p)
	ruling := call.Ruling{Released: true, Call: g.Call}
	verdict := p.Scan().Verdict(kindOf(g.Method), severity(found))
	switch {
	case ctx.Err() != nil:
		// What could not be scanned to its end does not pass.
		ruling, verdict = call.Ruling{Code: call.CodeCutShort, Reason: "Nobody waits for the response any more.", Call: g.Call}, policy.Deny
	case verdict == policy.Deny:
		ruling = call.Ruling{Code: call.CodeContentDenied, Reason: reasonScanned, Rule: policy.RuleScan, Policy: p.Version(), Call: g.Call}
	}
	// Nothing of a denied server passes: neither its instructions, nor what it offers.
	if d, denied := p.RefusesServer(g.Server.ID, g.Actor); denied {
		ruling, verdict = refusal(d, p), policy.Deny
		ruling.Call = g.Call
	}
	enforced := j.cfg.Mode == Enforce
	if g.Call != "" || verdict != policy.Allow {
		e := givenEvent(g, p)
		if d, ok := e.Detail.(record.ToolResult); ok {
			d.Findings = recorded(found)
			e.Detail = d
		}
		switch verdict {
		case policy.Deny:
			refuse(&e, ruling, enforced)
		case policy.Audit:
			e.Verdict, e.Rule, e.Reason = string(policy.Audit), policy.RuleScan, reasonScanned
		}
		j.cfg.Recorder.Record(e, nil)
	}
	if !enforced {
		return call.Ruling{Released: true, Call: g.Call}
	}
	return ruling.WithContact(j.cfg.Contact)
}

// kindOf says which verdicts apply to a response. What a server says of itself and of what it offers is read by the model as
// instructions, as definitions of tools are.
func kindOf(method string) policy.ScanKind {
	if method == "initialize" || method == "server/discover" || strings.HasSuffix(method, "/list") {
		return policy.ScanDefinitions
	}
	return policy.ScanResults
}

// scanGiven scans what a server returned for misleading text. The server's own words count for more than what it passes on.
func (j *Judge) scanGiven(ctx context.Context, g call.Given, p *policy.Policy) []scan.Finding {
	scanner := j.scans.of(p).Until(func() bool { return ctx.Err() != nil })
	switch {
	case g.Result == nil:
		return scanner.ResultJSON("error", g.Error)
	case kindOf(g.Method) == policy.ScanDefinitions:
		return scanner.Definition(scan.Definition{Server: g.Server.ID, Other: g.Result})
	}
	return scanner.ResultJSON("result", g.Result)
}

// An introduction is what a server says of itself.
type introduction struct {
	ServerInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

// meet notes the name that a server gives itself. A failure does no harm: its tools say more.
func (j *Judge) meet(ctx context.Context, g call.Given) {
	var said introduction
	if j.cfg.Registry == nil || g.Method != "initialize" || json.Unmarshal(g.Result, &said, asServersWrite) != nil {
		return
	}
	_, _ = j.cfg.Registry.Met(ctx, registry.Server{
		ID: g.Server.ID, Type: g.Server.Type, Addr: g.Server.Addr, Name: said.ServerInfo.Name, Version: said.ServerInfo.Version,
	})
}

func givenEvent(g call.Given, p *policy.Policy) record.Event {
	body, detail := g.Result, record.ToolResult{}
	if body == nil {
		body, detail.Failed = g.Error, true
	}
	detail.SizeBytes, detail.Digest = int64(len(body)), digestOf(body)
	if g.Tool == "" {
		detail.Method = g.Method
	}
	detail.Failed = detail.Failed || saysError(g.Result)
	e := record.Event{
		Time: time.Now(), Type: record.Types.ToolResult, Actor: g.Actor, Surface: call.MCP, CallID: g.Call,
		Server: g.Server.ID, MCP: record.MCP{ServerType: g.Server.Type, ServerAddr: g.Server.Addr, RPCID: g.RPCID}, Tool: g.Tool,
		Ruling: record.Ruling{PolicyVersion: p.Version()}, Detail: detail,
	}
	e.Exchange.Trace = g.Trace
	return e
}

// saysError says whether a tool says that it failed.
func saysError(result jsontext.Value) bool {
	var said struct {
		IsError bool `json:"isError"`
	}
	return len(result) > 0 && json.Unmarshal(result, &said, asServersWrite) == nil && said.IsError
}

// digestOf names bytes: "sha256:" and hex.
func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
