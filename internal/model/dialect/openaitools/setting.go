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

// switches are members of a request that turn a tool of the provider on.
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
func (r *reader) settings(root strictjson.Value) error {
	for _, s := range switches {
		v, err := dialect.OfferMember(root, s.member)
		if err != nil {
			return err
		}
		var mode strictjson.Value
		if s.name == liveSearch {
			if mode, err = dialect.OfferMember(v, "mode"); err != nil {
				return err
			}
		}
		if !on(v) || mode.Is("off") {
			continue
		}
		start, _ := v.Span()
		r.add(dialect.Offer{
			Names: []string{s.name}, Spellings: s.spellings, Declared: dialect.Declared(s.member, v),
			Cuts: []dialect.Cut{{Start: start}},
		})
	}
	for _, read := range []func(strictjson.Value) error{r.plugins, r.models, r.cached, r.hidden} {
		if err := read(root); err != nil {
			return err
		}
	}
	return nil
}

// plugins reads what is run once for a request.
func (r *reader) plugins(root strictjson.Value) error {
	list, err := dialect.OfferMember(root, "plugins")
	if err != nil || list.Kind() == strictjson.Missing {
		return err
	}
	if list.Kind() != strictjson.Array {
		return dialect.ErrUnreadable
	}
	for v := range list.Elems() {
		id, err := dialect.OfferText(v, "id")
		if err != nil {
			return err
		}
		if id == "" {
			return dialect.ErrUnreadable
		}
		enabled, err := dialect.OfferMember(v, "enabled")
		if err != nil {
			return err
		}
		if enabled.Kind() != strictjson.Missing && !on(enabled) {
			continue
		}
		start, _ := v.Span()
		o := dialect.Offer{Names: []string{id}, Declared: dialect.WithoutSecrets(v), Cuts: []dialect.Cut{{Start: start}}}
		if id == "web" {
			o.Spellings = []string{webSearch}
		}
		r.add(o)
	}
	return nil
}

// models reads the tools that models bring along.
func (r *reader) models(root strictjson.Value) error {
	model, err := dialect.OfferMember(root, "model")
	if err != nil {
		return err
	}
	others, err := dialect.OfferMember(root, "models")
	if err != nil {
		return err
	}
	models := []strictjson.Value{model}
	for v := range others.Elems() {
		models = append(models, v)
	}
	compound := false
	for _, v := range models {
		name, _ := v.Text()
		name = strings.ToLower(name)
		if searches(name) {
			r.add(dialect.Offer{Names: []string{webSearch}, Spellings: []string{"online"}, Declared: dialect.Declared("model", v), Fixed: true})
		}
		compound = compound || isCompound(name)
	}
	return r.compound(root, compound)
}

// searches says whether a model searches the web by itself.
func searches(model string) bool {
	return strings.Contains(model+":", ":online:") || strings.Contains(model, "-search-preview") || strings.Contains(model, "-search-api")
}

// isCompound says whether a model is a system of models that has tools of its own.
func isCompound(model string) bool {
	base := model[strings.LastIndexByte(model, '/')+1:]
	return base == "compound" || strings.HasPrefix(base, "compound-")
}

// compoundTools are the tools that such a system may use if a request does not say which.
var compoundTools = []string{webSearch, "code_interpreter", "visit_website", "browser_automation", "wolfram_alpha"}

// compound reads the tools of a system of models. None can be taken out: without a list, or with an empty one, the system
// might use all of them.
func (r *reader) compound(root strictjson.Value, isCompound bool) error {
	custom, err := dialect.OfferMember(root, "compound_custom")
	if err != nil {
		return err
	}
	tools, err := dialect.OfferMember(custom, "tools")
	if err != nil {
		return err
	}
	enabled, err := dialect.OfferMember(tools, "enabled_tools")
	if err != nil {
		return err
	}
	names := compoundTools
	if enabled.Kind() != strictjson.Missing && enabled.Len() > 0 {
		if names, err = texts(enabled); err != nil {
			return err
		}
	} else if !isCompound {
		return nil
	}
	for _, n := range names {
		_, spellings := nameOfType(n)
		d := append(strictjson.AppendString([]byte(`{"enabled_tools":[`), n), "]}"...)
		r.add(dialect.Offer{Names: []string{n}, Spellings: spellings, Declared: d, Fixed: true})
	}
	return nil
}

// hiding are members of a request that name something of the provider's with tools, or sources of data, that the request does not
// show. It would mean something else without them.
var hiding = []string{"data_sources", "dataSources", "agent", "preset"}

// hidden reads what lets the provider act with tools that are not in the request.
func (r *reader) hidden(root strictjson.Value) error {
	for _, member := range hiding {
		v, err := dialect.OfferMember(root, member)
		if err != nil {
			return err
		}
		if on(v) {
			r.add(dialect.Offer{Names: []string{member}, Declared: dialect.Declared(member, v), Fixed: true})
		}
	}
	model, err := dialect.OfferMember(root, "model")
	if name, _ := model.Text(); err == nil && strings.Contains(strings.ToLower(name), "@preset/") {
		r.add(dialect.Offer{Names: []string{"preset"}, Declared: dialect.Declared("model", model), Fixed: true})
	}
	return err
}

// cached reads a name of cached content, which may have tools in it.
func (r *reader) cached(root strictjson.Value) error {
	extra, err := dialect.OfferMember(root, "extra_body")
	if err != nil {
		return err
	}
	for _, v := range []strictjson.Value{extra, root} {
		vendor, err := dialect.OfferMember(v, "google")
		if err != nil {
			return err
		}
		for _, name := range []string{"cached_content", "cachedContent"} {
			content, err := dialect.OfferMember(vendor, name)
			if err != nil {
				return err
			}
			if on(content) {
				r.add(dialect.Offer{Names: []string{"cachedContent"}, Spellings: []string{"cached_content"}, Declared: dialect.Declared(name, content), Fixed: true})
			}
		}
	}
	return nil
}
