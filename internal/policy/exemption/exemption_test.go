package exemption

import (
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/text/when"
)

var (
	noon  = when.At(time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	later = when.At(time.Date(2026, 11, 18, 13, 0, 0, 0, time.UTC))
)

// asked is a call of a tool. A name with a slash is that of a server and its tool.
func asked(tool, args string) policy.Query {
	q := policy.Query{Tools: []string{tool}, Args: []byte(args), Circumstances: condition.Circumstances{Now: noon}}
	if server, name, found := strings.Cut(tool, "/"); found {
		q.Server, q.Tools = server, []string{name}
	}
	return q
}

func sources(files ...string) (s policy.Sources) {
	for i, text := range files {
		s.Files = append(s.Files, policy.Text{Name: string(rune('a'+i)) + ".yaml", Data: []byte(text)})
	}
	return s
}

func mustMake(t *testing.T, s policy.Sources, q policy.Query, terms Terms) *Plan {
	t.Helper()
	terms.Reason, terms.Name = "Allowed by ann.", "x1"
	plan, err := Make(s, []policy.Query{q}, terms)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

const custom = `# mine
version: 1
default: allow
lists:
  places: [/etc/**]
rules:
  - id: no-push # of anything
    tool: [Bash, shell]
    conditions: {operator: runs, value: "git push*"}
    verdict: deny
    reason: Open a pull request.
  - {id: ask-words, tool: "*", conditions: {param_path: $, operator: contains, value: deploy}, verdict: pending_approval}
  - {id: no-etc, tool: [Write, Edit, fs], conditions: {any: [{operator: writes, value: $places}, {param_path: content, operator: contains, value: evil}]}, verdict: deny}
  - {id: no-mail, tool: send_mail, verdict: deny}
  - {id: no-files, tool: "*", server: files, verdict: deny}
  - {id: no-pay, tool: pay, conditions: {param_path: "**.amount", operator: gt, value: 10}, verdict: deny}
  - {id: no-exec, tool: exec, conditions: {operator: runs, value: reboot}, verdict: deny}
  - {id: no-eval, tool: evaluated, conditions: {operator: expr, value: args.n > 5}, verdict: deny}
`

func TestNarrow(t *testing.T) {
	for name, tt := range map[string]struct {
		policy string
		tool   string
		args   string
		rules  string // that get an exception
		loose  string
		passes []string // arguments that pass then
		stays  []string // and those that stay refused
	}{
		"a command": {
			custom, "Bash", `{"command":"git push origin main","description":"Push"}`, "no-push", "description",
			[]string{`{"command":"git push origin main"}`, `{"description":"other","command":"git push origin main"}`},
			[]string{
				`{"command":"git push origin main --force"}`, `{"command":"git push origin main; git push -f"}`, `{"command":"git push"}`,
				`{"command":"git push origin main > /etc/passwd"}`, `{"command":"X=1 git push origin main"}`, `{"command":"git  push origin main"}`,
				`{"command":"git push origin main","workdir":"/other"}`, `{"command":"git push origin main","Command":"git push -f"}`,
				`{"Command":"git push origin main"}`, `{"command":["git push origin main"]}`, `{"cmd":"git push origin main"}`,
			},
		},
		"words": {
			custom, "shell", `{"command":["bash","-lc","git push origin a"],"workdir":"/w"}`, "no-push", "",
			[]string{`{"workdir":"/w","command":["bash","-lc","git push origin a"]}`},
			[]string{
				`{"command":["bash","-lc","git push origin a"]}`, `{"command":["bash","-lc","git push origin a","x"],"workdir":"/w"}`,
				`{"command":["bash","-lc","git push origin b"],"workdir":"/w"}`, `{"command":"bash -lc 'git push origin a'","workdir":"/w"}`,
				`{"command":[["bash"],"-lc","git push origin a"],"workdir":"/w"}`,
			},
		},
		"what two rules refuse": {
			custom, "Bash", `{"command":"git push origin deploy","description":"deploy it"}`, "no-push ask-words", "",
			[]string{`{"command":"git push origin deploy","description":"deploy it"}`},
			[]string{`{"command":"git push origin deploy"}`, `{"command":"ls","description":"deploy it"}`},
		},
		"the content of a file that is refused for its place": {
			custom, "Write", `{"file_path":"/etc/motd","content":"hello"}`, "no-etc", "",
			[]string{`{"content":"hello","file_path":"/etc/motd"}`},
			[]string{
				`{"file_path":"/etc/passwd","content":"hello"}`, `{"file_path":"/etc/../etc/motd","content":"hello"}`,
				`{"file_path":"/etc/motd","content":"other"}`, `{"file_path":"/etc/motd"}`,
			},
		},
		"the description and the timeout of another tool": {
			custom, "send_mail", `{"to":"ann","description":"hi","timeout":3,"limit":1,"content":"x"}`, "no-mail", "",
			[]string{`{"timeout":3,"limit":1,"to":"ann","description":"hi","content":"x"}`},
			[]string{
				`{"to":"ann","description":"ho","timeout":3,"limit":1,"content":"x"}`, `{"to":"ann","description":"hi","timeout":4,"limit":1,"content":"x"}`,
				`{"to":"ann","description":"hi","timeout":3,"limit":2,"content":"x"}`, `{"to":"ann","description":"hi","timeout":3,"limit":1,"content":"y"}`,
			},
		},
		"a server's tool with the name of a shell": {
			"version: 1\ndefault: deny\n", "files/Bash", `{"command":"ls","description":"a"}`, "", "", nil,
			[]string{`{"command":"ls","description":"b"}`},
		},
		"a description where a rule looks at everything": {
			custom, "Bash", `{"command":"git push origin deploy","description":"Push"}`, "no-push ask-words", "",
			nil,
			[]string{`{"command":"git push origin deploy","description":"deploy it"}`, `{"command":"git push origin deploy"}`},
		},
		"a description that is more than a text": {
			custom, "Bash", `{"command":"git push","description":"Push","timeout":5}`, "no-push", "description timeout",
			[]string{`{"command":"git push","description":"other","timeout":7}`, `{"command":"git push","timeout":7.5}`},
			[]string{
				`{"command":"git push","description":{"command":"git push -f"},"timeout":5}`, `{"command":"git push","description":["git push -f"]}`,
				`{"command":"git push","timeout":{"command":"git push -f"}}`,
			},
		},
		"what is empty": {
			custom, "send_mail", `{"to":{},"cc":[],"bcc":"","n":{"m":{}}}`, "no-mail", "",
			[]string{`{"cc":[],"to":{},"bcc":"","n":{"m":{}}}`},
			[]string{
				`{"to":"","cc":[],"bcc":"","n":{"m":{}}}`, `{"to":[],"cc":[],"bcc":"","n":{"m":{}}}`, `{"to":{},"cc":"","bcc":"","n":{"m":{}}}`,
				`{"to":{},"cc":{},"bcc":"","n":{"m":{}}}`, `{"to":{},"cc":[],"bcc":[],"n":{"m":{}}}`, `{"to":{},"cc":[],"bcc":"","n":{"m":""}}`,
				`{"to":{},"cc":[],"bcc":"","n":["m"]}`, `{"to":null,"cc":[],"bcc":"","n":{"m":{}}}`,
			},
		},
		"the content that is refused": {
			custom, "Write", `{"file_path":"/srv/x","content":"evil"}`, "no-etc", "",
			[]string{`{"content":"evil","file_path":"/srv/x"}`},
			[]string{`{"file_path":"/srv/x","content":"more evil"}`, `{"file_path":"/srv/y","content":"evil"}`},
		},
		"a tool that is refused whatever its arguments": {
			custom, "send_mail", `{"to":["ann","bob"],"body":{"text":"hi","lines":1,"html":false,"x-y":null,"in":1e2}}`, "no-mail", "",
			[]string{`{"to":["ann","bob"],"body":{"x-y":null,"text":"hi","lines":1.0,"html":false,"in":100}}`},
			[]string{
				`{"to":["ann","bob"],"body":{"text":"hi","lines":1,"html":false,"x-y":null,"in":100,"more":1}}`, `{}`,
				`{"to":["ann"],"body":{"text":"hi","lines":1,"html":false,"x-y":null,"in":100}}`,
				`{"to":["ann","bob"],"body":{"text":"hi","lines":"1","html":false,"x-y":null,"in":100}}`,
				`{"to":["ann","bob"],"body":{"text":"hi","lines":1,"html":true,"x-y":null,"in":100}}`,
			},
		},
		"without arguments": {
			custom, "send_mail", `{}`, "no-mail", "", []string{`{}`}, []string{`{"to":"ann"}`},
		},
		"a tool of a server": {
			custom, "files/read", `{"path":"a.txt"}`, "no-files", "", []string{`{"path":"a.txt"}`}, []string{`{"path":"b.txt"}`, `{}`},
		},
		"the same, as clients write it": {
			custom, "mcp__files__read", `{"path":"a.txt"}`, "no-files", "", []string{`{"path":"a.txt"}`}, []string{`{"path":"b.txt"}`},
		},
		"the same, as others do": {
			custom, "files_read", `{"path":"a.txt"}`, "no-files", "", []string{`{"path":"a.txt"}`}, []string{`{"path":"b.txt"}`},
		},
		"numbers": {
			custom, "pay", `{"to":"ann","amount":12.50}`, "no-pay", "",
			[]string{`{"to":"ann","amount":12.5}`},
			[]string{`{"to":"ann","amount":12.51}`, `{"to":"bob","amount":12.5}`, `{"amount":12.5}`},
		},
		"what cannot be evaluated": {
			custom, "evaluated", `{"n":"many"}`, "no-eval", "", []string{`{"n":"many"}`}, []string{`{"n":"few"}`, `{"n":6}`},
		},
		"a rule of a preset": {
			"version: 1\nextends: balanced\n", "Bash", `{"command":"cat ~/.ssh/id_rsa","timeout":5}`, "no-credentials", "timeout",
			[]string{`{"command":"cat ~/.ssh/id_rsa","timeout":7}`},
			[]string{`{"command":"cat ~/.ssh/id_rsa ~/.ssh/id_dsa","timeout":5}`, `{"command":"cat ~/.ssh/id_dsa"}`},
		},
		"the default": {
			"version: 1\ndefault: deny\n", "Read", `{"file_path":"x","limit":3}`, "", "",
			[]string{`{"file_path":"x","limit":3.0}`},
			[]string{`{"file_path":"y","limit":3}`, `{"file_path":"x","limit":9}`, `{"file_path":"x"}`, `{"file_path":"x","limit":3,"mode":"raw"}`},
		},
		"a rule and the default": {
			"version: 1\ndefault: deny\nrules:\n- {id: no, tool: Read, verdict: deny}\n", "Read", `{"file_path":"x"}`, "no", "",
			[]string{`{"file_path":"x"}`},
			[]string{`{"file_path":"y"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan := mustMake(t, sources(tt.policy), asked(tt.tool, tt.args), Terms{})
			if got := strings.Join(plan.Rules, " "); got != tt.rules && tt.rules != "*" {
				t.Errorf("exceptions for %q, want %q", got, tt.rules)
			}
			if got := strings.Join(plan.Loose, " "); got != tt.loose {
				t.Errorf("loose are %q, want %q", got, tt.loose)
			}
			for _, args := range append(tt.passes, tt.args) {
				if d := plan.Policy.Decide(asked(tt.tool, args)); d.Refused() {
					t.Errorf("%s is still refused: %+v\n%s", args, d, plan.Changed[0].After)
				}
			}
			for _, args := range tt.stays {
				if d := plan.Policy.Decide(asked(tt.tool, args)); !d.Refused() {
					t.Errorf("%s passes\n%s", args, plan.Changed[0].After)
				}
			}
			for _, other := range []string{tt.tool + "2", "other/" + tt.tool, "mcp__other__" + strings.TrimPrefix(tt.tool, "files/")} {
				before, err := policy.ParseSources(sources(tt.policy))
				if err != nil {
					t.Fatal(err)
				}
				if q := asked(other, tt.args); before.Decide(q).Refused() && !plan.Policy.Decide(q).Refused() {
					t.Errorf("%s passes, too\n%s", other, plan.Changed[0].After)
				}
			}
		})
	}
}

// paths has rules that are only about the paths of files.
const paths = `version: 1
default: allow
rules:
  - {id: no-etc, tool: [Write, Edit], conditions: {any: [{operator: writes, value: /etc/**}, {param_path: file_path, operator: path_in, value: /srv/**}]}, verdict: deny}
  - {id: no-evil, tool: Write, conditions: {param_path: content, operator: contains, value: evil}, verdict: deny}
`

// A person can let a file get any content, where its path is what is refused.
func TestAnyContent(t *testing.T) {
	long := asked("Write", `{"file_path":"/etc/motd","content":"`+strings.Repeat("x", 9000)+`"}`)
	plan := mustMake(t, sources(paths), long, Terms{AnyContent: true})
	if got := strings.Join(plan.Content, " "); got != "content" || plan.Loose != nil {
		t.Errorf("content %q, loose %q", got, plan.Loose)
	}
	for args, want := range map[string]bool{
		`{"file_path":"/etc/motd","content":"y"}`:                 true,
		`{"file_path":"/etc/motd","content":{"x":"y"}}`:           false,
		`{"file_path":"/etc/passwd","content":"y"}`:               false,
		`{"file_path":"/etc/motd","content":"y","mode":"append"}`: false,
		`{"file_path":"/etc/motd","content":"evil"}`:              false, // another rule refuses it
	} {
		if got := !plan.Policy.Decide(asked("Write", args)).Refused(); got != want {
			t.Errorf("%s: passes %t\n%s", args, got, plan.Changed[0].After)
		}
	}
}

// A call and the calls in it may need a rule each.
func TestAllAddedRulesAreNamed(t *testing.T) {
	calls := []policy.Query{asked("exec", `{"input":"tools.Bash({command: 'make'})"}`), asked("Bash", `{"command":"make"}`)}
	plan, err := Make(sources("version: 1\ndefault: deny\n"), calls, Terms{Reason: "x", Name: "x1"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(plan.Added, " "); got != "allowed-x1 allowed-x1-2" {
		t.Errorf("added %q\n%s", got, plan.Changed[0].After)
	}
}

func TestWho(t *testing.T) {
	q := asked("send_mail", `{"to":"ann"}`)
	q.Actor = call.Actor{Employee: "ann@acme.com", Key: "k1", Session: "run-123456"}
	passes := func(plan *Plan, change func(*policy.Query)) bool {
		other := q
		change(&other)
		return !plan.Policy.Decide(other).Refused()
	}
	in := func(session string) func(*policy.Query) { return func(q *policy.Query) { q.Actor.Session = session } }
	by := func(employee string) func(*policy.Query) {
		return func(q *policy.Query) { q.Actor.Employee = employee }
	}
	at := func(m when.Moment) func(*policy.Query) { return func(q *policy.Query) { q.Now = m } }
	always := mustMake(t, sources(custom), q, Terms{})
	session := mustMake(t, sources(custom), q, Terms{Session: true, Until: "2026-11-18T12:30:00Z"})
	denied := mustMake(t, sources("version: 1\ndefault: deny\n"), q, Terms{Until: "2026-11-18T12:30:00Z"})
	for name, tt := range map[string]struct {
		plan   *Plan
		change func(*policy.Query)
		want   bool
	}{
		"always, later":                 {always, at(later), true},
		"always, in another session":    {always, in("run-654321"), true},
		"always, another employee":      {always, by("bob@acme.com"), false},
		"session":                       {session, at(noon), true},
		"session, after its end":        {session, at(later), false},
		"session, at an unknown time":   {session, at(when.Moment{}), false},
		"session, another one":          {session, in("run-654321"), false},
		"session, in another case":      {session, in("RUN-123456"), false},
		"session, with a blank":         {session, in("run-123456 "), false},
		"session, none":                 {session, in(""), false},
		"an added rule":                 {denied, at(noon), true},
		"an added rule, after its end":  {denied, at(later), false},
		"an added rule, for another":    {denied, by("bob@acme.com"), false},
		"an added rule, no time at all": {denied, at(when.Moment{}), false},
	} {
		if got := passes(tt.plan, tt.change); got != tt.want {
			t.Errorf("%s: passes %t, want %t\n%s", name, got, tt.want, tt.plan.Changed[0].After)
		}
	}
}

func TestNoExceptionIsPossible(t *testing.T) {
	unknown, holes, offer := asked("Bash", `{"command":"git push"}`), asked("Bash", `{"command":null}`), asked("send_mail", `{}`)
	unknown.Unknown, unknown.Args = true, nil
	holes.Holes = []string{"/command"}
	offer.Surface = call.Inbound
	beside := asked("files2/read", `{"path":"x"}`)
	beside.Beside = []byte(`{"_meta":{"why":"deploy"}}`)
	const closed = "version: 1\ndefault: allow\nmcp: {server_policy: denylist, denied_servers: [{id: files}], fail_closed: true}\n"
	for name, tt := range map[string]struct {
		policy string
		q      policy.Query
		terms  Terms
		want   string
	}{
		"it passes":                    {custom, asked("Bash", `{"command":"ls"}`), Terms{}, "does not refuse this call"},
		"no session":                   {custom, asked("send_mail", `{}`), Terms{Session: true}, "in no session"},
		"arguments unknown":            {custom, unknown, Terms{}, "code computes the arguments"},
		"arguments computed":           {custom, holes, Terms{}, "code computes the arguments"},
		"an offer":                     {strings.Replace(custom, "send_mail,", "send_mail, surface: inbound,", 1), offer, Terms{}, "no call of a tool"},
		"what is beside the arguments": {custom, beside, Terms{}, "beside the arguments"},
		"a list of servers":            {closed, asked("files/read", `{}`), Terms{}, "mcp.denied_servers"},
		"a name with a glob":           {custom, asked("files/re*d", `{}`), Terms{}, "means more than itself"},
		"a redacted argument":          {custom, asked("send_mail", `{"to":"[redacted:email]"}`), Terms{}, "secrets were removed from to"},
		"a long argument":              {custom, asked("send_mail", `{"to":"`+strings.Repeat("x", 9000)+`"}`), Terms{}, "too long"},
		"a long content, and the rule looks at it": {
			custom, asked("Write", `{"file_path":"/etc/motd","content":"`+strings.Repeat("x", 2100)+`"}`),
			Terms{},
			`"content" has 2102 bytes, which is too long for an exception (at most 2048); change the rule by hand`,
		},
		"a long content, and the rule is about the path": {
			paths, asked("Write", `{"file_path":"/etc/motd","content":"`+strings.Repeat("x", 2100)+`"}`), Terms{}, "let any content pass with --any-content",
		},
		"any content, and the rule looks at it": {
			custom, asked("Write", `{"file_path":"/etc/motd","content":"x"}`), Terms{AnyContent: true}, "--any-content: what refuses the call is not only",
		},
		"any content, and the rule has no conditions": {
			custom, asked("send_mail", `{"path":"x","content":"x"}`), Terms{AnyContent: true}, "--any-content: ",
		},
		"any content by default": {
			"version: 1\ndefault: deny\n", asked("Write", `{"file_path":"x","content":"x"}`), Terms{AnyContent: true}, "--any-content: ",
		},
		"any content of a call without one": {
			paths, asked("Write", `{"file_path":"/etc/motd"}`), Terms{AnyContent: true}, "--any-content: ",
		},
		"many arguments":       {custom, asked("send_mail", `{"to":[`+strings.Repeat("1,", 99)+`1]}`), Terms{}, "more than 40 arguments"},
		"arguments unreadable": {custom, asked("Bash", `{"a":1,"a":2}`), Terms{}, "args_unreadable"},
		"what protects weir": {
			"version: 1\nextends: open\n", asked("Bash", `{"command":"weir policy allow call_1"}`), Terms{}, "keeps agents from changing weir itself",
		},
	} {
		tt.terms.Reason = "x"
		if _, err := Make(sources(tt.policy), []policy.Query{tt.q}, tt.terms); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
