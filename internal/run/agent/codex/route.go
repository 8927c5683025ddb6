package codex

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// Addresses and providers that are built into Codex.
const (
	codexAddress = "https://api.openai.com/v1"
	codexOpenAI  = "openai"
	bedrock      = "amazon-bedrock"
)

// codexLocal are the built-in providers on the machine, with their addresses.
var codexLocal = map[string]string{"ollama": "http://localhost:11434/v1", "lmstudio": "http://localhost:1234/v1"}

// A loginKind says how the user is logged in at OpenAI.
type loginKind struct {
	chatgpt bool
	origin  string
	guessed bool // weir could not read it anywhere
}

// login finds out whether the user uses a ChatGPT account or a key: the two use different addresses.
func (c *config) login() (loginKind, error) {
	for _, name := range []string{"CODEX_API_KEY", "CODEX_ACCESS_TOKEN"} {
		if c.around.Env(name) != "" {
			return loginKind{chatgpt: name == "CODEX_ACCESS_TOKEN", origin: "environment"}, nil
		}
	}
	path := filepath.Join(c.home, "auth.json")
	f, err := agent.ReadJSON(path)
	if err != nil {
		return loginKind{}, err
	}
	if f != nil {
		mode, _ := f.Values["auth_mode"].(string)
		key, _ := f.Values["OPENAI_API_KEY"].(string)
		if mode != "" || key != "" || f.Values["tokens"] != nil {
			return loginKind{chatgpt: mode != "apikey" && (mode != "" || key == ""), origin: path}, nil
		}
	}
	if method, origin := c.text("forced_login_method"); method != "" {
		return loginKind{chatgpt: method == "chatgpt", origin: origin}, nil
	}
	return loginKind{chatgpt: c.around.Env("OPENAI_API_KEY") == "", origin: "default", guessed: true}, nil
}

// provider returns the name of the provider in use, and where it is chosen.
func (c *config) provider() (name, origin string) {
	if c.args.oss {
		name, origin = c.text("oss_provider")
		return cmp.Or(c.args.local, name, "ollama"), cmp.Or(origin, "--oss")
	}
	name, origin = c.text("model_provider")
	return cmp.Or(name, codexOpenAI), cmp.Or(origin, "default")
}

// A modelRoute is the address of a provider, and its address at weir.
type modelRoute struct {
	setting []string // the setting of the address; nil: a variable sets it
	origin  string
	address string
	through string
	routed  bool
	set     bool // the setting has this value already
}

// route returns the route of a built-in or configured provider.
func (c *config) route(w agent.Weir, provider string, login loginKind) (modelRoute, error) {
	r := modelRoute{setting: []string{"model_providers", provider, "base_url"}}
	if provider == codexOpenAI {
		r.setting = []string{"openai_base_url"}
	}
	if local, ok := codexLocal[provider]; ok {
		r.setting = nil
		r.address, r.origin = c.around.Env("CODEX_OSS_BASE_URL"), "environment"
		if r.address == "" {
			r.address, r.origin = local, "default"
			if port := c.around.Env("CODEX_OSS_PORT"); port != "" {
				r.address, r.origin = "http://localhost:"+port+"/v1", "environment"
			}
		}
	} else if r.address, r.origin = c.text(r.setting...); r.address == "" || ownOpenAI(w, r.address) {
		r.address, r.origin = codexAddress, "default"
		if login.chatgpt {
			r.address, r.origin = agent.ChatGPTAddress, login.origin
		}
	}
	if slices.ContainsFunc(r.setting, func(key string) bool { return strings.ContainsAny(key, `."'= `) }) {
		return r, fmt.Errorf("%s: the provider name %s does not work on a command line; use letters, digits and dashes",
			r.origin, agent.Show(provider))
	}
	r.through, r.routed = w.RouteAgain(r.address)
	if rest, ok := strings.CutPrefix(r.address, "http://localhost:"); ok && !r.routed {
		r.through, r.routed = w.RouteAgain("http://127.0.0.1:" + rest)
	}
	if r.setting != nil {
		now, _ := c.text(r.setting...)
		r.set = now == r.through
	}
	return r, nil
}

// ownOpenAI says whether an address is weir's address for OpenAI, for either login. The current login decides which of the two it
// must be.
func ownOpenAI(w agent.Weir, address string) bool {
	through, ok := w.RouteAgain(address)
	own := through == leadOf(w, codexAddress) || through == leadOf(w, agent.ChatGPTAddress)
	return ok && own && address != codexAddress && address != agent.ChatGPTAddress
}

// leadOf returns weir's address for an address; "": there is none.
func leadOf(w agent.Weir, address string) string {
	through, ok := w.Route(address)
	if !ok {
		return ""
	}
	return through
}

// routes returns the routes of all configured providers, first that of the provider in use. It is an error if the provider in use
// cannot be routed through weir.
func (c *config) routes(w agent.Weir) ([]modelRoute, loginKind, error) {
	login, err := c.login()
	if err != nil {
		return nil, login, err
	}
	used, chosenBy := c.provider()
	if used == bedrock {
		return nil, login, fmt.Errorf("%s: model_provider is %s, and Codex does not allow another address for it; choose another provider",
			chosenBy, bedrock)
	}
	first, err := c.route(w, used, login)
	if err != nil {
		return nil, login, err
	}
	if !first.routed {
		setting := "model_provider = " + used
		if first.setting != nil {
			setting = strings.Join(first.setting, ".")
		}
		return nil, login, agent.NotUpstream(first.origin, setting, first.address)
	}
	all := []modelRoute{first}
	for _, name := range append([]string{codexOpenAI}, c.names("model_providers")...) {
		if _, local := codexLocal[name]; name == used || local || name == bedrock {
			continue
		}
		if r, err := c.route(w, name, login); err == nil && r.routed {
			all = append(all, r) // a resumed session may use that provider
		}
	}
	return all, login, nil
}
