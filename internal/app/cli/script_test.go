package cli

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/weir-gate/weir/internal/model/formats"
	"github.com/weir-gate/weir/internal/run/confine"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	if confine.Inside() {
		confine.Main()
	}
	testscript.Main(m, map[string]func(){
		"weir":       func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"post":       func() { os.Exit(post(os.Args[1:])) },
		"get":        func() { os.Exit(get(os.Args[1:])) },
		"background": func() { os.Exit(background(os.Args[1:])) },
		"mcpserver":  func() { os.Exit(mcpserver(os.Args[1:])) },
		"ask":        func() { os.Exit(askMCP(os.Args[1:])) },
		"dial":       func() { os.Exit(dial(os.Args[1:])) },
		"says":       func() { os.Exit(says(os.Args[1:])) },
		"tty":        func() { os.Exit(tty(os.Args[1:])) },
	})
}

// namespaces goes on only where programs can be confined.
func namespaces(t *testing.T, ts *testscript.TestScript) {
	if err := confine.Check(); err != nil {
		ts.Logf("%v", err)
		need.Missing(t, "weir run in namespaces", err.Error())
	}
}

// scripts are the files to run: all, or in short one of eight.
func scripts(t *testing.T) []string {
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(all) == 0 {
		t.Fatalf("%d scripts: %v", len(all), err)
	}
	var files []string
	for i, path := range all {
		if !testing.Short() || i%8 == 0 {
			files = append(files, path)
		}
	}
	return files
}

// TestScripts runs weir as a process, the way a user does. See testdata/script/README.md for the commands that scripts
// have beside testscript's own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		// A weir that starts where it should not would run for ever.
		Deadline: time.Now().Add(10 * time.Minute),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("TZ", "UTC")
			// What weir verify tries in each format: a row at the door, and one row for all of them in a session; streamed and whole.
			env.Setenv("VERIFY_ROWS", strconv.Itoa(len(formats.All())+1))
			env.Setenv("VERIFY_CALLS", strconv.Itoa(2*2*len(formats.All())))
			env.Values[talksKey{}] = map[string]*talk{}
			state := filepath.Join(env.WorkDir, "state")
			env.Defer(func() { stopServe(state) }) // weir mcp wrap may have started one
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       exits,
			"upstream":    upstream,
			"receiver":    receiver,
			"await":       await,
			"capture":     capture,
			"signal":      sendSignal,
			"sql":         runSQL,
			"tamper":      tamper,
			"garble":      garble,
			"damage":      damage,
			"copyrecord":  copyrecord,
			"empty":       empty,
			"refused":     refused,
			"certificate": certificate,
			"meet":        meet,
			"offer":       offer,
			"happened":    happened,
			"mcphttp":     mcphttp,
			"talk":        talkTo,
			"say":         say,
			"hear":        hear,
			"hangup":      hangup,
			"until":       until,
			"stopweir":    stopWeir,
			"freeport":    freePort,
			"namespaces":  func(ts *testscript.TestScript, _ bool, _ []string) { namespaces(t, ts) },
			"listens":     listens,
		},
	})
}
