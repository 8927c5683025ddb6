package doctor

import (
	"context"
	"net"
	"net/url"

	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/text/inert"
)

// agents examines the configurations of agents.
func (e *examination) agents(ctx context.Context) {
	for _, a := range roster.All() {
		made := e.isSetUp(a.Name())
		if !made && !e.Installed(a) {
			continue
		}
		look, err := a.Look(e.Surroundings)
		if err != nil {
			e.add(Error, "the settings of "+a.Title()+" cannot be read: "+text(err), "weir run and weir setup do not work for it",
				"correct the file")
			continue
		}
		if made {
			e.setUpClient(ctx, a, look)
		}
	}
}

// setUpClient examines an agent that weir setup has routed here.
func (e *examination) setUpClient(ctx context.Context, a agent.Agent, look agent.Look) {
	if len(look.Routes) > 0 {
		e.lead(ctx, a, look.Routes[0])
	}
	for _, s := range look.Servers {
		if s.Way == agent.Bare {
			why := "its calls are not judged, and its results not looked at"
			e.add(Warning, a.Title()+" reaches the MCP server "+inert.Name(s.Name, 80)+" without weir", why, cureOfServer(a, s))
		}
	}
}

// cureOfServer says how to route a server through weir.
func cureOfServer(a agent.Agent, s agent.Server) string {
	if s.URL != "" {
		return "declare it under mcp.servers in the policy; then weir setup " + a.Name() + ", or weir run -- " + a.Name()
	}
	return "weir setup " + a.Name() + ", or weir run -- " + a.Name()
}

// lead checks whether a weir listens at the address that an agent uses for models.
func (e *examination) lead(ctx context.Context, a agent.Agent, l agent.Route) {
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" {
		e.add(Error, a.Title()+" is set up, but "+l.Setting+" is not an address", "it does not go through weir", "weir setup "+a.Name())
		return
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		e.add(Error, a.Title()+" is set up, but "+l.Setting+" ("+l.Origin+") points to "+u.Host, "its calls are not judged", "weir setup "+
			a.Name()+", or weir setup "+a.Name()+" --undo")
		return
	}
	if u.Scheme != "http" {
		return // the server has a certificate, and only the client knows whether to trust it
	}
	if who := whoAnswers(ctx, u.Host); who != aWeir {
		e.add(Error, a.Title()+" is set up to use "+u.Host+", where "+who+" listens", "it cannot reach its models, or reaches something else",
			"weir serve, or weir setup "+a.Name()+" --undo")
	}
}

// environment examines variables that would make programs bypass weir.
func (e *examination) environment(context.Context) {
	if e.config == nil {
		return
	}
	w := agent.Weir{Base: e.config.ClientBase(), Upstreams: map[string]string{}}
	for name, u := range e.config.Upstreams {
		w.Upstreams[name] = u.URL.String()
	}
	for _, name := range misleading(e.Surroundings, w) {
		value, _ := e.Surroundings.Lookup(name)
		host := "somewhere that cannot be read"
		if u, err := url.Parse(value); err == nil && u.Host != "" {
			host = u.Host // the rest of the address may have a secret in it
		}
		e.add(Warning, name+" points to "+host+", which is not an upstream of weir",
			"weir run does not start programs with it, and without weir run they bypass weir", "unset "+
				name+", or declare the upstream in weir.yaml")
	}
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		if value, ok := e.Surroundings.Lookup(name); ok && value != "" {
			e.add(Note, name+" is set", "a weir that is started with it reaches the upstreams through that proxy",
				"set outgoing.proxy to none in weir.yaml if it must not")
			return
		}
	}
}

// misleading returns the variables with which weir run would refuse to start a program.
func misleading(p agent.Surroundings, w agent.Weir) (names []string) {
	launches := func(lookup func(string) (string, bool)) bool {
		_, err := agent.Program{}.Launch(agent.Surroundings{Home: p.Home, Dir: p.Dir, Lookup: lookup}, w, nil)
		return err == nil
	}
	var asked []string
	launches(func(name string) (string, bool) {
		asked = append(asked, name)
		return "", false
	})
	for _, name := range asked {
		alone := func(n string) (string, bool) {
			if n != name {
				return "", false
			}
			return p.Lookup(n)
		}
		if !launches(alone) {
			names = append(names, name)
		}
	}
	return names
}
