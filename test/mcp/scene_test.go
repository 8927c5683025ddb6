package mcp

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// A scene is a job that is done with a server.
type scene struct {
	name   string
	server func(k kit, dir string) server // dir is the scene's own
	job    func(dir string) job
	only   string // the client that can do it; "": all can
}

func always(j job) func(string) job { return func(string) job { return j } }

// scenes are all jobs, with all servers that can do them.
func scenes() []scene {
	list := []scene{
		{name: "everything over stdio", server: func(k kit, _ string) server { return k.everything("stdio") }, job: always(everythingJob())},
		{
			name: "everything over http", server: func(k kit, _ string) server { return k.everything("streamableHttp") },
			job: always(everythingJob()),
		},
		{name: "everything over sse", server: func(k kit, _ string) server { return k.everything("sse") }, job: always(everythingJob())},
		{name: "stateless over stdio", server: conformingStdio, job: always(statelessJob()), only: "go"},
		{name: "stateless over http", server: conformingHTTP("-stateless=true"), job: always(statelessJob()), only: "go"},
		{name: "files", server: func(k kit, dir string) server { return k.files(dir) }, job: filesJob},
	}
	for _, version := range []string{newestWithSessions, "2025-06-18", "2025-03-26", "2024-11-05"} {
		job, only := always(conformingJob().inVersion(version)), ""
		if version != newestWithSessions {
			only = "go" // the other does not let its user choose
		}
		list = append(
			list,
			scene{name: "conforming over stdio in " + version, server: conformingStdio, job: job, only: only},
			scene{name: "conforming over http in " + version, server: conformingHTTP("-stateless=false"), job: job, only: only},
		)
	}
	return list
}

// newestWithSessions is the last version of the protocol in which a client opens a session.
const newestWithSessions = "2025-11-25"

func conformingStdio(k kit, _ string) server { return k.conforming("stdio") }

func conformingHTTP(flag string) func(kit, string) server {
	return func(k kit, _ string) server { return k.conforming("http", flag) }
}

// clients are those that can play a scene.
func (sc scene) clients(k kit) []client {
	return slices.DeleteFunc(k.clients(), func(c client) bool { return sc.only != "" && c.name != sc.only })
}

// checkHappened checks that steps came to what they are for: a transcript full of errors would equal another.
func checkHappened(t *testing.T, j job, lines []string) {
	t.Helper()
	for i, text := range lines[1:] {
		var l struct {
			Result map[string]any   `json:"result"`
			Error  map[string]any   `json:"error"`
			Asked  []map[string]any `json:"asked"`
			Noted  []map[string]any `json:"noted"`
		}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		s := j.Steps[i]
		failed := l.Error != nil || l.Result["isError"] == true
		if failed != s.fails() {
			t.Errorf("%s %s%s: %s", s.Do, s.Name, s.URI, text)
		}
		if len(l.Asked) != s.Asks || len(l.Noted) != s.Notes {
			t.Errorf("%s %s: %d requests and %d notifications", s.Do, s.Name, len(l.Asked), len(l.Noted))
		}
	}
}

// fails says whether a step is there to fail.
func (s step) fails() bool {
	return strings.Contains(s.Name+s.URI, "no-such") || strings.Contains(s.URI, "no/such") || s.Name == "test_error_handling" ||
		s.Name == "get-sum" && s.Arguments["a"] == "two" || s.Arguments["path"] == "/etc/hostname"
}
