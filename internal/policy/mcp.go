package policy

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Server is an MCP server that a policy declares.
type Server = declared.Server

// MCP is the part of a policy's mcp block that other packages need: the servers, and how their tools are watched.
type MCP struct {
	Servers []Server
	Pinning Pinning
}

// MCP is the mcp block of the policy; nil: it has none.
func (p *Policy) MCP() *MCP { return p.guard.block }

var (
	mcpShape = yamlfile.Shape{Optional: []string{
		"servers", "server_policy", "allowed_servers", "denied_servers", "tool_policy", "allowed_tools", "denied_tools", "fail_closed",
		"native_tools",
		"version_pinning", "rate_limits", "scan",
	}}
	listWords     = yamlfile.Choice{What: "a policy for a list", Words: []string{allowlist, denylist, noList}, Meanings: listMeanings}
	serverShape   = yamlfile.Shape{Required: []string{"id"}}
	toolShape     = yamlfile.Shape{Required: []string{"tool"}, Optional: []string{"server"}}
	pinningShape  = yamlfile.Shape{Optional: []string{"enabled", "on_change", "auto_trust_first"}}
	onChangeWords = yamlfile.Choice{
		What: "what becomes of changed tools", Words: []string{string(BlockChanged), string(AlertChanged), string(AllowChanged)},
		Meanings: onChangeMeanings,
	}
	ratesShape      = yamlfile.Shape{Optional: []string{"enabled", "default_rpm", "per_server"}}
	serverRateShape = yamlfile.Shape{Required: []string{"calls_per_minute"}, Optional: []string{"burst"}}
)

// These are the words for the kind of a list.
const (
	allowlist = "allowlist"
	denylist  = "denylist"
	noList    = "none"
)

// mcp compiles the mcp block.
func (c *compiler) mcp(n *yamlfile.Node) {
	g := c.policy.guard
	g.block = &MCP{Pinning: Pinning{OnChange: BlockChanged, TrustFirst: true}}
	g.checks = nil
	if !c.report.Mapping(n, mcpShape) {
		return
	}
	if len(n.Entries) == 0 {
		c.report.Add(n, "the mcp block says nothing", "write one of its keys, or remove it")
	}
	if v := n.Get("servers"); v != nil {
		g.block.Servers = declared.Read(v, c.report)
	}
	if v := n.Get("native_tools"); v != nil {
		g.native = c.nativeTools(v)
	}
	c.lists(n, serverLists)
	c.lists(n, toolLists)
	if v := n.Get("fail_closed"); v != nil {
		if closed, ok := c.report.Bool(v); ok && closed {
			g.checks = append(g.checks, failClosed(lineOf(n, "fail_closed")))
		}
	}
	if v := n.Get("version_pinning"); v != nil {
		if c.pinning(v); g.block.Pinning.Enabled {
			g.checks = append(g.checks, g.block.Pinning.check(lineOf(n, "version_pinning")))
		}
	}
	if v := n.Get("scan"); v != nil {
		c.scan(v)
	}
	g.checks = append(g.checks, g.scan.check(lineOf(n, "scan")))
	if v := n.Get("rate_limits"); v != nil {
		if rates, enabled := c.serverRates(v); enabled {
			g.checks = append(g.checks, rates.check(lineOf(n, "rate_limits")))
		}
	}
	for i := range g.checks {
		if v := n.Get(strings.TrimPrefix(g.checks[i].id, ownPrefix)); v != nil {
			g.checks[i].from = c.from(v)
		}
	}
}

// lineOf is the line of a key; 0: there is no such key.
func lineOf(n *yamlfile.Node, key string) int {
	for _, e := range n.Entries {
		if e.Name == key {
			return e.Line
		}
	}
	return 0
}

func (c *compiler) nativeTools(n *yamlfile.Node) *nativeTools {
	t := newNativeTools(nil)
	if n.Kind == yamlfile.List && len(n.Items) == 0 {
		return t
	}
	for _, g := range c.globs(n, aTool) {
		t.add(g)
	}
	return t
}

// A listKind is servers or tools: the keys of their lists, and the checks that they become.
type listKind struct {
	policy, allowed, denied string
	shape                   yamlfile.Shape
	allow, deny             func(entries []listEntry, line int) check
}

var (
	serverLists = listKind{"server_policy", "allowed_servers", "denied_servers", serverShape, allowedServers, deniedServers}
	toolLists   = listKind{"tool_policy", "allowed_tools", "denied_tools", toolShape, allowedTools, deniedTools}
)

// lists compiles the lists of servers or of tools. Denied entries are also denied under an allowlist.
func (c *compiler) lists(n *yamlfile.Node, kind listKind) {
	word, known := denylist, true
	if v := n.Get(kind.policy); v != nil {
		word, known = c.report.Word(v, listWords)
	}
	allowed, denied := n.Get(kind.allowed), n.Get(kind.denied)
	allows, denies := c.entries(allowed, kind), c.entries(denied, kind)
	if !known {
		return
	}
	g := c.policy.guard
	switch {
	case word == noList:
		for _, list := range []*yamlfile.Node{allowed, denied} {
			if list != nil && len(list.Items) > 0 {
				c.report.Add(list, fmt.Sprintf("it would not be looked at: %s is none", kind.policy), "remove the list, or write another "+kind.policy)
			}
		}
		return
	case word == denylist:
		for i := range allows {
			if e := &allows[i]; !e.server.Anything() || kind.policy == toolLists.policy && !e.tool.Anything() {
				c.report.Add(allowed, fmt.Sprintf("it would not be looked at: %s is denylist", kind.policy),
					fmt.Sprintf("write %s: allowlist, or remove the list", kind.policy))
				break
			}
		}
	case allowed == nil:
		c.report.Add(n.Get(kind.policy), fmt.Sprintf("without %s everything is refused", kind.allowed),
			fmt.Sprintf("list what is allowed, or write %s: [] to mean it", kind.allowed))
	}
	if len(denies) > 0 {
		g.checks = append(g.checks, kind.deny(denies, lineOf(n, kind.denied)))
		for i := range denies {
			g.namesServers = g.namesServers || !denies[i].server.Anything()
		}
	}
	if word == allowlist && allowed != nil {
		g.checks = append(g.checks, kind.allow(allows, lineOf(n, kind.allowed)))
	}
}

// entries parses a list, which may be empty.
func (c *compiler) entries(n *yamlfile.Node, kind listKind) (out []listEntry) {
	if n == nil || !c.report.Is(n, yamlfile.List) {
		return nil
	}
	for _, item := range n.Items {
		e := listEntry{server: toolname.NewGlob("*"), line: item.Line}
		if !c.report.Mapping(item, kind.shape) {
			continue
		}
		for _, key := range []string{"id", "server"} {
			if v := item.Get(key); v != nil {
				e.server = c.glob(v, aServer)
			}
		}
		if v := item.Get("tool"); v != nil {
			e.tool = c.glob(v, aTool)
		}
		out = append(out, e)
	}
	return out
}

func (c *compiler) pinning(n *yamlfile.Node) {
	p := &c.policy.guard.block.Pinning
	if !c.report.Mapping(n, pinningShape) {
		return
	}
	p.Enabled = true
	if v := n.Get("enabled"); v != nil {
		p.Enabled, _ = c.report.Bool(v)
	}
	if v := n.Get("on_change"); v != nil {
		word, _ := c.report.Word(v, onChangeWords)
		p.OnChange = OnChange(word)
	}
	if v := n.Get("auto_trust_first"); v != nil {
		p.TrustFirst, _ = c.report.Bool(v)
	}
}

func (c *compiler) serverRates(n *yamlfile.Node) (rates serverRates, enabled bool) {
	if !c.report.Mapping(n, ratesShape) {
		return rates, false
	}
	enabled = true
	if v := n.Get("enabled"); v != nil {
		enabled, _ = c.report.Bool(v)
	}
	rates.named = map[string]*RateLimit{}
	if v := n.Get("default_rpm"); v != nil {
		rate := c.rate(v)
		rates.others = newServerRate("", rate, max(1, int(rate)))
	}
	named := n.Get("per_server")
	if named != nil && c.report.Is(named, yamlfile.Map) {
		if len(named.Entries) == 0 {
			c.report.Add(named, "no server is named", "name one with its rate, or remove the key")
		}
		for _, e := range named.Entries {
			c.serverRate(e, rates.named)
		}
	}
	if n.Get("default_rpm") == nil && named == nil {
		c.report.Add(n, "no rate is given", "write default_rpm, per_server or both, or remove the key")
	}
	return rates, enabled
}

func (c *compiler) serverRate(e yamlfile.Entry, named map[string]*RateLimit) {
	id := toolname.Fold(e.Name)
	switch {
	case id == "" || strings.ContainsAny(e.Name, "*%"):
		c.report.Add(e.Value, yamlfile.Quote(e.Name)+" is not the id of one server", "write its id; default_rpm is for all others")
	case named[id] != nil:
		c.report.Add(e.Value, "the server "+yamlfile.Quote(e.Name)+" is given twice", "remove one; upper and lower case are the same")
	}
	if !c.report.Mapping(e.Value, serverRateShape) {
		return
	}
	perMinute, burst := 0.0, 1
	if v := e.Value.Get("calls_per_minute"); v != nil {
		perMinute = c.rate(v)
		burst = max(1, int(perMinute))
	}
	if v := e.Value.Get("burst"); v != nil {
		burst = c.burst(v)
	}
	named[id] = newServerRate(id, perMinute, burst)
}

// rate parses a number of calls per minute.
func (c *compiler) rate(n *yamlfile.Node) float64 {
	literal, ok := c.report.Number(n)
	if !ok {
		return 0
	}
	rate, err := strconv.ParseFloat(literal, 64)
	if err != nil || rate <= 0 || rate > 1e6 {
		c.report.Add(n, "this is not a rate", "write a number of calls in a minute, such as 10 or 0.5")
	}
	return rate
}

// burst parses how many calls may come at once.
func (c *compiler) burst(n *yamlfile.Node) int {
	literal, ok := c.report.Number(n)
	if !ok {
		return 0
	}
	burst, err := strconv.Atoi(literal)
	if err != nil || burst < 1 || burst > 1e6 {
		c.report.Add(n, "this is not a number of calls", "write how many may come at once, at least 1")
	}
	return burst
}
