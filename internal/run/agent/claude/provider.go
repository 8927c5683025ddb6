package claude

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A claudeProvider is a provider of models for Claude Code.
type claudeProvider struct {
	title   string
	chosen  string // the variable that chooses it; "": it is chosen if no other is
	address string // the variable with its address
	hosts   func(host string) bool
	rest    string // the path after the upstream's address
	cure    string // what to declare
}

// providers are all providers, in the order in which Claude Code checks them.
var providers = []claudeProvider{
	{
		title: "Amazon Bedrock", chosen: "CLAUDE_CODE_USE_BEDROCK", address: "ANTHROPIC_BEDROCK_BASE_URL",
		hosts: func(host string) bool { return strings.HasPrefix(host, "bedrock-runtime.") },
		cure:  `bedrock: {url: "https://bedrock-runtime.REGION.amazonaws.com"}`,
	},
	{title: "Microsoft Foundry", chosen: "CLAUDE_CODE_USE_FOUNDRY", address: "ANTHROPIC_FOUNDRY_BASE_URL"},
	{title: "Claude on AWS", chosen: "CLAUDE_CODE_USE_ANTHROPIC_AWS", address: "ANTHROPIC_AWS_BASE_URL"},
	{title: "Amazon Bedrock (Mantle)", chosen: "CLAUDE_CODE_USE_MANTLE", address: "ANTHROPIC_BEDROCK_MANTLE_BASE_URL"},
	{
		title: "Vertex AI", chosen: "CLAUDE_CODE_USE_VERTEX", address: "ANTHROPIC_VERTEX_BASE_URL", hosts: agent.IsVertexHost, rest: "/v1",
		cure: `vertex: {url: "https://REGION-aiplatform.googleapis.com"}`,
	},
	{title: "Anthropic", address: "ANTHROPIC_BASE_URL"},
}

const anthropicAddress = "https://api.anthropic.com"

// provider returns the chosen provider, and where it is set.
func (c *config) provider() (claudeProvider, string) {
	for _, p := range providers {
		if p.chosen == "" {
			return p, "default"
		}
		if c.truthy(p.chosen) {
			_, origin := c.env(p.chosen)
			return p, origin
		}
	}
	panic("no provider is the default") // the list above ends with it
}

// routed returns the variable with the address of the chosen provider, and weir's address for it.
func (c *config) routed(w agent.Weir) (variable, through string, err error) {
	if socket, origin := c.env("ANTHROPIC_UNIX_SOCKET"); socket != "" {
		return "", "", fmt.Errorf("%s: ANTHROPIC_UNIX_SOCKET makes Claude Code bypass weir; unset it", origin)
	}
	p, chosenBy := c.provider()
	value, origin := c.env(p.address)
	if value != "" {
		through, ok := w.RouteAgain(value)
		if !ok {
			return "", "", agent.NotUpstream(origin, p.address, value)
		}
		return p.address, through, nil
	}
	if p.chosen == "" {
		if through, ok := w.Route(anthropicAddress); ok {
			return p.address, through, nil
		}
		return "", "", agent.NotUpstream("default", p.address, anthropicAddress)
	}
	if p.hosts == nil {
		return "", "", fmt.Errorf("%s: %s has Claude Code use %s; set %s to its address and declare that under upstreams in weir.yaml",
			chosenBy, p.chosen, p.title, p.address)
	}
	name, ok := w.UpstreamAt(p.hosts)
	if !ok {
		return "", "", fmt.Errorf("%s: %s has Claude Code use %s, for which weir has no upstream; declare it under upstreams in weir.yaml: %s",
			chosenBy, p.chosen, p.title, p.cure)
	}
	return p.address, w.URL(name, p.rest), nil
}

// bedrockNote is what the user should know about signatures.
const bedrockNote = "Amazon Bedrock through weir needs an API key (AWS_BEARER_TOKEN_BEDROCK): AWS signatures are valid for one host only"

// notes returns what the user should know about the chosen provider.
func (c *config) notes() []string {
	p, _ := c.provider()
	key, _ := c.env("AWS_BEARER_TOKEN_BEDROCK")
	if p.address == "ANTHROPIC_BEDROCK_BASE_URL" && key == "" && !c.truthy("CLAUDE_CODE_SKIP_BEDROCK_AUTH") {
		return []string{bedrockNote}
	}
	return nil
}

// against finds settings of the machine that would override what weir sets.
func (c *config) against(variable, through string) (files []settingsFile) {
	for _, f := range c.settings {
		if v, ok := envSetting(f.JSONFile, variable); ok && f.scope == claudeManaged && v != through {
			files = append(files, f)
		}
	}
	return files
}
