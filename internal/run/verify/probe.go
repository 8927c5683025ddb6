package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/run"
	"github.com/weir-gate/weir/internal/run/canary"
)

// maxPlan is more than the size of any plan or findings, in bytes.
const maxPlan = 1 << 20

// Probe carries out a plan inside a session: it reads the plan from in, and writes its findings to out.
func Probe(ctx context.Context, in io.Reader, out io.Writer) error {
	if os.Getenv(run.SessionVariable) == "" {
		return errors.New("this is a part of weir verify, which runs it in a session; use weir verify")
	}
	text, err := io.ReadAll(io.LimitReader(in, maxPlan))
	if err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	var p Plan
	if err := json.Unmarshal(text, &p, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	text, err = json.Marshal(p.carryOut(ctx))
	if err != nil {
		return fmt.Errorf("write what was found: %w", err)
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

func (p *Plan) carryOut(ctx context.Context) Findings {
	f := Findings{Answers: p.ask(ctx)}
	add := func(trial string, r Result, seen string) { f.Trials = append(f.Trials, Finding{trial, r, seen}) }
	if proxy := os.Getenv("HTTPS_PROXY"); !p.Confined && proxy != "" {
		r, seen := tryProxy(ctx, proxy)
		add(trialProxy, r, seen)
	}
	if !p.Confined {
		return f
	}
	for _, t := range []struct {
		trial string
		try   func() (Result, string)
	}{
		{trialTCP4, func() (Result, string) { return tryTCP(ctx, "192.0.2.1:443") }},
		{trialTCP6, func() (Result, string) { return tryTCP(ctx, "[2001:db8::1]:443") }},
		{trialUDP, func() (Result, string) { return tryUDP(ctx, "192.0.2.1:9") }},
		{trialLookup, func() (Result, string) { return tryLookup(ctx) }},
		{trialPort, func() (Result, string) { return tryPort(ctx, p.Port, p.Banner) }},
		{trialControl, func() (Result, string) { return trySockets(ctx, []string{p.Control}) }},
		{trialSockets, func() (Result, string) { return trySockets(ctx, p.Sockets) }},
		{trialHidden, func() (Result, string) { return tryRead(p.Hidden, "") }},
		{trialProcess, p.tryProcesses},
		{trialNested, func() (Result, string) { return tryNested(p.Hidden) }},
	} {
		r, seen := t.try()
		add(t.trial, r, seen)
	}
	if p.Policy != "" {
		for trial, try := range map[string]func(string) (Result, string){trialWrite: tryWrite, trialReplace: tryReplace, trialFolder: tryFolder} {
			r, seen := try(p.Policy)
			add(trial, r, seen)
		}
	}
	return f
}

// sessionAddress matches the address of a session, which is followed by the names of upstreams.
var sessionAddress = regexp.MustCompile(`^http://127\.0\.0\.1:[0-9]+/k/[^/]+`)

// lead returns the address of the session, from the first of these variables that has it, else from any other variable.
func lead(variables []string) (string, bool) {
	for _, name := range variables {
		if base := sessionAddress.FindString(os.Getenv(name)); base != "" {
			return base, true
		}
	}
	for _, entry := range os.Environ() {
		_, value, _ := strings.Cut(entry, "=")
		if base := sessionAddress.FindString(value); base != "" {
			return base, true
		}
	}
	return "", false
}

// ask asks the canary in all formats.
func (p *Plan) ask(ctx context.Context) map[string][2]Told {
	client := &http.Client{
		Transport:     &http.Transport{Proxy: nil, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	told := map[string][2]Told{}
	for _, f := range formats.All() {
		var both [2]Told
		for i, streamed := range []bool{true, false} {
			base, ok := lead(f.Variables)
			err := errors.New("no environment variable has the address of the session")
			if ok {
				both[i].Answer, err = canary.Ask(ctx, client, canary.Request{
					Base: base + "/" + canary.Upstream, Format: f, Streamed: streamed,
					Nonce: p.Nonces[f.Name][i],
				})
			}
			if err != nil {
				both[i].Trouble = err.Error()
			}
		}
		told[f.Name] = both
	}
	return told
}
