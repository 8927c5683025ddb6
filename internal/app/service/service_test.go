package service

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

var odd = Spec{
	Program: "/opt/a b/weir", Args: []string{"serve", "--config", `/etc/we%ir/"x" & <y>.yaml`}, Version: "v1--2",
	Environment: []string{"XDG_STATE_HOME=/home/ann b/$x"}, StateDir: "/home/ann/state",
}

// plans are those of all systems: what they write can be checked on any.
func plans(system bool) map[string]plan {
	s := odd
	s.System = system
	return map[string]plan{
		"systemd": systemdPlan(s, "/home/ann/.config"), "launchd": launchdPlan(s, "/Users/ann", 501), "windows": taskPlan(s, `C:\Users\ann`),
	}
}

// TestUnits has systemd itself read the units, and judge how well they shut the service in.
func TestUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		need.Missing(t, "units of systemd", "systemd-analyze, which comes with systemd")
	}
	for _, system := range []bool{false, true} {
		s := Spec{Program: "/bin/true", Args: []string{"serve", "--config", "/etc/we%ir/x y.yaml"}, System: system, Version: "v1"}
		file := filepath.Join(t.TempDir(), "weir.service")
		if err := os.WriteFile(file, []byte(systemdUnit(s)), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"verify", "--man=no", "--recursive-errors=no", file}
		if !system {
			args = append([]string{"--user"}, args...)
		}
		cmd := exec.CommandContext(t.Context(), "systemd-analyze", args...)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("system %v: systemd-analyze verify: %v\n%s", system, err, said)
		}
		if !system {
			continue
		}
		said, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--no-pager", file).CombinedOutput()
		level := regexp.MustCompile(`Overall exposure level[^:]*: ([\d.]+)`).FindSubmatch(said)
		if level == nil {
			t.Fatalf("systemd-analyze security: %v\n%s", err, said)
		}
		if exposed, err := strconv.ParseFloat(string(level[1]), 64); err != nil || exposed > 2.5 {
			t.Errorf("exposed %s, %v:\n%s", level[1], err, said)
		}
	}
}

func TestSystemdWords(t *testing.T) {
	for word, want := range map[string]string{
		"serve": "serve", "": `""`, "a b": `"a b"`, "50%": "50%%", "$x": "$$x", `a"b`: `"a\"b"`, `c:\x`: `"c:\\x"`,
	} {
		if got := systemdWords([]string{word}); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
	}
}

// TestXML has what launchd and the Task Scheduler get parsed, with signs in it that XML uses itself.
func TestXML(t *testing.T) {
	for _, system := range []bool{false, true} {
		for name, p := range plans(system) {
			if name == "systemd" {
				continue
			}
			texts := ""
			d := xml.NewDecoder(strings.NewReader(p.text))
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v in\n%s", name, err, p.text)
				}
				if text, ok := token.(xml.CharData); ok {
					texts += string(text)
				}
			}
			for _, want := range []string{odd.Program, "& <y>.yaml", "/home/ann b/$x", "service.log"} {
				if !strings.Contains(texts, want) {
					t.Errorf("%s: %q is not in\n%s", name, want, p.text)
				}
			}
		}
	}
}

func TestStates(t *testing.T) {
	for _, tt := range []struct {
		parse func(string) State
		said  string
		want  State
	}{
		{
			systemdState, "ActiveState=active\nSubState=running\nMainPID=12\nActiveEnterTimestamp=Wed 2026-11-18 09:00:00 UTC\nNRestarts=0\n",
			State{Running: true, Says: "active (running)", PID: "12", Since: "Wed 2026-11-18 09:00:00 UTC"},
		},
		{systemdState, "ActiveState=failed\nSubState=failed\nMainPID=0\nNRestarts=5\n", State{Says: "failed (failed)", Restarts: "5"}},
		{systemdState, "", State{}},
		{launchdState, "gui/501/x = {\n\tactive count = 1\n\tstate = running\n\tpid = 77\n\tspawn = {\n\t\tstate = 0\n\t}\n}", State{Running: true, Says: "running", PID: "77"}},
		{launchdState, "Could not find service", State{}},
		{
			taskState, "\r\nTaskName:  \\weir\r\nStatus:   Running\r\nLast Run Time:  11/18/2026 9:00:00 AM\r\n",
			State{Running: true, Says: "Running", Since: "11/18/2026 9:00:00 AM"},
		},
		{taskState, "Status: Ready\r\nLast Run Time: 11/18/2026\r\n", State{Says: "Ready"}},
	} {
		if diff := cmp.Diff(tt.want, tt.parse(tt.said)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.said, diff)
		}
	}
}

// A manager notes what it is asked, and fails where it is told to.
type manager struct {
	asked []string
	fails string
	says  string
}

func (m *manager) run(_ context.Context, c command) (string, error) {
	m.asked = append(m.asked, c.String())
	if m.fails != "" && strings.Contains(c.String(), m.fails) {
		return "Unit is\n masked.", errors.New("exit status 1")
	}
	return m.says, nil
}

// TestLife takes a service through its life.
func TestLife(t *testing.T) {
	m := &manager{says: "ActiveState=active\n"}
	s := &Service{plan: systemdPlan(Spec{Program: "/usr/bin/weir", Args: []string{"serve"}}, t.TempDir()), run: m.run}
	for name, act := range map[string]func(context.Context) error{"restart": s.Restart, "stop": s.Stop, "uninstall": s.Uninstall} {
		if err := act(t.Context()); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
	if st, err := s.State(t.Context()); err != nil || st.Installed || len(m.asked) > 0 {
		t.Errorf("nothing is installed: %+v, %v, %q", st, err, m.asked)
	}
	if err := s.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := s.State(t.Context()); err != nil || !st.Installed || !st.Running || st.Differs {
		t.Errorf("installed: %+v, %v", st, err)
	}
	if err := os.WriteFile(s.File(), []byte("# by another weir\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if st, err := s.State(t.Context()); err != nil || !st.Differs {
		t.Errorf("of another weir: %+v, %v", st, err)
	}
	m.fails = "restart"
	if err := s.Install(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "it says: Unit is masked.") {
		t.Errorf("a manager that fails: %v", err)
	}
	m.fails = ""
	if err := s.Uninstall(t.Context()); err != nil {
		t.Fatal(err)
	}
	if exists, _, err := s.Installed(); exists || err != nil {
		t.Errorf("uninstalled: %v, %v", exists, err)
	}
}
