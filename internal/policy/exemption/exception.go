package exemption

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/yamledit"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An exception is what is written for a call.
type exception struct {
	named  naming
	who    []yamlfile.Entry
	equals []*yamlfile.Node // a condition for each value of the arguments
	shape  []string         // expressions that leave no room for other arguments
	loose  []string         // arguments that may differ, because they are not what is refused
	any    []string         // arguments that may differ, because the person says so
	terms  Terms
}

// A naming says which tool an exception is about.
type naming struct {
	tools  []string
	server string
	native bool // the tool is of no MCP server
}

// namings are the ways to name the tool of a call, the narrowest first.
func namings(q policy.Query) (out []naming) {
	server, tool, certain := toolname.Divide(q.Tools[0])
	switch {
	case q.Server != "":
		out = append(out, naming{tools: q.Tools, server: q.Server})
	case certain && len(q.Tools) == 1:
		out = append(out, naming{tools: []string{tool}, server: server})
	default:
		out = append(out, naming{tools: q.Tools, native: true})
	}
	return append(out, naming{tools: q.Tools, server: q.Server})
}

// These bound an exception: a person is to read it.
const (
	maxValues = 40
	maxText   = 8 << 10
	maxValue  = 2 << 10 // of one argument
)

// exceptionFor makes the exception for a call, without the name of the tool.
func exceptionFor(p *policy.Policy, q policy.Query, terms Terms, why refusal) (x exception, err error) {
	x.terms = terms
	names := slices.Concat(q.Tools, []string{q.Server})
	if x.who, err = whoOf(q.Actor, terms); err != nil {
		return x, err
	}
	for _, name := range names {
		if err := literal(name); err != nil {
			return x, err
		}
	}
	args, err := argument.Decode(q.Args)
	if err != nil {
		return x, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	x.loose = looseOf(p, q, why)
	if x.any, err = contentOf(p, q, why, terms); err != nil {
		return x, err
	}
	if err := x.object("", "args", args, slices.Concat(x.loose, x.any)); err != nil {
		return x, err
	}
	switch size := x.size(); {
	case len(x.equals) > maxValues:
		return x, fmt.Errorf("the call has more than %d arguments; change the rule by hand", maxValues)
	case size > maxText:
		return x, fmt.Errorf("the arguments have more than %d bytes, which is too long for an exception; change the rule by hand", maxText)
	}
	return x, nil
}

func (x *exception) size() (n int) {
	for _, e := range x.equals {
		n += len(e.JSON())
	}
	for _, s := range x.shape {
		n += len(s)
	}
	return n
}

// literal says why a name cannot be written so that it means nothing else.
func literal(name string) error {
	if toolname.NotLiteral(name) != "" {
		return fmt.Errorf("%s means more than itself in a policy, so no exception can be exact", yamlfile.Quote(name))
	}
	return nil
}

// whoOf says for whom an exception holds.
func whoOf(a call.Actor, terms Terms) (who []yamlfile.Entry, err error) {
	fields := [][2]string{{"employee", a.Employee}, {"key", a.Key}, {"team", a.Team}, {"org", a.Org}}
	if terms.Session {
		if a.Session == "" {
			return nil, errors.New("the call was made in no session; say how long with --for, such as --for 1h")
		}
		fields = [][2]string{{"session", a.Session}}
	}
	for _, f := range fields {
		if err := literal(f[1]); err != nil {
			return nil, err
		}
		if f[1] != "" {
			who = append(who, yamledit.Member(f[0], yamledit.Text(f[1])))
		}
	}
	return who, nil
}

// object adds the conditions for an object: each value, and no other members. path is its param_path, and in the same as an expression.
func (x *exception) object(path, in string, v argument.Value, loose []string) error {
	names := make([]string, 0, len(v.Members))
	for _, m := range v.Members {
		names = append(names, quoted(m.Name))
		if slices.Contains(loose, m.Name) {
			x.shape = append(x.shape, looseShape(in, m.Name))
			continue
		}
		if err := x.value(memberPath(path, m.Name), memberOf(in, m.Name), m.Value); err != nil {
			return err
		}
	}
	shape := fmt.Sprintf("%s.all(k, k in [%s])", in, strings.Join(names, ", "))
	if len(names) == 0 {
		shape = fmt.Sprintf("size(%s) == 0", in)
	}
	if path != "" { // the arguments themselves are always an object
		shape = fmt.Sprintf("type(%s) == map && %s", in, shape) // a text and a list have a size, too
	}
	x.shape = append(x.shape, shape)
	return nil
}

// looseShape is an expression for an argument that may differ: it is missing, or no object or list, in which more could be.
func looseShape(in, name string) string {
	at := memberOf(in, name)
	return fmt.Sprintf("(!(%s in %s) || !(type(%s) in [map, list]))", quoted(name), in, at)
}

// value adds the conditions for a value.
func (x *exception) value(path, in string, v argument.Value) error {
	if len(x.equals) > maxValues || len(x.shape) > maxValues {
		return nil // the caller refuses it
	}
	scalar := yamlfile.Node{Text: v.Text}
	switch v.Kind {
	case '{':
		return x.object(path, in, v, nil)
	case '[':
		items := v.Items()
		for i, item := range items {
			at := "[" + strconv.Itoa(i) + "]"
			if err := x.value(path+at, in+at, *item); err != nil {
				return err
			}
		}
		x.shape = append(x.shape, fmt.Sprintf("type(%s) == list && size(%s) == %d", in, in, len(items)))
		return nil
	case '"':
		if strings.Contains(v.Text, "[redacted:") {
			return fmt.Errorf("secrets were removed from %s before the call was recorded, so no exception can be exact", path)
		}
		scalar.Kind = yamlfile.String
	case '0':
		scalar.Kind = yamlfile.Number
	case 't', 'f':
		scalar.Kind, scalar.Text = yamlfile.Bool, map[argument.Kind]string{'t': "true", 'f': "false"}[v.Kind]
	default:
		scalar.Kind, scalar.Text = yamlfile.Null, "null"
	}
	if _, err := argument.ParsePath(path); err != nil {
		return fmt.Errorf("the arguments are nested too deeply for an exception: %w", err)
	}
	x.equals = append(x.equals, yamledit.Map(yamledit.Member("param_path", yamledit.Text(path)),
		yamledit.Member("operator", yamledit.Text("equals")), yamledit.Member("value", &scalar)))
	return nil
}

// These are names that need no quotes in a param_path and in an expression, and words of expressions, which do.
var (
	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reserved  = strings.Fields("as break const continue else false for function if import in let loop namespace null package return true " +
		"var void while")
)

func memberPath(path, name string) string {
	switch {
	case !plainName.MatchString(name):
		return path + "[" + quoted(name) + "]"
	case path == "":
		return name
	default:
		return path + "." + name
	}
}

func memberOf(in, name string) string {
	if !plainName.MatchString(name) || slices.Contains(reserved, name) {
		return in + "[" + quoted(name) + "]"
	}
	return in + "." + name
}

// quoted returns a JSON string.
func quoted(s string) string {
	text, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return `""` // decoded arguments are valid UTF-8
	}
	return string(text)
}

// conditions are those of the exception. until is the end of a rule that has no key for it; "": none.
func (x *exception) conditions(until string) *yamlfile.Node {
	shape := slices.Clone(x.shape)
	slices.Reverse(shape) // the arguments themselves come first
	if x.named.native {
		shape = append([]string{`server == ""`}, shape...)
	}
	all := append(slices.Clone(x.equals), yamledit.Map(yamledit.Member("operator", yamledit.Text("expr")),
		yamledit.Member("value", yamledit.Text(strings.Join(shape, " && ")))))
	out := yamledit.Map(yamledit.Member("all", yamledit.List(all...)))
	if until != "" {
		out.Entries = append(out.Entries, yamledit.Member("time", yamledit.Map(yamledit.Member("until", yamledit.Text(until)))))
	}
	return out
}

// about returns what the exception and a rule have in common.
func (x *exception) about() (out []yamlfile.Entry) {
	tool := yamledit.Text(x.named.tools[0])
	if len(x.named.tools) > 1 {
		tool = yamledit.List()
		for _, name := range x.named.tools {
			tool.Items = append(tool.Items, yamledit.Text(name))
		}
	}
	out = append(out, yamledit.Member("tool", tool))
	if x.named.server != "" {
		out = append(out, yamledit.Member("server", yamledit.Text(x.named.server)))
	}
	if len(x.who) > 0 {
		out = append(out, yamledit.Member("who", yamledit.Map(x.who...)))
	}
	return out
}

// node returns the exception as an item of unless.
func (x *exception) node() *yamlfile.Node {
	out := append(x.about(), yamledit.Member("conditions", x.conditions("")))
	if x.terms.Until != "" {
		out = append(out, yamledit.Member("until", yamledit.Text(x.terms.Until)))
	}
	return yamledit.Map(append(out, yamledit.Member("reason", yamledit.Text(x.terms.Reason)))...)
}

// rule returns a rule that allows what the exception is about.
func (x *exception) rule(id string) *yamlfile.Node {
	out := append([]yamlfile.Entry{yamledit.Member("id", yamledit.Text(id))}, x.about()...)
	return yamledit.Map(append(out, yamledit.Member("conditions", x.conditions(x.terms.Until)),
		yamledit.Member("verdict", yamledit.Text(string(policy.Allow))), yamledit.Member("reason", yamledit.Text(x.terms.Reason)))...)
}
