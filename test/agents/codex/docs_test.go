package codex

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// page is what users read. What it shows is what is tested.
const page = "../../../docs/codex.md"

var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// examples are those of a kind on the page.
func examples(t *testing.T, kind string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		if m[1] == kind {
			found = append(found, m[2])
		}
	}
	return found
}

// A setup is one of the configurations on the page, in their order.
type setup int

const (
	ownProvider     setup = iota // every request is a POST
	builtInProvider              // a WebSocket is tried first
	setups                       // how many there are
)

// keyVar names the variable in which Codex looks for its key.
func (s setup) keyVar() string {
	if s == builtInProvider {
		return "CODEX_API_KEY"
	}
	return "OPENAI_API_KEY"
}

// config is the configuration for a weir and a model of ours.
func (s setup) config(t *testing.T, address, model string) string {
	t.Helper()
	all := examples(t, "toml")
	if len(all) != int(setups) {
		t.Fatalf("%d configurations on the page, want %d", len(all), setups)
	}
	config := all[s]
	for documented, ours := range map[string]string{"http://127.0.0.1:4141": address, `"gpt-5.5"`: `"` + model + `"`} {
		if strings.Count(config, documented) != 1 {
			t.Fatalf("the configuration has %s not once:\n%s", documented, config)
		}
		config = strings.Replace(config, documented, ours, 1)
	}
	return config
}

// documentedPolicy is the policy on the page.
func documentedPolicy(t *testing.T) string {
	t.Helper()
	all := examples(t, "yaml")
	if len(all) != 1 {
		t.Fatalf("%d policies on the page, want 1", len(all))
	}
	return all[0]
}
