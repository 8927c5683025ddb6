package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
)

const (
	docs          = "../../../docs/policy-reference.md"
	configuration = "../../../docs/configuration.md"
)

var fenced = regexp.MustCompile("(?ms)^```(yaml|json)\n(.*?)^```$")

// Every example in the docs is loaded as what it is. Those of the tutorial and the cookbook are run by test/docs.
func TestDocsExamples(t *testing.T) {
	loaded := map[string]int{}
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, file := range pages {
		if name := filepath.Base(file); name != "policy.md" && name != "cookbook.md" {
			loadExamples(t, file, loaded)
		}
	}
	for kind, least := range map[string]int{"policy": 30, "cases": 2, "config": 2, "client": 3} {
		if loaded[kind] < least {
			t.Errorf("%d examples of a %s in the docs, want at least %d", loaded[kind], kind, least)
		}
	}
}

// hasConfigurations are pages whose other examples are configurations of weir. Those of other pages may be of other programs.
var hasConfigurations = map[string]bool{"configuration.md": true, "policy-reference.md": true, "mcp.md": true, "deploy.md": true}

// clientSettings begin settings of MCP clients.
var clientSettings = regexp.MustCompile(`^\{\s*"(mcpServers|mcp|servers)":`)

// loadExamples loads the examples of a page, and counts them by what they are.
func loadExamples(t *testing.T, file string, loaded map[string]int) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	env := environment("CORP_KEY", "sk-corp", "ANN_KEY", "ann-0123456789abcdef", "CI_KEY", "ci-0123456789abcdef", "SIEM_KEY", "siem-0123456789abcdef", "PROXY_PASSWORD", "x", "POD_NAME", "weir-0",
		"BOB_TOTP", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
	for _, at := range fenced.FindAllSubmatchIndex(page, -1) {
		text := page[at[4]:at[5]]
		name := fmt.Sprintf("%s:%d", file, 1+strings.Count(string(page[:at[0]]), "\n"))
		kind := "config"
		switch first := strings.TrimLeft(withoutComments(string(text)), `{"`); {
		case clientSettings.Match(text):
			kind = "client"
			err = json.Unmarshal(text, new(any))
		case strings.HasPrefix(first, "version"):
			kind = "policy"
			_, err = policy.Parse(name, text)
		case strings.HasPrefix(first, "cases"):
			kind = "cases"
			_, err = study.ParseCases(name, text)
		default:
			if !hasConfigurations[filepath.Base(file)] {
				continue // of another program
			}
			_, err = Parse(name, text, env)
		}
		if loaded[kind]++; err != nil {
			t.Errorf("%s: this %s cannot be loaded:\n%v", name, kind, err)
		}
	}
}

// withoutComments is a text without the comments and empty lines before its first key.
func withoutComments(text string) string {
	for strings.HasPrefix(text, "#") || strings.HasPrefix(text, "\n") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// The cases that the docs give for connections are decided by the policy that they give as they say.
func TestDocsConnections(t *testing.T) {
	page, err := os.ReadFile(docs)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Connections\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var p *policy.Policy
	var cases []study.Case
	for _, m := range fenced.FindAllStringSubmatch(section, -1) {
		switch text := m[2]; {
		case strings.HasPrefix(text, "version"):
			p, err = policy.Parse(docs, []byte(text))
		case strings.HasPrefix(text, "cases"):
			cases, err = study.ParseCases(docs, []byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if p == nil || len(cases) < 2 {
		t.Fatalf("the docs have a policy: %v; %d cases", p != nil, len(cases))
	}
	for _, r := range study.RunCases(p, cases) {
		if !r.Passed() {
			t.Errorf("%s: %s", r.Case.Name, r.Problem)
		}
	}
}

// What the docs list as not built yet is refused with those words.
func TestDocsNotBuilt(t *testing.T) {
	section := ""
	for _, file := range []string{docs, configuration} {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, items, found := strings.Cut(string(page), "\n## Not built yet\n")
		if !found {
			t.Fatalf("%s has no such section", file)
		}
		section += items
	}
	const rule = "version: 1\ndefault: allow\nrules:\n- {id: r, tool: x, verdict: deny, %s}\n"
	const asking = "version: 1\ndefault: allow\nrules:\n- {id: r, tool: x, verdict: pending_approval, approval: {%s}}\n"
	templates := map[string]string{
		"in a policy":            "version: 1\ndefault: allow\n%s: {}\n",
		"in a rule":              fmt.Sprintf(rule, "%s: x"),
		"verdicts":               "version: 1\ndefault: allow\nrules:\n- {id: r, tool: x, verdict: %s}\n",
		"surfaces":               fmt.Sprintf(rule, "surface: %s"),
		"scopes of an approval":  fmt.Sprintf(asking, "scopes: %s"),
		"factors of an approval": fmt.Sprintf(asking, "step_up: %s"),
		"in `weir.yaml`":         "%s: {}\n",
	}
	checked := 0
	named := regexp.MustCompile("`([a-z_]+)`")
	for item := range strings.SplitSeq(section, "\n- ") {
		head, list, isItem := strings.Cut(item, ": ")
		if !isItem || templates[head] == "" {
			continue
		}
		list, _, _ = strings.Cut(list, "and the upstreams")
		for _, m := range named.FindAllStringSubmatch(list, -1) {
			checked++
			text := fmt.Appendf(nil, templates[head], m[1])
			var err error
			if head == "in `weir.yaml`" {
				_, err = Parse("f", text, environment())
			} else {
				_, err = policy.Parse("f", text)
			}
			if err == nil || !strings.Contains(err.Error(), "not built yet") {
				t.Errorf("%s %s: got %v", head, m[1], err)
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d names found in the docs", checked)
	}
}
