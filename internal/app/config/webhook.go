package config

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Webhook is an address to which events are posted.
type Webhook struct {
	Name   string
	URL    *url.URL
	Secret string // the key of the signature
	Args   bool   // the arguments of calls are sent, too; default false
	// Each list that is not empty restricts which events are posted.
	Types, Verdicts, Codes, Rules, Tools, Servers, Employees, Teams []string
}

var webhookShape = yamlfile.Shape{
	Required: []string{"name", "url", "secret"},
	Optional: []string{"args", "types", "verdicts", "codes", "rules", "tools", "servers", "employees", "teams"},
}

func (r *loader) webhooks(cfg *Config, n *yamlfile.Node) {
	items, _ := r.report.List(n)
	names := map[string]int{}
	for _, item := range items {
		if !r.report.Mapping(item, webhookShape) {
			continue
		}
		w := r.webhook(item)
		if first, twice := names[w.Name]; twice && w.Name != "" {
			r.report.Add(item.Get("name"), fmt.Sprintf("this name is used twice, first on line %d", first), "give each webhook its own")
		}
		names[w.Name] = item.Line
		cfg.Webhooks = append(cfg.Webhooks, w)
	}
}

func (r *loader) webhook(n *yamlfile.Node) (w Webhook) {
	if v := n.Get("name"); v != nil {
		w.Name, _ = r.text(v, "a name for metrics and messages")
		if w.Name != "" && !upstreamName.MatchString(w.Name) {
			r.report.Add(v, "this is not a name for a webhook", "use up to 64 lower-case letters, digits, dashes and underscores")
		}
	}
	if v := n.Get("url"); v != nil {
		if text, ok := r.text(v, "a URL"); ok {
			w.URL = r.hookURL(v, text)
		}
	}
	if v := n.Get("secret"); v != nil {
		if w.Secret, _ = r.text(v, "the key of the signature"); w.Secret != "" && len(w.Secret) < minSecret {
			r.report.Add(v, fmt.Sprintf("the secret has fewer than %d characters", minSecret), "make one with: openssl rand -hex 24")
		}
	}
	r.bool(n, "args", &w.Args)
	for _, list := range w.lists() {
		r.webhookList(list, n.Get(list.name))
	}
	r.webhookMatches(&w, n)
	return w
}

// A hookList is one of the lists with which a webhook selects events.
type hookList struct {
	name  string
	words yamlfile.Choice // the values that it may have; none: any
	has   record.Members  // the members of events that it is about; none: those that all events have
	into  *[]string
}

// lists returns the lists of a webhook, in the order in which they are checked.
func (w *Webhook) lists() []hookList {
	verdicts := []string{
		string(policy.Allow), string(policy.Audit), string(policy.Sanitize), string(policy.PendingApproval), string(policy.Deny),
	}
	return []hookList{
		{name: "types", words: yamlfile.Choice{What: "a type of events", Words: record.Types.Names()}, into: &w.Types},
		{name: "verdicts", words: yamlfile.Choice{What: "a verdict", Words: verdicts}, has: record.Members{Verdict: true}, into: &w.Verdicts},
		{name: "codes", words: yamlfile.Choice{What: "a code of refusals", Words: call.Codes()}, has: record.Members{Code: true}, into: &w.Codes},
		{name: "rules", has: record.Members{Verdict: true}, into: &w.Rules},
		{name: "tools", has: record.Members{Tool: true}, into: &w.Tools},
		{name: "servers", has: record.Members{Tool: true}, into: &w.Servers},
		{name: "employees", has: record.Members{Actor: true}, into: &w.Employees},
		{name: "teams", has: record.Members{Actor: true}, into: &w.Teams},
	}
}

// webhookList reads one list, if it is set.
func (r *loader) webhookList(list hookList, n *yamlfile.Node) {
	if n == nil {
		return
	}
	items, _ := r.report.OneOrMore(n, "a value")
	for _, item := range items {
		if item.Kind != yamlfile.String || item.Text == "" {
			continue // this was reported already
		}
		read := func() (string, bool) { return r.text(item, "a value") }
		if len(list.words.Words) > 0 {
			read = func() (string, bool) { return r.word(item, list.words) }
		}
		if text, ok := read(); ok {
			*list.into = append(*list.into, text)
		}
	}
}

// webhookMatches checks that some event can match all lists: a response has no verdict, for example.
func (r *loader) webhookMatches(w *Webhook, n *yamlfile.Node) {
	left := record.Types.Names()
	if len(w.Types) > 0 {
		left = w.Types
	}
	for _, list := range w.lists() {
		if list.has == (record.Members{}) || len(*list.into) == 0 {
			continue
		}
		fits := slices.DeleteFunc(slices.Clone(left), func(t string) bool { return !record.Type(t).Kind().Has.Include(list.has) })
		if len(fits) == 0 {
			r.report.Add(n.Get(list.name), "no event has "+list.name+" and is of the type "+yamlfile.OneOf(left),
				"remove one of them, or change types")
			return
		}
		left = fits
	}
}

// hookURL checks the address of a webhook, which may have its secret in the path or the query.
func (r *loader) hookURL(n *yamlfile.Node, text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		r.report.Add(n, "this is not the URL of a webhook", "write https://host/path, without a user")
		return nil
	}
	return u
}

func webhooksSchema() yamlfile.Schema {
	text := yamlfile.TextSchema()
	values := map[string]yamlfile.Schema{
		"name": text.Describe("Its name in metrics and messages."), "url": text.Describe("Where events are posted."),
		"secret": text.Describe("The key of the signature: at least 16 characters."),
		"args":   yamlfile.BoolSchema().Describe("Post the arguments of calls, as recorded (default: false)."),
	}
	for _, list := range new(Webhook).lists() {
		item := text
		if len(list.words.Words) > 0 {
			item = wordSchema(list.words)
		}
		values[list.name] = yamlfile.OneOrMoreSchema(item)
	}
	return yamlfile.ListSchema(webhookShape.Schema(values))
}
