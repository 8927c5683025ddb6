package preset_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	. "github.com/weir-gate/weir/internal/policy/preset"
	"github.com/weir-gate/weir/internal/policy/study"
)

// starter is the preset for the first start.
const starter = "balanced"

func mustPreset(t *testing.T, name string) *policy.Policy {
	t.Helper()
	source, err := Text(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Parse(name, source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// rulesOf are the rules of a policy, without those of its mcp block.
func rulesOf(p *policy.Policy) []policy.RuleSummary { return p.Rules()[:p.Len()] }

func mustCases(t *testing.T, file string) []study.Case {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := study.ParseCases(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// checkCases runs a file of cases and returns which rules fired.
func checkCases(t *testing.T, p *policy.Policy, file string) map[string]bool {
	t.Helper()
	fired := map[string]bool{}
	for _, r := range study.RunCases(p, mustCases(t, file)) {
		fired[r.Decision.Rule] = true
		if !r.Passed() {
			t.Errorf("%s:%d: %s: %s", file, r.Case.Line, r.Case.Name, r.Problem)
		}
		if r.Decision.Flagged {
			t.Errorf("%s:%d: %s: the name is flagged: list it as agents write it", file, r.Case.Line, r.Case.Name)
		}
	}
	return fired
}

func TestPresets(t *testing.T) {
	for _, name := range Names() {
		for _, r := range rulesOf(mustPreset(t, name)) {
			if r.Reason == "" {
				t.Errorf("%s: rule %s gives no reason", name, r.ID)
			}
		}
	}
	_, err := Text("loose")
	if want := `there is no preset "loose"; use open, balanced or tight`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A copy says which revision it is of, also when people have changed the rest.
func TestCopies(t *testing.T) {
	for _, name := range Names() {
		text, err := Copy(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := policy.Parse(name, text); err != nil {
			t.Error(err)
		}
		if _, _, outdated := Outdated(append(text, "# mine\n"...)); outdated {
			t.Errorf("a copy of %s is outdated at once", name)
		}
		old := strings.Replace(string(text), Revision(name), "0123abcd", 1)
		if of, revision, outdated := Outdated([]byte(old)); of != name || revision != "0123abcd" || !outdated {
			t.Errorf("an old copy of %s: %s, %s, %v", name, of, revision, outdated)
		}
	}
	for _, text := range []string{"", "version: 1\n", "# A copy of weir's preset loose, revision 0123abcd.\n"} {
		if _, _, outdated := Outdated([]byte(text)); outdated {
			t.Errorf("%q is outdated", text)
		}
	}
}

// A preset is for people to read and change: every rule says in words what it is about, and no regular expression is a wall.
func TestPresetsAreReadable(t *testing.T) {
	const longest = 140
	pattern := regexp.MustCompile(`value: '(.*?)'\}?\]?$`)
	for _, name := range Names() {
		source, err := Text(name)
		if err != nil {
			t.Fatal(err)
		}
		before := ""
		for i, line := range strings.Split(string(source), "\n") {
			if m := pattern.FindStringSubmatch(line); m != nil && len(m[1]) > longest {
				t.Errorf("%s.yaml:%d: a regular expression of %d characters", name, i+1, len(m[1]))
			}
			if strings.HasPrefix(line, "  - id: ") && !strings.HasPrefix(before, "  # ") {
				t.Errorf("%s.yaml:%d: the rule has no comment", name, i+1)
			}
			before = line
		}
	}
}

// Every rule of the starter policy stops what it says, and lets pass what merely looks alike.
func TestStarter(t *testing.T) {
	p := mustPreset(t, starter)
	fired := checkCases(t, p, "testdata/starter-cases.yaml")
	for _, r := range study.RunCases(p, mustCases(t, "testdata/destructive.yaml")) {
		fired[r.Decision.Rule] = true
	}
	for _, r := range rulesOf(p) {
		if !fired[r.ID] {
			t.Errorf("no case shows that rule %s fires", r.ID)
		}
	}
}

// withoutCode are the cases that a policy can decide alone: calls in code are found by the judge, whose tests run all of them.
func withoutCode(t *testing.T, file string, least int) []study.Case {
	t.Helper()
	cases := mustCases(t, file)
	if len(cases) < least {
		t.Errorf("%s has %d cases, want at least %d", file, len(cases), least)
	}
	return slices.DeleteFunc(cases, func(c study.Case) bool { return c.Tool == "exec" })
}

func TestEverydayWorkPasses(t *testing.T) {
	for _, r := range study.RunCases(mustPreset(t, starter), withoutCode(t, "testdata/everyday.yaml", 300)) {
		if !r.Passed() {
			t.Errorf("everyday.yaml:%d: %s: %s", r.Case.Line, r.Case.Name, r.Problem)
		}
	}
}

func TestDestructionIsRefused(t *testing.T) {
	for _, name := range []string{"balanced", "tight"} {
		for _, r := range study.RunCases(mustPreset(t, name), withoutCode(t, "testdata/destructive.yaml", 150)) {
			if !r.Decision.Refused() { // or a person is asked
				t.Errorf("%s: destructive.yaml:%d: %s: %s", name, r.Case.Line, r.Case.Name, r.Problem)
			}
		}
	}
}

func TestTight(t *testing.T) {
	p := mustPreset(t, "tight")
	fired := checkCases(t, p, "testdata/tight-cases.yaml")
	inherited := ids(mustPreset(t, "balanced"))
	for _, r := range rulesOf(p) {
		if !fired[r.ID] && !inherited[r.ID] {
			t.Errorf("no case shows that rule %s fires", r.ID)
		}
	}
}

// ids are those of the rules of a policy.
func ids(p *policy.Policy) map[string]bool {
	out := map[string]bool{}
	for _, r := range rulesOf(p) {
		out[r.ID] = true
	}
	return out
}

// Each preset is written on top of the one that is less strict: no rule is lost, and none of them is looser than it was.
func TestPresetsShareTheirRules(t *testing.T) {
	for _, pair := range [][2]string{{"open", "balanced"}, {"balanced", "tight"}} {
		strict := map[string]policy.Verdict{}
		for _, r := range rulesOf(mustPreset(t, pair[1])) {
			strict[r.ID] = r.Verdict
		}
		for _, r := range rulesOf(mustPreset(t, pair[0])) {
			if verdict, ok := strict[r.ID]; !ok || verdict != r.Verdict && verdict != policy.Deny {
				t.Errorf("rule %s of %s is %s in %s, want %s or deny", r.ID, pair[0], verdict, pair[1], r.Verdict)
			}
		}
	}
}

// The open preset refuses removing the system, writing over disks, changing weir and the metadata service, and nothing else.
func TestOpen(t *testing.T) {
	p := mustPreset(t, "open")
	for _, r := range study.RunCases(p, mustCases(t, "testdata/everyday.yaml")) {
		if r.Decision.Verdict != policy.Allow {
			t.Errorf("%s: %s by %s", r.Case.Name, r.Decision.Verdict, r.Decision.Rule)
		}
	}
	fired := map[string]bool{}
	for _, r := range study.RunCases(p, mustCases(t, "testdata/destructive.yaml")) {
		fired[r.Decision.Rule] = true
	}
	for _, r := range study.RunCases(p, mustCases(t, "testdata/starter-cases.yaml")) {
		if r.Case.Surface != call.Egress {
			continue
		}
		fired[r.Decision.Rule] = true
		if metadata := r.Case.Rule == "no-metadata-connections"; metadata != (r.Decision.Rule == r.Case.Rule && r.Decision.Refused()) && r.Case.Rule != policy.RuleCanary {
			t.Errorf("%s: %s by %s", r.Case.Name, r.Decision.Verdict, r.Decision.Rule)
		}
	}
	want := []string{"", "no-metadata-connections", "no-system-removal", "protect-weir", policy.RuleCanary}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(fired))); diff != "" {
		t.Errorf("rules that fired (-want +got):\n%s", diff)
	}
}

// A tool that changed behind the user's back is refused by the presets that guard, and a new one is not.
func TestPresetsPinTools(t *testing.T) {
	changed := pinned(call.ToolChanged)
	if d := mustPreset(t, starter).Decide(changed); d.Rule != "mcp.version_pinning" || d.Code != "tool_changed" {
		t.Errorf("balanced: %+v", d)
	}
	if d := mustPreset(t, starter).Decide(pinned(call.ToolTrusted)); d.Refused() {
		t.Errorf("balanced refuses a trusted tool: %+v", d)
	}
	for _, name := range []string{"balanced", "tight"} {
		if m := mustPreset(t, name).MCP(); m == nil || m.Pinning != (policy.Pinning{Enabled: true, OnChange: policy.BlockChanged, TrustFirst: true}) {
			t.Errorf("%s: %+v", name, m)
		}
	}
	// The tight preset refuses servers altogether, on either surface.
	for _, q := range []policy.Query{changed, {Tools: []string{"mcp__fs__list_things"}}} {
		if d := mustPreset(t, "tight").Decide(q); d.Rule != "no-servers" {
			t.Errorf("tight: %+v", d)
		}
	}
}

// pinned is a call of a server's tool that is known.
func pinned(state call.ToolState) policy.Query {
	return policy.Query{
		Surface: call.MCP, Server: "fs", Tools: []string{"list_things"}, Known: []call.Known{{Server: "fs", Tool: "list_things", State: state}},
	}
}

// Agents must not let their own calls pass: every preset refuses weir policy allow in every shell, however it is written.
func TestAgentsCannotAllow(t *testing.T) {
	for _, name := range Names() {
		p := mustPreset(t, name)
		for _, tool := range []string{
			"Bash", "bash", "shell", "shell_command", "local_shell", "exec_command", "run_shell_command", "PowerShell", "run_terminal_cmd",
			"run_in_terminal", "execute_command",
		} {
			for _, command := range []string{
				"weir policy allow call_1", "weir policy allow call_1 --for always", "/usr/local/bin/weir policy allow call_1",
				"cd /x && weir policy allow call_1", "env -u WEIR_SESSION weir policy allow call_1", "sudo weir policy allow call_1",
				"echo y | weir policy allow call_1", "script -qec 'weir policy allow call_1' /dev/null", "bash -c 'weir policy allow call_1'",
				"WEIR_SESSION= weir policy allow call_1", "setsid -w weir policy allow call_1", "expect -c 'spawn weir policy allow call_1'",
				"python3 -c 'import pty; pty.spawn([\"weir\", \"policy\", \"allow\", \"call_1\"])'", "tmux new -d 'weir policy allow call_1'",
				"weir --config x policy allow call_1", "weir policy --policy x allow call_1", "./weir policy allow call_1",
			} {
				args, err := json.Marshal(map[string]string{"command": command, "cmd": command})
				if err != nil {
					t.Fatal(err)
				}
				if d := p.Decide(policy.Query{Tools: []string{tool}, Args: args}); !d.Refused() {
					t.Errorf("%s releases %s %s", name, tool, command)
				}
			}
		}
	}
}
