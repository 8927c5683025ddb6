package agent

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Addresses and providers that are built into Codex.
const (
	codexAddress   = "https://api.openai.com/v1"
	chatgptAddress = "https://chatgpt.com/backend-api/codex"
	codexOpenAI    = "openai"
	codexBedrock   = "amazon-bedrock"
)

// codexLocal are the built-in providers on the machine, with their addresses.
var codexLocal = map[string]string{"ollama": "http://localhost:11434/v1", "lmstudio": "http://localhost:1234/v1"}

// A codexLogin says how the user is logged in at OpenAI.
type codexLogin struct {
	chatgpt bool
	origin  string
	guessed bool // weir could not read it anywhere
}

// login finds out whether the user uses a ChatGPT account or a key: the two use different addresses.
func (c *codexConfig) login() (codexLogin, error) {
	for _, name := range []string{"CODEX_API_KEY", "CODEX_ACCESS_TOKEN"} {
		if c.place.env(name) != "" {
			return codexLogin{chatgpt: name == "CODEX_ACCESS_TOKEN", origin: "environment"}, nil
		}
	}
	path := filepath.Join(c.home, "auth.json")
	f, err := readJSON(path)
	if err != nil {
		return codexLogin{}, err
	}
	if f != nil {
		mode, _ := f.values["auth_mode"].(string)
		key, _ := f.values["OPENAI_API_KEY"].(string)
		if mode != "" || key != "" || f.values["tokens"] != nil {
			return codexLogin{chatgpt: mode != "apikey" && (mode != "" || key == ""), origin: path}, nil
		}
	}
	if method, origin := c.text("forced_login_method"); method != "" {
		return codexLogin{chatgpt: method == "chatgpt", origin: origin}, nil
	}
	return codexLogin{chatgpt: c.place.env("OPENAI_API_KEY") == "", origin: "default", guessed: true}, nil
}

// provider returns the name of the provider in use, and where it is chosen.
func (c *codexConfig) provider() (name, origin string) {
	if c.args.oss {
		name, origin = c.text("oss_provider")
		return cmp.Or(c.args.local, name, "ollama"), cmp.Or(origin, "--oss")
	}
	name, origin = c.text("model_provider")
	return cmp.Or(name, codexOpenAI), cmp.Or(origin, "default")
}

// A codexRoute is the address of a provider, and its address at weir.
type codexRoute struct {
	setting []string // the setting of the address; nil: a variable sets it
	origin  string
	address string
	through string
	led     bool
	set     bool // the setting has this value already
}

// route returns the route of a built-in or configured provider.
func (c *codexConfig) route(w Weir, provider string, login codexLogin) (codexRoute, error) {
	r := codexRoute{setting: []string{"model_providers", provider, "base_url"}}
	if provider == codexOpenAI {
		r.setting = []string{"openai_base_url"}
	}
	if local, ok := codexLocal[provider]; ok {
		r.setting = nil
		r.address, r.origin = c.place.env("CODEX_OSS_BASE_URL"), "environment"
		if r.address == "" {
			r.address, r.origin = local, "default"
			if port := c.place.env("CODEX_OSS_PORT"); port != "" {
				r.address, r.origin = "http://localhost:"+port+"/v1", "environment"
			}
		}
	} else if r.address, r.origin = c.text(r.setting...); r.address == "" || w.ownOpenAI(r.address) {
		r.address, r.origin = codexAddress, "default"
		if login.chatgpt {
			r.address, r.origin = chatgptAddress, login.origin
		}
	}
	if slices.ContainsFunc(r.setting, func(key string) bool { return strings.ContainsAny(key, `."'= `) }) {
		return r, fmt.Errorf("%s: the provider name %s does not work on a command line; use letters, digits and dashes", r.origin, show(provider))
	}
	r.through, r.led = w.leadAgain(r.address)
	if rest, ok := strings.CutPrefix(r.address, "http://localhost:"); ok && !r.led {
		r.through, r.led = w.leadAgain("http://127.0.0.1:" + rest)
	}
	if r.setting != nil {
		now, _ := c.text(r.setting...)
		r.set = now == r.through
	}
	return r, nil
}

// ownOpenAI says whether an address is weir's address for OpenAI, for either login. The current login decides which of the two it
// must be.
func (w Weir) ownOpenAI(address string) bool {
	through, ok := w.leadAgain(address)
	own := through == w.leadOf(codexAddress) || through == w.leadOf(chatgptAddress)
	return ok && own && address != codexAddress && address != chatgptAddress
}

// leadOf returns weir's address for an address; "": there is none.
func (w Weir) leadOf(address string) string {
	through, ok := w.lead(address)
	if !ok {
		return ""
	}
	return through
}

// routes returns the routes of all configured providers, first that of the provider in use. It is an error if the provider in use
// cannot be routed through weir.
func (c *codexConfig) routes(w Weir) ([]codexRoute, codexLogin, error) {
	login, err := c.login()
	if err != nil {
		return nil, login, err
	}
	used, chosenBy := c.provider()
	if used == codexBedrock {
		return nil, login, fmt.Errorf("%s: model_provider is %s, and Codex does not allow another address for it; choose another provider",
			chosenBy, codexBedrock)
	}
	first, err := c.route(w, used, login)
	if err != nil {
		return nil, login, err
	}
	if !first.led {
		setting := "model_provider = " + used
		if first.setting != nil {
			setting = strings.Join(first.setting, ".")
		}
		return nil, login, unled(first.origin, setting, first.address)
	}
	all := []codexRoute{first}
	for _, name := range append([]string{codexOpenAI}, c.names("model_providers")...) {
		if _, local := codexLocal[name]; name == used || local || name == codexBedrock {
			continue
		}
		if r, err := c.route(w, name, login); err == nil && r.led {
			all = append(all, r) // a resumed session may use that provider
		}
	}
	return all, login, nil
}
