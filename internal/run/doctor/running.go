package doctor

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// running examines the running weir, and which program has its port.
func (e *examination) running(ctx context.Context) {
	switch {
	case e.NoSocket != nil:
		e.add(Error, text(e.NoSocket), "weir run and weir mcp wrap reach weir by its socket", "make the folder yours alone, or remove it")
	case e.Ask != nil:
		if hello, err := e.Ask.Hello(ctx); err == nil {
			e.hello = &hello
		}
	}
	if e.hello == nil {
		e.notRunning(ctx)
		return
	}
	if !e.hello.Admitted {
		e.add(Error, "the running weir has clients, and WEIR_KEY is not the key of one", "weir run, weir mcp wrap and weir verify are refused",
			"set WEIR_KEY to your key")
	}
	if e.hello.Version != e.Version {
		e.add(Warning, fmt.Sprintf("weir %s runs, and this program is weir %s", e.hello.Version, e.Version), "they may not work together",
			fmt.Sprintf("end process %d, and start weir serve again", e.hello.PID))
	}
	e.inForce()
}

// inForce checks whether the running weir has the policy that the user edits.
func (e *examination) inForce() {
	has := e.hello.Policy
	if has.Version == "" {
		return
	}
	const why = "what agents ask for is judged by another policy than the one you see"
	switch edited := e.named; {
	case has.Trouble != "":
		e.add(Error, "the policy "+has.Source+" was changed, but has errors: the running weir uses version "+has.Version, why,
			"weir policy check "+has.Source)
	case edited.Version != "" && edited.Version != has.Version:
		e.add(Warning, fmt.Sprintf("the running weir has the policy %s, version %s, and not %s, version %s", has.Source, has.Version,
			edited.Source, edited.Version), why,
			fmt.Sprintf("end process %d, and start weir serve again", e.hello.PID))
	}
}

// notRunning reports what it means that no weir runs.
func (e *examination) notRunning(ctx context.Context) {
	severity, why := Note, "weir run and weir mcp wrap start one when they need it"
	if len(e.entries) > 0 {
		var names []string
		for _, entry := range e.entries {
			names = append(names, entry.Name)
		}
		severity, why = Error, "clients are set up to reach their models through it, and cannot: "+strings.Join(names, ", ")
	}
	if e.config == nil {
		e.add(severity, "no weir runs on this machine", why, "weir serve")
		return
	}
	switch who := whoAnswers(ctx, e.config.Listen); who {
	case nobody:
		e.add(severity, "no weir runs on this machine", why, "weir serve")
	case aWeir:
		e.add(Error, "a weir listens on "+e.config.Listen+", but it has another state folder",
			"weir run and weir mcp wrap cannot use it, and cannot start another one on its port",
			"set XDG_STATE_HOME as it was when that weir was started, or set listen to another port")
	default:
		e.add(Error, "the port of "+e.config.Listen+" is taken by "+who, "weir cannot listen there; requests to that port are not judged",
			"end that program, or set listen in weir.yaml to another port")
	}
}

// The possible programs at a port.
const (
	nobody   = "nobody"
	aWeir    = "weir"
	somebody = "another program"
)

// answersWithin is how long a program may take to respond.
const answersWithin = 3 * time.Second

// whoAnswers finds out which program listens on an address.
func whoAnswers(ctx context.Context, address string) string {
	network := "tcp"
	if path, socket := strings.CutPrefix(address, "unix:"); socket {
		network, address = "unix", path
	}
	at, err := netip.ParseAddrPort(address)
	if err == nil && at.Addr().IsUnspecified() {
		address = net.JoinHostPort("127.0.0.1", fmt.Sprint(at.Port()))
	}
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nobody
	}
	_ = conn.Close()
	url := "http://" + address + "/"
	if network == "unix" {
		url = "http://localhost/"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return somebody
	}
	client := &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, address)
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(r)
	if err != nil {
		return somebody
	}
	defer resp.Body.Close()
	var greeting struct {
		Name string `json:"name"`
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<12))
	if err == nil && json.Unmarshal(body, &greeting) == nil && greeting.Name == "weir" {
		return aWeir
	}
	return somebody + " that speaks HTTP"
}
