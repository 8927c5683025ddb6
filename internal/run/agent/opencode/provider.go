package opencode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// openCodeProviders are the providers that opencode knows and that weir has upstreams for. A provider is in use if the user is
// logged in there, has set one of its variables, or has configured it. Other providers must not be added to the configuration:
// opencode would use them.
var openCodeProviders = map[string]struct {
	address        string // without configuration
	upstream, rest string // its upstream and path at weir
	keys           []string
}{
	"anthropic": {"https://api.anthropic.com/v1", "anthropic", "/v1", []string{"ANTHROPIC_API_KEY"}},
	"openai":    {"https://api.openai.com/v1", "openai", "/v1", []string{"OPENAI_API_KEY"}},
	"google": {
		"https://generativelanguage.googleapis.com/v1beta", "gemini", "/v1beta",
		[]string{"GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"},
	},
	"xai":        {"https://api.x.ai/v1", "xai", "/v1", []string{"XAI_API_KEY"}},
	"mistral":    {"https://api.mistral.ai/v1", "mistral", "/v1", []string{"MISTRAL_API_KEY"}},
	"groq":       {"https://api.groq.com/openai/v1", "groq", "/v1", []string{"GROQ_API_KEY"}},
	"deepseek":   {"https://api.deepseek.com", "deepseek", "/v1", []string{"DEEPSEEK_API_KEY"}},
	"openrouter": {"https://openrouter.ai/api/v1", "openrouter", "/v1", []string{"OPENROUTER_API_KEY"}},
}

// addressVariables are the variables with the addresses of providers whose configuration has none.
var addressVariables = map[string]string{"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL"}

// A usedProvider is a provider in use, and its address at weir.
type usedProvider struct {
	id      string
	address string          // as configured; "": its own
	origin  string          // what says that it is in use
	file    *agent.JSONFile // the file that has the address; nil: none
	through string          // its address at weir; "": it is not routed through weir
	why     string          // why not
}

// providers returns the providers in use, sorted by name.
func (c *config) providers(w agent.Weir) ([]usedProvider, error) {
	configured, err := c.entries(c.files, "provider")
	if err != nil {
		return nil, err
	}
	managed, err := c.entries(c.managed, "provider")
	if err != nil {
		return nil, err
	}
	origins := map[string]string{}
	for id, known := range openCodeProviders {
		for _, key := range known.keys {
			if c.around.Env(key) != "" {
				origins[id] = "environment"
			}
		}
	}
	for id, login := range c.logins {
		if l, ok := login.(map[string]any); ok && l["type"] != "wellknown" {
			origins[id] = "login"
		}
	}
	for _, entries := range []map[string]entry{configured, managed} {
		for id, e := range entries {
			origins[id] = e.file.Path
		}
	}
	var all []usedProvider
	for _, id := range slices.Sorted(maps.Keys(origins)) {
		l := usedProvider{id: id, origin: origins[id]}
		if e, ok := configured[id]; ok {
			if err := c.addressOf(&l, e); err != nil {
				return nil, err
			}
		}
		if l.address == "" {
			l.address = c.around.Env(addressVariables[id])
		}
		c.routeProvider(w, &l)
		if address, ok := agent.At(managed[id].values, "options", "baseURL").(string); ok {
			l.address, l.file, l.through, l.why = address, managed[id].file, "", setForMachine
		}
		all = append(all, l)
	}
	return all, nil
}

// addressOf finds the configured address of a provider.
func (c *config) addressOf(l *usedProvider, e entry) error {
	v := agent.At(e.values, "options", "baseURL")
	if v == nil {
		v = e.values["api"] // the address of a provider that opencode does not know
	}
	switch v := v.(type) {
	case nil:
	case string:
		l.address = v
	default:
		return e.file.Odd("a string", "provider", l.id, "options", "baseURL")
	}
	for _, f := range c.files {
		if agent.At(f.Values, "provider", l.id, "options", "baseURL") != nil {
			l.file = f
		}
	}
	return nil
}

// routeProvider finds the address of a provider at weir.
func (c *config) routeProvider(w agent.Weir, l *usedProvider) {
	if login, ok := c.logins[l.id].(map[string]any); ok && l.id == "openai" && login["type"] == "oauth" {
		l.why = "opencode goes to ChatGPT itself with a ChatGPT login, whatever address is configured; use an API key"
		return
	}
	known, isKnown := openCodeProviders[l.id]
	if l.address == "" {
		if _, has := w.Upstreams[known.upstream]; isKnown && has {
			l.through = w.URL(known.upstream, known.rest)
			return
		}
		l.why = "weir does not know its address; declare it under upstreams in weir.yaml, and give it as options.baseURL"
		return
	}
	expanded, ok := c.expand(l.address)
	if strings.TrimRight(expanded, "/") == "https://api.anthropic.com" {
		expanded = openCodeProviders["anthropic"].address // opencode adds the version to this address only
	}
	if ok {
		if l.through, ok = w.Route(expanded); ok {
			return
		}
	}
	l.through = ""
	l.why = fmt.Sprintf("its address %q is not an upstream of weir; declare it under upstreams in weir.yaml", agent.Show(l.address))
}

// passes returns the note about a provider that is not routed through weir.
func (l usedProvider) passes() string {
	return fmt.Sprintf("%s: the provider %s bypasses weir, which sees only its connections: %s", agent.Show(l.origin), agent.Show(l.id), l.why)
}
