package exemption

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// contentNames are the arguments of tools for files that say what a file gets.
var contentNames = strings.Fields("content contents file_text new_string old_string new_str old_str new_source")

// contentOf returns the arguments that may differ because a person lets any content pass, or an error if the person did not and one is too
// long to be compared.
func contentOf(p *policy.Policy, q policy.Query, why refusal, terms Terms) ([]string, error) {
	var free []string
	if isAboutPaths(p, why) {
		free = irrelevant(p, q, why, contentNames)
	}
	if terms.AnyContent {
		if len(free) == 0 {
			return nil, errors.New("--any-content: what refuses the call is not only about the path of a file that gets content; " +
				"leave the flag out, or change the rule by hand")
		}
		return free, nil
	}
	for _, m := range membersOf(q.Args) {
		if len(m.raw) <= maxValue {
			continue
		}
		cure := "change the rule by hand"
		if slices.Contains(free, m.name) {
			cure += ", or let any content pass with --any-content"
		}
		return nil, fmt.Errorf("%s has %d bytes, which is too long for an exception (at most %d); %s",
			yamlfile.Quote(m.name), len(m.raw), maxValue, cure)
	}
	return nil, nil
}

// pathOperators test places of files, and pathParams are parameters that are paths.
var (
	pathOperators = strings.Fields("reads writes removes surely_reads surely_writes surely_removes")
	pathTests     = strings.Fields("within path_in equals starts_with ends_with matches")
	pathParams    = strings.Fields("path file_path filepath file filename notebook_path")
)

// isAboutPaths says that rules refuse a call, and that all their conditions are about paths.
func isAboutPaths(p *policy.Policy, why refusal) bool {
	if why.byDefault || len(why.rules) == 0 {
		return false
	}
	return !slices.ContainsFunc(why.rules, func(id string) bool {
		at := slices.IndexFunc(p.Written().Rules, func(r policy.WrittenRule) bool { return r.Get("id") != nil && r.Get("id").Text == id })
		if at < 0 {
			return true
		}
		conditions := p.Written().Rules[at].Get("conditions")
		return conditions == nil || !testsPaths(conditions)
	})
}

// testsPaths says that a condition is about paths, with all conditions in it.
func testsPaths(n *yamlfile.Node) bool {
	if op := n.Get("operator"); op != nil {
		name, param := strings.TrimPrefix(op.Text, "not_"), n.Get("param_path")
		if param == nil {
			return slices.Contains(pathOperators, name)
		}
		return (slices.Contains(pathOperators, name) || slices.Contains(pathTests, name)) && param.Kind == yamlfile.String &&
			slices.Contains(pathParams, strings.ToLower(param.Text))
	}
	for _, e := range n.Entries {
		if e.Name == "time" || e.Name == "model" {
			continue
		}
		if len(e.Value.Items) == 0 || slices.ContainsFunc(e.Value.Items, func(item *yamlfile.Node) bool { return !testsPaths(item) }) {
			return false
		}
	}
	return len(n.Entries) > 0
}
