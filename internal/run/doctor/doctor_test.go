package doctor

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/home/hometest"
	"github.com/weir-gate/weir/internal/run/agent"
)

// healthy is a configuration of which nothing is wrong, but that no weir runs.
func healthy(t *testing.T) Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c := config.Default(dir)
	c.Listen = freeAddress(t)
	return Config{
		StateDir: dir, Version: "v1", Temp: t.TempDir(),
		Load: func() (*config.Config, error) { return c, nil }, LoadPolicy: func() (string, string, error) { return "policy.yaml", "sha256:1", nil },
		Surroundings: agent.Surroundings{Home: t.TempDir(), Dir: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }},
		Installed:    func(agent.Agent) bool { return false },
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // nobody uses it
	return l.Addr().String()
}

// find returns the finding that says something; its severity is "" if there is none.
func find(found []Finding, what string) Finding {
	for _, f := range found {
		if strings.Contains(f.What, what) {
			return f
		}
	}
	return Finding{}
}

func TestFindings(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	weir := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"name":"weir","status":"ok"}`)) }))
	defer weir.Close()
	listen := func(c *Config, address string) {
		cfg, _ := c.Load()
		cfg.Listen = strings.TrimPrefix(address, "http://")
	}
	tests := []struct {
		name string
		set  func(t *testing.T, c *Config)
		what string
		want Severity
	}{
		{"nobody runs", func(*testing.T, *Config) {}, "no weir runs on this machine", Note},
		{"old copy", func(t *testing.T, c *Config) {
			path := filepath.Join(t.TempDir(), "policy.yaml")
			text := "# A copy of weir's preset balanced, revision 00000000.\nversion: 1\ndefault: allow\n"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c.LoadPolicy = func() (string, string, error) { return path, "sha256:1", nil }
		}, "is a copy of the preset balanced of another version of weir (revision 00000000", Note},
		{"port of another", func(_ *testing.T, c *Config) { listen(c, other.URL) }, "is taken by another program that speaks HTTP", Error},
		{"port of a weir", func(_ *testing.T, c *Config) { listen(c, weir.URL) }, "it has another state folder", Error},
		{"no state", func(_ *testing.T, c *Config) { c.StateDir, c.NoState = "", errors.New("neither HOME nor") }, "neither HOME nor", Error},
		{"state is a file", func(t *testing.T, c *Config) {
			c.StateDir = filepath.Join(c.StateDir, "file")
			if err := os.WriteFile(c.StateDir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is not a folder", Error},
		{"no socket", func(_ *testing.T, c *Config) { c.NoSocket = errors.New("open the control socket: no") }, "open the control socket", Error},
		{"bad configuration", func(_ *testing.T, c *Config) {
			c.Load = func() (*config.Config, error) { return nil, errors.New("bad\x1b[2J") }
		}, `the configuration cannot be used: bad\x1b[2J`, Error},
		{"bad policy", func(_ *testing.T, c *Config) {
			c.LoadPolicy = func() (string, string, error) { return "policy.yaml", "", errors.New("bad") }
		}, "the policy cannot be used", Error},
		{"observe", func(_ *testing.T, c *Config) { cfg, _ := c.Load(); cfg.Enforcement = config.Observe }, "enforcement is observe", Warning},
		{"mcp only", func(_ *testing.T, c *Config) { cfg, _ := c.Load(); cfg.Proxy.Mode = config.MCPOnly }, "proxy.mode is mcp-only", Warning},
		{"gone files", func(_ *testing.T, c *Config) { c.Started = []string{"/nowhere/weir.yaml"} }, "/nowhere/weir.yaml, which does not exist", Error},
		{"bad start", func(_ *testing.T, c *Config) { c.NotStarted = errors.New("find out how") }, "find out how", Error},
		{"proxy", func(_ *testing.T, c *Config) {
			c.Surroundings.Lookup = func(n string) (string, bool) { return "http://u:secret@p", n == "https_proxy" }
		}, "https_proxy is set", Note},
		{"past weir", func(_ *testing.T, c *Config) {
			c.Surroundings.Lookup = func(n string) (string, bool) { return "http://u:secret@p.example/secret", n == "OPENAI_BASE_URL" }
		}, "OPENAI_BASE_URL points to p.example", Warning},
		{"leftovers", func(t *testing.T, c *Config) {
			dir := filepath.Join(c.Temp, "weir-run-1")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "1 runs were killed", Note},
		{"garbled journal", func(t *testing.T, c *Config) {
			if err := os.MkdirAll(filepath.Join(c.StateDir, "setup"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(c.StateDir, "setup", "claude.json"), []byte("garbled"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "read the changes of weir setup claude", Error},
		{"the clock went back", future, "the clock is at", Warning},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := healthy(t)
			test.set(t, &c)
			found := Examine(t.Context(), c)
			got := find(found, test.what)
			if got.Severity != test.want || got.Why == "" || got.Cure == "" {
				t.Errorf("%+v among %+v", got, found)
			}
			if Failed(found) != slices.ContainsFunc(found, func(f Finding) bool { return f.Severity == Error }) || test.want == Error && !Failed(found) {
				t.Errorf("failed: %t", Failed(found))
			}
			for i, f := range found {
				if strings.Contains(f.What+f.Why+f.Cure, "secret") {
					t.Errorf("a secret is shown: %+v", f)
				}
				if i > 0 && rank(found[i-1]) > rank(f) {
					t.Errorf("%s comes after %s", f.Severity, found[i-1].Severity)
				}
			}
		})
	}
}

func rank(f Finding) int { return slices.Index([]Severity{Error, Warning, Note}, f.Severity) }

// future has the record be of tomorrow.
func future(t *testing.T, c *Config) {
	cfg, _ := c.Load()
	e := record.Event{Time: time.Now().Add(24 * time.Hour), Type: record.Types.PolicyLoaded}
	if err := hometest.Record(t.Context(), cfg.Store.URL, "", e); err != nil {
		t.Fatal(err)
	}
}

func TestNothingIsWrong(t *testing.T) {
	c := healthy(t)
	found := Examine(t.Context(), c)
	found = slices.DeleteFunc(found, func(f Finding) bool {
		// What a machine that tests run on may lack.
		return strings.HasPrefix(f.What, "weir run cannot confine") || strings.HasPrefix(f.What, "this machine has no IPv6") || strings.Contains(f.What, "MB of room")
	})
	if len(found) != 1 || found[0].What != "no weir runs on this machine" {
		t.Errorf("%+v", found)
	}
	entries, err := os.ReadDir(c.StateDir)
	if err != nil || len(entries) > 0 {
		t.Errorf("it left %v behind, %v", entries, err)
	}
}
