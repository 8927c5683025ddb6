package mcp

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// conformance runs the official conformance suite against a server and returns what came of each check, by scenario.
func (k kit) conformance(t *testing.T, at place, url string) map[string][]string {
	t.Helper()
	if k.newNode == "" {
		need.Missing(t, "the MCP conformance suite", "there is no node of version 22 or later for this machine")
	}
	dir := t.TempDir()
	// It ends with an error if a check fails; that is seen from the results.
	out, failed := finish(t, at, t.TempDir(), k.newNode, k.script("conformance", "dist", "index.js"), "server", "--url", url, "--suite",
		"all", "--output-dir", dir)
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	results := map[string][]string{}
	for _, f := range folders {
		m := scenarioFolder.FindStringSubmatch(f.Name())
		if m == nil {
			t.Fatalf("the suite wrote %s", f.Name())
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name(), "checks.json"))
		if err != nil {
			t.Fatal(err)
		}
		var checks []struct {
			ID     string `json:"id"`
			Status string `json:"status"`
		}
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			results[m[1]] = append(results[m[1]], c.ID+" "+c.Status)
		}
	}
	if len(results) != scenarios {
		t.Fatalf("%d scenarios: %v\n%s", len(results), failed, out)
	}
	return results
}

// scenarioFolder is how the suite names the folder of a scenario's results: server-, its name, and the time.
var scenarioFolder = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$`)

// scenarios is how many the suite has. With fewer, something was left out.
const scenarios = 32

// conformers are the server of the Go SDK with sessions, which conforms in all, and without, when it cannot ask its client.
func (k kit) conformers() map[string]server {
	return map[string]server{"sessions": k.conforming("http", "-stateless=false"), "stateless": k.conforming("http", "-stateless=true")}
}

// testConformance checks that a server conforms behind weir as it does without.
func testConformance(t *testing.T, k kit) {
	for name, s := range k.conformers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := apart(t)
			s.start(t, at)
			w := startWeir(t, k.weir, at, nil, s)
			want, got := k.conformance(t, at, s.url()), k.conformance(t, at, w.Base+"/mcp/"+s.id)
			if name == "sessions" {
				checkConforms(t, want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			w.Stop(t)
			called := slices.ContainsFunc(w.record(t), func(e event) bool { return e.Tool == "test_simple_text" && e.Type == "mcp_tool_called" })
			if !called {
				t.Error("its calls are not on record")
			}
		})
	}
}

// checkConforms checks that a server conforms in all: two that fail alike would be equal.
func checkConforms(t *testing.T, results map[string][]string) {
	t.Helper()
	for scenario, checks := range results {
		for _, check := range checks {
			if strings.HasSuffix(check, " FAILURE") {
				t.Errorf("%s: %s", scenario, check)
			}
		}
	}
}
