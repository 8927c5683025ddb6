package warn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A disguise is how a text can be written so that it means the same, but is not compared as the same.
type disguise struct {
	params paramGroup
	cure   string
	others func(sample string) []string
}

// statementParams are the names of parameters that are statements for a database.
var statementParams = paramGroup(strings.Fields("sql sql_query statement"))

// nameOfHost finds the name of a host in a text.
var nameOfHost = regexp.MustCompile(`[A-Za-z0-9-]\.[A-Za-z]{2,}`)

var disguises = []disguise{
	{commandParams, "use runs, which finds the commands in a text", func(s string) []string { return []string{"true; " + s} }},
	{statementParams, "use sql, which finds the statements in a text", func(s string) []string {
		return []string{strings.ToLower(s), strings.ToUpper(s)}
	}},
	{urlParams, "use host_in, which compares the host of an address", func(s string) []string {
		if !nameOfHost.MatchString(s) {
			return nil
		}
		return []string{strings.ToLower(s), strings.ToUpper(s)}
	}},
	{pathParams, "use path_in or within, which compare where a path leads", func(s string) []string {
		if !strings.HasPrefix(s, "/") {
			return nil
		}
		return []string{"/tmp/.." + s}
	}},
}

// checkEvaded warns of rules that refuse a text by its characters, if the policy lets the same pass in another form.
func (f *Finder) checkEvaded(r *rule, t *test, at position) {
	if !r.refuses() || r.shadow || at.grants || at.none || t.negated || !slices.Contains(ofTexts, t.operator) || !r.ofCalls() {
		return
	}
	sample, ok := t.sample()
	if !ok || sample == "" || len(r.tools) == 0 || strings.ContainsAny(r.tools[0].Text, "*%") {
		return
	}
	for _, path := range t.paths {
		i := slices.IndexFunc(disguises, func(d disguise) bool { return slices.Contains(d.params, lastName(path)) })
		if i < 0 {
			continue
		}
		decide := func(text string) policy.Decision {
			q := policy.Query{Tools: []string{r.tools[0].Text}, Args: jsontext.Value(argsAt(path, text))}
			if len(r.servers) > 0 {
				q.Server = r.servers[0].Text
			}
			return f.policy.Decide(q)
		}
		if argsAt(path, sample) == "" || decide(sample).Rule != r.id {
			return
		}
		for _, other := range disguises[i].others(sample) {
			if !decide(other).Refused() {
				f.add(policy.WarnTextMatch, r, t.node.Get("operator"),
					fmt.Sprintf("%s compares characters: the rule refuses %s, but this passes: %s",
						t.operator, yamlfile.Quote(sample), yamlfile.Quote(other)),
					disguises[i].cure)
				return
			}
		}
		return
	}
}
