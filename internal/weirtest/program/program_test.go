package program

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

const settings = "policy: {version: 1, default: allow}\n"

// A weir is started, asked and stopped, and starts again on what it stored.
func TestInstall(t *testing.T) {
	need.Long(t)
	in := In(t.TempDir(), need.Weir(t))
	in.Loud = true
	for range 2 {
		p := in.Serve(t, settings)
		resp, err := http.Get(p.Base + "/nowhere/v1/messages")
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if log := p.Stop(t); !strings.Contains(log, "status=404") {
			t.Errorf("it logs %q", log)
		}
		in.Verify(t)
	}
	types := map[string]int{}
	type event struct {
		Type string `json:"type"`
	}
	for _, e := range Record[event](t, in) {
		types[e.Type]++
	}
	if types["policy_loaded"] != 2 {
		t.Errorf("on record are %v", types)
	}
}

// A weir that cannot start is told of with what it says, and is gone.
func TestInstallDoesNotStart(t *testing.T) {
	need.Long(t)
	in := In(t.TempDir(), need.Weir(t))
	if err := in.Configure("nonsense: 1\n"); err != nil {
		t.Fatal(err)
	}
	p, err := in.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Await(); err == nil || !strings.Contains(err.Error(), "nonsense") || p.Base != "" {
		t.Errorf("it listens on %q: %v", p.Base, err)
	}
	if code := p.ExitCode(); code != 2 {
		t.Errorf("exit code %d", code)
	}
}

// Whatever the one who runs the tests has set, the program does not get.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"GOGC", "HTTPS_PROXY", "XDG_STATE_HOME", "OPENAI_API_KEY", "HOME"} {
		t.Setenv(name, "of the developer")
	}
	cmd := In("/its/home", "weir").Command("version")
	for _, v := range cmd.Env {
		if strings.Contains(v, "of the developer") {
			t.Errorf("it gets %s", v)
		}
	}
	for _, want := range []string{"HOME=/its/home", "PATH=" + os.Getenv("PATH")} {
		if !slices.Contains(cmd.Env, want) {
			t.Errorf("it does not get %s", want)
		}
	}
}
