package openaitools

import (
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The names of tools that settings of requests turn on.
const (
	webSearch  = "web_search"
	liveSearch = "live_search"
)

// switches are members of a request that turn on a tool of the provider.
var switches = []struct {
	member    string
	name      string
	spellings []string
}{
	{"web_search_options", webSearch, []string{"web_search_options"}},
	{"search_parameters", liveSearch, []string{webSearch, "search_parameters"}},
	{"enable_search", webSearch, []string{"enable_search"}},
}

// settings reads the tools that a request turns on beside its lists.
func (c *collector) settings(root strictjson.Value) {
	for _, s := range switches {
		v := c.Member(root, s.member)
		var mode strictjson.Value
		if s.name == liveSearch {
			mode = c.Member(v, "mode")
		}
		if on(v) && !mode.Is("off") {
			c.add(dialect.Offer{
				Names: []string{s.name}, Spellings: s.spellings, Declared: dialect.Declared(s.member, v), Cuts: []dialect.Cut{dialect.CutOf(v)},
			})
		}
	}
	c.plugins(root)
	c.models(root)
	c.cached(root)
	c.hidden(root)
}

// plugins reads the plugins that the provider runs for a request.
func (c *collector) plugins(root strictjson.Value) {
	for v := range c.List(root, "plugins").Elems() {
		id := c.RequiredText(v, "id")
		if enabled := c.Member(v, "enabled"); enabled.Kind() != strictjson.Missing && !on(enabled) {
			continue
		}
		o := dialect.Offer{Names: []string{id}, Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{dialect.CutOf(v)}}
		if id == "web" {
			o.Spellings = []string{webSearch}
		}
		c.add(o)
	}
}

// models reads the tools that some models have built in.
func (c *collector) models(root strictjson.Value) {
	models := []strictjson.Value{c.Member(root, "model")}
	for v := range c.Member(root, "models").Elems() {
		models = append(models, v)
	}
	compound := false
	for _, v := range models {
		name, _ := v.Text()
		name = strings.ToLower(name)
		if searches(name) {
			c.add(dialect.Offer{Names: []string{webSearch}, Spellings: []string{"online"}, Declared: dialect.Declared("model", v), Fixed: true})
		}
		compound = compound || isCompound(name)
	}
	c.compound(root, compound)
}

// searches says whether a model searches the web without being asked.
func searches(model string) bool {
	return strings.Contains(model+":", ":online:") || strings.Contains(model, "-search-preview") || strings.Contains(model, "-search-api")
}

// isCompound says whether a model is a system of models with its own tools.
func isCompound(model string) bool {
	base := model[strings.LastIndexByte(model, '/')+1:]
	return base == "compound" || strings.HasPrefix(base, "compound-")
}

// compoundTools are the tools that such a system may use if a request does not name any.
var compoundTools = []string{webSearch, "code_interpreter", "visit_website", "browser_automation", "wolfram_alpha"}

// compound reads the tools of a system of models. None can be removed: without a list, or with an empty one, the system might use
// all of them.
func (c *collector) compound(root strictjson.Value, isCompound bool) {
	enabled := c.Member(c.Member(c.Member(root, "compound_custom"), "tools"), "enabled_tools")
	names := compoundTools
	if enabled.Kind() != strictjson.Missing && enabled.Len() > 0 {
		names = c.names(enabled)
	} else if !isCompound {
		return
	}
	for _, n := range names {
		_, spellings := nameOfType(n)
		d := append(strictjson.AppendString([]byte(`{"enabled_tools":[`), n), "]}"...)
		c.add(dialect.Offer{Names: []string{n}, Spellings: spellings, Declared: d, Fixed: true})
	}
}

// hiding are members of a request that name something at the provider with tools or sources of data that are not in the request.
// Without them the request would have another meaning.
var hiding = []string{"data_sources", "dataSources", "agent", "preset"}

// hidden reads the members that let the provider use tools that are not in the request.
func (c *collector) hidden(root strictjson.Value) {
	for _, member := range hiding {
		if v := c.Member(root, member); on(v) {
			c.add(dialect.Offer{Names: []string{member}, Declared: dialect.Declared(member, v), Fixed: true})
		}
	}
	model := c.Member(root, "model")
	if name, _ := model.Text(); strings.Contains(strings.ToLower(name), "@preset/") {
		c.add(dialect.Offer{Names: []string{"preset"}, Declared: dialect.Declared("model", model), Fixed: true})
	}
}

// cached reads the name of cached content, which may have tools.
func (c *collector) cached(root strictjson.Value) {
	for _, v := range []strictjson.Value{c.Member(root, "extra_body"), root} {
		vendor := c.Member(v, "google")
		for _, name := range []string{"cached_content", "cachedContent"} {
			if content := c.Member(vendor, name); on(content) {
				c.add(dialect.Offer{
					Names: []string{"cachedContent"}, Spellings: []string{"cached_content"},
					Declared: dialect.Declared(name, content), Fixed: true,
				})
			}
		}
	}
}
