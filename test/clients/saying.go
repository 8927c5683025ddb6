package clients

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
)

// A Saying is what a model says in a turn, in the words of no format: a text or a call, and what becomes of the call.
type Saying struct {
	Pieces          []string // of the text, or of the arguments of the call
	ID, Tool        string   // of a call; "": it is text
	Code, Rule, Why string   // of the refusal of a call; "": it is released
	Notice          bool     // it is the text that stands in place of a refused call
	Hosted          bool     // it is a call that the provider runs
	Input           any      // what a call is made with, where its pieces are no JSON
	Own             any      // what only its format knows of it; nil: nothing
}

// Text is a text in pieces.
func Text(pieces ...string) Saying { return Saying{Pieces: pieces} }

// Calling is a call whose arguments come in pieces.
func Calling(id, tool string, pieces ...string) Saying {
	return Saying{ID: id, Tool: tool, Pieces: pieces}
}

// DeniedBy is the call where it is refused.
func (s Saying) DeniedBy(code, rule, why string) Saying {
	s.Code, s.Rule, s.Why = code, rule, why
	return s
}

// As is the saying as its format has it.
func (s Saying) As(own any) Saying {
	s.Own = own
	return s
}

// Said is all of the text, or of the arguments.
func (s Saying) Said() string { return strings.Join(s.Pieces, "") }

// Args is what a call is made with. What is no JSON is recorded as a text.
func (s Saying) Args() any {
	text := s.Said()
	switch {
	case s.Input != nil:
		return s.Input
	case text == "":
		return map[string]any{}
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

// Ran is the call as a client executes it.
func (s Saying) Ran() Execution { return Execution{Name: s.Tool, Input: s.Args()} }

// Recorded is the call as it is recorded.
func (s Saying) Recorded() Recorded {
	r := Recorded{Tool: s.Tool, ID: s.ID, Verdict: "allow", Code: s.Code, Rule: s.Rule, Args: s.Args()}
	if s.Code != "" {
		r.Verdict, r.Blocked = "deny", true
	}
	return r
}

// becomes is what stands where a call was said.
func (s Saying) becomes() Saying {
	if s.Code == "" {
		return s
	}
	why := s.Code
	if s.Rule != "" {
		why += ", rule " + s.Rule
	}
	return noticed(fmt.Sprintf("The call to %q was refused (%s): %s Do not retry it; continue without it or ask the user.", s.Tool, why,
		s.Why))
}

// weirSays is how all begins that weir says to the model.
const weirSays = "[weir] "

// noticed is a text of weir's.
func noticed(text string) Saying { return Saying{Pieces: []string{weirSays + text}, Notice: true} }

// What the scenes of all formats are made of.
var (
	Hello   = Text("Let me ", "see.")
	Weather = Calling("call_01Weather", "get_weather", `{"city":`, `"Lis`, `bon"}`)
	Files   = Calling("call_01Files", "list_files")
	Hosts   = Calling("call_01Hosts", "read_file", `{"path":"/etc/hosts"}`)
	Listing = Calling("call_01List", "run_shell", `{"command":"ls"}`)
	Shell   = Calling("call_01Shell", "run_shell", `{"command":"`+Marker, ` -rf /"}`).
		DeniedBy("tool_denied", "no-shell", "Shell commands are not allowed here.")
	Secret = Calling("call_01Secret", "read_file", `{"path":"/srv/`+Marker, `/sec`, `ret.txt"}`).
		DeniedBy("args_denied", "no-secrets", ByUse("Secrets stay where they are.", "/secret.txt"))
	// Cut is a call that a stream breaks off in, as far as it came. Breaking is all of it.
	Breaking = Calling("call_01Broken", "get_weather", `{"city":"`+Marker, ` city"}`)
	Cut      = Calling(Breaking.ID, Breaking.Tool, Breaking.Pieces[0]).DeniedBy("cut_short", "",
		"The response ended before the call was complete.")
)

// Forbid begins the Marker. Rules on arguments look for it: a notice names what they found, and the Marker is a sign of a leak.
const Forbid = "forbi"

// ByUse is the reason of a rule with what weir adds to it if the rule has conditions, and the part that these are about.
func ByUse(reason, part string) string {
	return fmt.Sprintf(`%s The tool itself is allowed; this use of it is not: "%s".`, reason, part)
}

// Quote is a text in JSON.
func Quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts in tests are UTF-8
	}
	return string(b)
}

// SameJSON says whether two texts are JSON of the same value.
func SameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// Policy is that of every weir, as YAML, with rules of a format of its own.
func Policy(rules ...string) string {
	return `policy:
  version: 1
  default: allow
  rules:
    - {id: no-shell, tool: run_shell, verdict: deny, reason: Shell commands are not allowed here.}
    - id: no-secrets
      tool: read_file
      conditions: {any: [{param_path: path, operator: ends_with, value: /secret.txt}]}
      verdict: deny
      reason: Secrets stay where they are.
` + strings.TrimPrefix(strings.Join(rules, ""), "\n")
}

// The names of weirs that suites have, beside Keyed.
const (
	Replace = "replace" // it is as it comes
	Drop    = "drop"    // refused calls vanish
	Shadow  = "shadow"
	Observe = "observe"
)

// Settings are those of the weirs that the scenes of all formats are played through, in front of upstreams that are all one.
func Settings(upstreams ...string) map[string]string {
	leading := func(members string) string {
		text := "upstreams:\n"
		for _, name := range upstreams {
			text += "  " + name + ": {url: %[1]q" + members + "}\n"
		}
		return text
	}
	return map[string]string{
		Replace: leading(""),
		Drop:    leading("") + "on_deny: drop\n",
		Shadow:  leading("") + "enforcement: shadow\n",
		Observe: leading("") + "enforcement: observe\n",
		Keyed: leading(", key: "+UpstreamKey) +
			"clients: [{key: " + ClientKey + ", name: laptop, employee: ann@example.com}]\n",
	}
}
