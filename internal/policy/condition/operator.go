package condition

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/toolact"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/wordset"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An opKind says what an operator looks at.
type opKind int

const (
	opValue        opKind = iota // the selected values themselves
	opText                       // the texts inside them
	opExists                     // whether there are any
	opTyped                      // the values, interpreted as a kind of thing
	opExpr                       // the whole call
	opCircumstance               // what is around the call
)

// An operator compares the values that a path selected with the value in the policy.
type operator struct {
	name string
	kind opKind
	// compile makes a test from the value of a condition; nil: the condition has no value, or is compiled differently.
	compile func(c *Compiler, n *yamlfile.Node) (test, bool)
	value   yamlfile.Schema // what the value may be
	// usual is where it looks if there is no param_path; nil: it needs one.
	usual *yamlfile.Node
	// verb is the deed that it looks for; "": none.
	verb deed.Verb
	what string // what its values are, for people
	// ofClients compiles it where it has no param_path, if it means something else there; nil: compile does.
	ofClients func(c *Compiler, n *yamlfile.Node) (test, bool)
	// plain says that it has no not_… form; the others have one.
	plain   bool
	negated bool // it is a not_…
	// ofTool says that it looks at the tool and at single arguments, so that arguments that are not known say little.
	ofTool bool
}

// table has the operators of conditions. A row defines everything about one operator.
var table = []operator{
	{name: "equals", kind: opValue, compile: equalsTest, value: scalarSchema},
	{name: "in", kind: opValue, compile: inTest, value: yamlfile.ListSchema(scalarSchema)},
	{name: "gt", kind: opValue, plain: true, compile: numberTest(func(order int) bool { return order > 0 }), value: numberSchema},
	{name: "gte", kind: opValue, plain: true, compile: numberTest(func(order int) bool { return order >= 0 }), value: numberSchema},
	{name: "lt", kind: opValue, plain: true, compile: numberTest(func(order int) bool { return order < 0 }), value: numberSchema},
	{name: "lte", kind: opValue, plain: true, compile: numberTest(func(order int) bool { return order <= 0 }), value: numberSchema},

	{name: "matches", kind: opText, compile: matchesTest, value: textsSchema},
	{name: "contains", kind: opText, compile: textTest(strings.Contains), value: yamlfile.TextSchema()},
	{name: "starts_with", kind: opText, compile: textTest(strings.HasPrefix), value: yamlfile.TextSchema()},
	{name: "ends_with", kind: opText, compile: textTest(strings.HasSuffix), value: yamlfile.TextSchema()},

	{name: "exists", kind: opExists},

	{name: "within", kind: opTyped, compile: typed("a path", ofPlaces(plainPlaces, truth.Maybe, withinTest)), value: textsSchema},
	{name: "path_in", kind: opTyped, compile: typed(aPlace, ofPlaces(placePatterns, truth.Maybe, pathTest)), value: textsSchema},
	{name: "host_in", kind: opTyped, compile: typed("a host or glob", hostTest), value: textsSchema},
	{name: "links_to", kind: opTyped, compile: typed("a host or glob", linksTest), value: textsSchema},
	{name: "cidr_in", kind: opTyped, compile: typed("an address or a range such as 10.0.0.0/8", cidrTest), value: textsSchema},
	{
		name: "sql", kind: opTyped, usual: commandPaths, compile: typed(aStatement, sqlTest),
		ofClients: typed(aStatement, statementTest(anyDatabase)), value: textsSchema,
	},

	statementOperator("sql_remote", remote),
	statementOperator("surely_sql_remote", surelyRemote),
	statementOperator("sql_lasting", lasting),
	{name: "secret", kind: opTyped, plain: true, compile: secretTest, value: yamlfile.OneOrMoreSchema(orList(SecretWords.Schema()))},

	{name: "runs", kind: opTyped, usual: commandPaths, compile: typed(aCommand, commandTest(truth.Maybe)), value: textsSchema},
	{
		name: "surely_runs", kind: opTyped, usual: commandPaths, plain: true, compile: typed(aCommand, commandTest(truth.Yes)),
		value: textsSchema,
	},
	fileOperator("reads", fileuse.Reads, truth.Maybe),
	fileOperator("writes", fileuse.Writes, truth.Maybe),
	fileOperator("removes", fileuse.Removes, truth.Maybe),
	fileOperator("surely_reads", fileuse.Reads, truth.Yes),
	fileOperator("surely_writes", fileuse.Writes, truth.Yes),
	fileOperator("surely_removes", fileuse.Removes, truth.Yes),

	actOperator(deed.Connects, "a host, host:port, range, local, remote, listen or shell"),
	actOperator(deed.Sends, aPlace+", environment or input"),
	actOperator(deed.DeletesRemote, "a kind, or kind:glob"),
	actOperator(deed.Widens, "a kind, or kind:glob"),
	actOperator(deed.Persists, "a kind, or kind:glob"),
	actOperator(deed.Escalates, "a kind, or kind:glob"),
	actOperator(deed.Stops, "a kind, or kind:glob"),
	actOperator(deed.Publishes, "a kind, or kind:glob"),
	actOperator(deed.Rewrites, "a branch or glob"),
	actOperator(deed.RunsFetched, "a host or glob, decoded, computed, inline or slipped"),

	{
		name: "acts", kind: opTyped, usual: wholeCall, ofTool: true, compile: actsTest,
		value: yamlfile.OneOrMoreSchema(orList(ActWords.Schema())),
	},

	{name: "expr", kind: opExpr, plain: true, value: yamlfile.TextSchema()},
}

// statementOperator is an operator that looks for what commands ask of certain databases.
func statementOperator(name string, of statementsTest) operator {
	return operator{
		name: name, kind: opTyped, usual: commandPaths, plain: true, compile: typed(aStatement, statementTest(of)), value: textsSchema,
	}
}

// fileOperator is an operator that looks for what calls do to files. What is less certain than least does not count.
func fileOperator(name string, of fileuse.Deed, least truth.Value) operator {
	return operator{
		name: name, kind: opTyped, usual: usePaths, plain: least == truth.Yes,
		compile: typed(aPlace, ofPlaces(placePatterns, least, deedTest(of, least))), value: textsSchema,
	}
}

// actOperator is the operator that looks for what commands do beyond files.
func actOperator(verb deed.Verb, what string) operator {
	op := operator{
		name: string(verb), kind: opTyped, usual: commandPaths, compile: actTest(verb, what, truth.Maybe), value: textsSchema, what: what,
	}
	if kinds := deed.Kinds(verb); len(kinds) > 0 {
		op.value = yamlfile.OneOrMoreSchema(orList(yamlfile.Schema{
			"type": "string", "pattern": `^(\*|` + deed.NotOwn + `|(` + strings.Join(kinds, "|") + `)(:.+)?)$`,
		}))
	}
	if deed.OfFiles(verb) {
		op.usual = usePaths
	}
	op.verb = verb
	return op
}

// orList is the schema of one value, or of the name of a list of them.
func orList(one yamlfile.Schema) yamlfile.Schema {
	return yamlfile.Schema{"anyOf": []yamlfile.Schema{one, {"type": "string", "pattern": `^\$`}}}
}

// surely is the operator that counts only what the commands do for certain.
func (op operator) surely() operator {
	op.compile, op.name, op.plain = actTest(op.verb, op.what, truth.Yes), "surely_"+op.name, true
	return op
}

// These describe some values.
const (
	aCommand   = "a command or glob"
	aPlace     = "a path, a name or a glob of them"
	aStatement = "a kind of statement"
)

// These are the schemas of values that several operators share.
var (
	scalarSchema = yamlfile.Schema{"type": []string{"string", "number", "boolean", "null"}}
	numberSchema = yamlfile.Schema{"type": "number"}
	textsSchema  = yamlfile.OneOrMoreSchema(yamlfile.TextSchema())
)

// operators are those of the table and their negations, sorted by name.
var operators = func() (all []operator) {
	for _, op := range table {
		all = append(all, op)
		if op.verb != "" {
			all = append(all, op.surely())
		}
		if !op.plain {
			op.name, op.negated = "not_"+op.name, true
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b operator) int { return strings.Compare(a.name, b.name) })
	return all
}()

var operatorWords = func() yamlfile.Choice {
	words := yamlfile.Choice{What: "an operator", Meanings: map[string]string{}}
	for _, op := range operators {
		words.Words = append(words.Words, op.name)
		words.Meanings[op.name] = op.meaning().holds
	}
	return words
}()

// TakesLists says that the value of an operator may be several texts, or scalars.
func TakesLists(name string) bool {
	i := slices.Index(operatorWords.Words, name)
	plain := strings.TrimPrefix(name, "not_")
	return i >= 0 && (operators[i].kind == opTyped || plain == "in" || plain == "matches")
}

// operatorNamed is the operator of that name. It must exist.
func operatorNamed(name string) operator {
	return operators[slices.Index(operatorWords.Words, name)]
}

// A test says whether one value, or one text in it, satisfies an operator before negation. Exactly one of the functions is set.
type test struct {
	value func(*argument.Value) bool
	text  func(string) bool
	typed typedTest
	find  func(string) string // the part of a text that satisfies it; nil: all of the text
	deeds *deed.Pattern       // what an operator of deeds looks for; nil: it is another operator
	words []string            // each text that passes has one of them, in any ASCII case; nil: unknown
	acts  toolact.Act         // what an operator of tools looks for; 0: it is another operator
	// secrets are the secrets that it looks for, if they must not be recorded; nil: they may be.
	secrets *redact.Set
}

func numberTest(holds func(order int) bool) func(*Compiler, *yamlfile.Node) (test, bool) {
	return func(c *Compiler, n *yamlfile.Node) (test, bool) {
		limit, ok := c.number(n)
		if !ok {
			return test{}, false
		}
		return test{value: func(v *argument.Value) bool {
			return v.Kind == '0' && holds(argument.ParseDecimal(v.Text).Compare(limit))
		}}, true
	}
}

func (c *Compiler) number(n *yamlfile.Node) (argument.Decimal, bool) {
	literal, ok := c.report.Number(n)
	if !ok {
		return argument.Decimal{}, false
	}
	d := argument.ParseDecimal(literal)
	if d.Huge() {
		c.report.Add(n, "the exponent is too large", "write a number that a tool could be given")
		return argument.Decimal{}, false
	}
	return d, true
}

// lookedFor describes the value of the operators on texts.
const lookedFor = "a string to look for"

func textTest(holds func(text, want string) bool) func(*Compiler, *yamlfile.Node) (test, bool) {
	return func(c *Compiler, n *yamlfile.Node) (test, bool) {
		want, ok := c.report.String(n, lookedFor)
		if !ok {
			return test{}, false
		}
		out := test{text: func(text string) bool { return holds(text, want) }, find: func(string) string { return want }}
		if want != "" {
			out.words = []string{want}
		}
		return out, true
	}
}

// matchesTest looks for one of several regular expressions.
func matchesTest(c *Compiler, n *yamlfile.Node) (test, bool) {
	items, ok := c.report.OneOrMore(n, lookedFor)
	if !ok {
		return test{}, false
	}
	expressions := make([]*regexp.Regexp, len(items))
	var words []string
	known := true // each needs a word
	for i, item := range items {
		re, err := regexp.Compile(item.Text)
		if err != nil {
			NotRegexp(c.report, item, err)
			return test{}, false
		}
		needs := wordset.Required(re)
		expressions[i], words, known = re, append(words, needs...), known && needs != nil
	}
	if !known {
		words = nil
	}
	find := func(text string) string {
		for _, re := range expressions {
			if found := re.FindString(text); found != "" {
				return found
			}
		}
		return ""
	}
	matches := func(text string) bool {
		return slices.ContainsFunc(expressions, func(re *regexp.Regexp) bool { return re.MatchString(text) })
	}
	return test{text: matches, find: find, words: words}, true
}

// NotRegexp reports what is wrong with a regular expression.
func NotRegexp(report *yamlfile.Report, n *yamlfile.Node, err error) {
	message := err.Error()
	var syntaxError *syntax.Error
	if errors.As(err, &syntaxError) {
		message = syntaxError.Code.String() + ": " + yamlfile.Quote(syntaxError.Expr)
	}
	report.Add(n, "this is not a regular expression: "+message, "write RE2, which has no look-around and no back-references")
}

func equalsTest(c *Compiler, n *yamlfile.Node) (test, bool) {
	return c.oneOf([]*yamlfile.Node{n})
}

func inTest(c *Compiler, n *yamlfile.Node) (test, bool) {
	wanted, ok := c.report.List(n)
	if !ok {
		return test{}, false
	}
	return c.oneOf(wanted)
}

// oneOf tests membership in a set of scalars.
func (c *Compiler) oneOf(wanted []*yamlfile.Node) (test, bool) {
	set, fine := map[string]struct{}{}, true
	for _, item := range wanted {
		v, ok := c.scalar(item)
		if !ok {
			fine = false
			continue
		}
		key, _ := v.ScalarKey()
		set[key] = struct{}{}
	}
	return test{value: func(v *argument.Value) bool {
		key, ok := v.ScalarKey()
		_, found := set[key]
		return ok && found
	}}, fine
}

func (c *Compiler) scalar(n *yamlfile.Node) (argument.Value, bool) {
	switch n.Kind {
	case yamlfile.String:
		return argument.Value{Kind: '"', Text: n.Text}, true
	case yamlfile.Bool:
		return argument.Value{Kind: map[string]argument.Kind{"true": 't', "false": 'f'}[n.Text]}, true
	case yamlfile.Number:
		_, ok := c.number(n)
		return argument.Value{Kind: '0', Text: n.Text}, ok
	case yamlfile.Null:
		if n.Text == "" {
			c.report.Add(n, "expected a value, found nothing", `write null to mean null, or "" for an empty string`)
			return argument.Value{}, false
		}
		return argument.Value{Kind: 'n'}, true
	default:
		c.report.Add(n, "expected a string, number, true, false or null, found "+n.Kind.String(), "compare arrays with param_path: name[*]")
		return argument.Value{}, false
	}
}
