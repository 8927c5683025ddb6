package cli

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home/hometest"
	"github.com/weir-gate/weir/internal/record/store"
)

// withRegistry does something with the registry in a file, at a time of RFC 3339.
func withRegistry(ts *testscript.TestScript, file, at string, do func(context.Context, *registry.Registry) error) {
	now, err := time.Parse(time.RFC3339, at)
	ts.Check(err)
	ctx := context.Background()
	s, err := store.Open(ctx, "sqlite://"+ts.MkAbs(file))
	ts.Check(err)
	defer s.Close() // what was written is durable
	r, err := registry.New(ctx, registry.Config{Store: s, Now: func() time.Time { return now }})
	ts.Check(err)
	ts.Check(do(ctx, r))
}

// meet FILE TIME SERVER TYPE ADDRESS [NAME VERSION] has a server be met.
func meet(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && (len(args) == 5 || len(args) == 7), "meet FILE TIME SERVER TYPE ADDRESS [NAME VERSION]")
	s := registry.Server{ID: args[2], Type: args[3], Addr: args[4]}
	if len(args) == 7 {
		s.Name, s.Version = args[5], args[6]
	}
	withRegistry(ts, args[0], args[1], func(ctx context.Context, r *registry.Registry) error {
		_, err := r.Met(ctx, s)
		return err
	})
}

// offer FILE TIME SERVER TOOLS [trust] has a server offer the tools of a JSON array, and none beside. With trust, those that are
// new are trusted.
func offer(ts *testscript.TestScript, neg bool, args []string) {
	trust := len(args) == 5 && args[4] == "trust"
	usage(ts, !neg && (len(args) == 4 || trust), "offer FILE TIME SERVER TOOLS [trust]")
	var entries []jsontext.Value
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[3])), &entries))
	l := registry.Listing{Server: args[2], Complete: true, TrustFirst: trust}
	for _, e := range entries {
		d, err := registry.Bounds{}.Read(args[2], e)
		ts.Check(err)
		l.Tools = append(l.Tools, d)
	}
	withRegistry(ts, args[0], args[1], func(ctx context.Context, r *registry.Registry) error {
		_, err := r.Observe(ctx, l)
		return err
	})
}

// happened FILE EVENTS records events, one JSON object a line: type, surface, server, tool, verdict, blocked, code, rule, args, call_id,
// who, session, model, time ("@now": this moment), and detail.
func happened(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "happened FILE EVENTS")
	var events []record.Event
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		line = strings.Replace(line, `"@now"`, `"`+time.Now().UTC().Format(time.RFC3339Nano)+`"`, 1)
		var e struct {
			Type    record.Type
			Time    time.Time
			Surface call.Surface
			Server  string
			Tool    string
			Verdict string
			Blocked bool
			Code    string
			Rule    string
			CallID  call.ID `json:"call_id"`
			WireID  string  `json:"wire_id"`
			Request string  `json:"request_id"`
			Session string
			Who     string // the employee
			Model   string
			Args    jsontext.Value
			Detail  jsontext.Value
		}
		ts.Check(json.Unmarshal([]byte(line), &e, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)))
		event := record.Event{
			Type: e.Type, Time: e.Time, Surface: e.Surface, Server: e.Server, Tool: e.Tool,
			Ruling: record.Ruling{Verdict: e.Verdict, Blocked: e.Blocked, Code: e.Code, Rule: e.Rule},
			CallID: e.CallID, WireID: e.WireID, Args: e.Args,
			Actor: call.Actor{Session: e.Session, Employee: e.Who}, Exchange: call.Exchange{RequestID: e.Request, Model: e.Model},
		}
		var err error
		event.Detail, err = record.Text{Type: e.Type, Detail: e.Detail}.ReadDetail()
		ts.Check(err)
		events = append(events, event)
	}
	ts.Check(hometest.Record(context.Background(), "sqlite://"+ts.MkAbs(args[0]), "", events...))
}
