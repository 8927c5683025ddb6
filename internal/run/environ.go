package run

import (
	"maps"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// environ returns the environment of the agent: the user's, without weir's own variables and secrets, and with the variables that
// route the agent.
func (r *running) environ(more map[string]string) []string {
	gone := map[string]bool{}
	for _, name := range slices.Concat(r.session.response.Secrets, r.launch.Unset) {
		gone[name] = true
	}
	set := map[string]string{SessionVariable: r.session.request.ID, SocketVariable: r.socket()}
	maps.Copy(set, r.direct())
	maps.Copy(set, r.launch.Set)
	maps.Copy(set, more)
	var env []string
	for _, entry := range r.cfg.Env {
		name, _, _ := strings.Cut(entry, "=")
		if _, replaced := set[name]; !replaced && !gone[name] && !strings.HasPrefix(name, "WEIR_") {
			env = append(env, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

// direct returns variables that prevent programs from using the user's own proxy for weir's address, which is on loopback.
func (r *running) direct() map[string]string {
	set := map[string]string{}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		if value := r.lookup(name); value != "" {
			set[name] = value + "," + agent.LoopbackNames
		} else {
			set[name] = agent.LoopbackNames
		}
	}
	return set
}

// proxyVariables returns variables that ask programs to use a proxy.
func proxyVariables(address string) map[string]string {
	set := map[string]string{"NO_PROXY": agent.LoopbackNames, "no_proxy": agent.LoopbackNames, "NODE_USE_ENV_PROXY": "1"}
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		set[name] = "http://" + address
	}
	return set
}
