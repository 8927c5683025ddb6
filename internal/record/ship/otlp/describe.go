package otlp

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/record"
)

// The operations of the conventions that weir sees.
const (
	operationChat = "chat"
	operationTool = "execute_tool"
)

// operation is what a request in this format asks for.
func operation(dialect string) string {
	f, _ := formats.Named(dialect)
	return cmp.Or(f.Operation, operationChat)
}

// byHost are the providers with known addresses, by the suffix of the host's name.
var byHost = []struct{ suffix, provider string }{
	{"api.anthropic.com", "anthropic"},
	{"api.openai.com", "openai"},
	{".openai.azure.com", "azure.ai.openai"},
	{".services.ai.azure.com", "azure.ai.inference"},
	{"generativelanguage.googleapis.com", "gcp.gemini"},
	{"aiplatform.googleapis.com", "gcp.vertex_ai"},
	{"api.x.ai", "x_ai"},
	{"api.mistral.ai", "mistral_ai"},
	{"api.groq.com", "groq"},
	{"api.deepseek.com", "deepseek"},
	{"api.cohere.com", "cohere"},
	{"api.perplexity.ai", "perplexity"},
	{"openrouter.ai", "openrouter"},
}

// provider is the provider of a response, by the best that weir knows: the address, else the format, else the upstream's name.
func provider(address *url.URL, dialect, upstream string) string {
	if address != nil {
		host := strings.ToLower(address.Hostname())
		for _, known := range byHost {
			if strings.HasSuffix(host, known.suffix) {
				return known.provider
			}
		}
		if strings.HasPrefix(host, "bedrock") && strings.HasSuffix(host, ".amazonaws.com") {
			return "aws.bedrock"
		}
	}
	f, _ := formats.Named(dialect)
	return cmp.Or(f.Provider, upstream)
}

// exchangeAttributes name the request and response that something belongs to.
func (x *Exporter) exchangeAttributes(a *attributes, e *record.Event) {
	address := x.cfg.Upstreams[e.Exchange.Provider]
	a.text("gen_ai.provider.name", provider(address, e.Exchange.Dialect, e.Exchange.Provider))
	a.text("gen_ai.response.model", e.Exchange.Model)
	a.text("gen_ai.response.id", e.Exchange.ResponseID)
	a.text("gen_ai.conversation.id", e.Exchange.Conversation)
	if address != nil {
		a.text("server.address", address.Hostname())
		a.count("server.port", portOf(address))
	}
	a.text("weir.request.id", e.Exchange.RequestID)
	a.text("weir.upstream", e.Exchange.Provider)
	a.text("weir.dialect", e.Exchange.Dialect)
}

func portOf(u *url.URL) int64 {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return int64(n)
	}
	switch u.Scheme {
	case "https":
		return 443
	case "http":
		return 80
	}
	return 0
}

// doneAttributes say how a response ended.
func doneAttributes(a *attributes, done record.ResponseDone) {
	// By the conventions the input tokens include those that were read from a cache or written to it.
	a.count("gen_ai.usage.input_tokens", done.Usage.Input+done.Usage.CacheRead+done.Usage.CacheCreation)
	a.count("gen_ai.usage.output_tokens", done.Usage.Output)
	a.count("gen_ai.usage.cache_read.input_tokens", done.Usage.CacheRead)
	a.count("gen_ai.usage.cache_creation.input_tokens", done.Usage.CacheCreation)
	a.count("http.response.status_code", int64(done.Timings.Status))
	a.number("weir.calls.released", int64(done.Released))
	a.number("weir.calls.refused", int64(done.Refused))
	if done.CostMicros != 0 {
		a.decimal("weir.cost_usd", float64(done.CostMicros)/1e6)
	}
	a.count("weir.time.upstream_us", done.Timings.UpstreamMicros)
	a.count("weir.time.held_us", done.Timings.HeldMicros)
	a.count("weir.time.judged_us", done.Timings.JudgedMicros)
	a.count("weir.time.recorded_us", done.Timings.RecordedMicros)
}

// callAttributes say which call it is.
func (x *Exporter) callAttributes(a *attributes, e *record.Event) {
	a.text("gen_ai.tool.name", e.Tool)
	a.text("gen_ai.tool.call.id", e.WireID)
	a.text("gen_ai.tool.type", toolType(e))
	if e.Server != "" {
		method := "tools/call"
		if e.Type.IsRequest() {
			method = e.Tool
		}
		a.text("mcp.method.name", method)
		a.text("weir.mcp.server", e.Server)
		a.text("weir.mcp.server.type", e.MCP.ServerType)
		a.text("weir.mcp.tool.hash", e.MCP.ToolHash)
		a.text("jsonrpc.request.id", e.MCP.RPCID)
	}
	a.text("weir.call.id", string(e.CallID))
	a.text("weir.call.within", string(e.Within))
	a.text("weir.surface", string(e.Surface))
	if !x.cfg.Content || len(e.Args) == 0 {
		return
	}
	if len(e.Args) > maxContent {
		// Truncated arguments would not be JSON, and could be taken for other arguments.
		a.number("weir.call.arguments.omitted_bytes", int64(len(e.Args)))
		return
	}
	a.exact("gen_ai.tool.call.arguments", strings.ToValidUTF8(string(e.Args), "\ufffd"))
}

// toolType is who runs the tool: the provider, or the agent.
func toolType(e *record.Event) string {
	if d, ok := e.Detail.(record.ToolCall); ok && d.Ran {
		return "extension"
	}
	return "function"
}

// eventAttributes have the ruling, the actor, and the id of the event.
func eventAttributes(a *attributes, e *record.Event) {
	a.text("weir.event.id", e.ID)
	a.text("weir.verdict", e.Verdict)
	a.text("weir.would_be", e.WouldBe)
	a.text("weir.code", e.Code)
	a.text("weir.rule", e.Rule)
	a.text("weir.policy.version", e.PolicyVersion)
	a.text("session.id", e.Actor.Session)
	a.text("weir.actor.org", e.Actor.Org)
	a.text("weir.actor.team", e.Actor.Team)
	a.text("weir.actor.employee", e.Actor.Employee)
	a.text("weir.actor.key", e.Actor.Key)
}
