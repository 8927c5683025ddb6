package policy

import (
	"strings"

	"github.com/weir-gate/weir/internal/address"
	"github.com/weir-gate/weir/internal/pathname"
	"github.com/weir-gate/weir/internal/redact"
	"github.com/weir-gate/weir/internal/shell"
	"github.com/weir-gate/weir/internal/sqltext"
	"github.com/weir-gate/weir/internal/yamlfile"
)

// An answer is what a typed operator says of a value. Maybe is for what readers could disagree about, or what cannot be known:
// it holds where one value is enough, and does not where all must satisfy.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

// all combines the answers for the parts of one thing: yes if every part says so, no if none does or there is none.
func all(answers []answer) answer {
	if len(answers) == 0 {
		return no
	}
	first := answers[0]
	for _, a := range answers[1:] {
		if a != first {
			return maybe
		}
	}
	return first
}

// satisfies says whether an answer will do under a quantifier.
func (a answer) satisfies(q quantifier) bool { return a == yes || a == maybe && q == anyValue }

// A typedTest says whether one value satisfies a typed operator.
type typedTest func(*facts, *value) answer

// typedTest compiles the value of a typed operator.
func (c *compiler) typedTest(op operator, n *yamlfile.Node) (test, bool) {
	items, ok := c.report.OneOrMore(n, typedValues[op.base])
	if !ok {
		return test{}, false
	}
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = item.Text
		if op.base == "secret" {
			_, known := c.report.Word(item, presetWords)
			ok = ok && known
		}
	}
	if !ok {
		return test{}, false
	}
	compiled, err := typedTests[op.base](words)
	if err != nil {
		message, cure := problemOf(err)
		c.report.Add(n, message, cure)
		return test{}, false
	}
	return test{typed: compiled}, true
}

// presetWords are the kinds of secrets that are known.
var presetWords = yamlfile.Choice{What: "a preset", Words: redact.Presets()}

// typedValues say what the values of the typed operators are.
var typedValues = map[string]string{
	"runs":    "a command or glob",
	"host_in": "a host or glob",
	"cidr_in": "an address or a range such as 10.0.0.0/8",
	"within":  "a path",
	"sql":     "a kind of statement",
	"secret":  "the name of a preset",
}

// typedTests compile them.
var typedTests = map[string]func(words []string) (typedTest, error){
	"runs":    runsTest,
	"host_in": hostTest,
	"cidr_in": cidrTest,
	"within":  withinTest,
	"sql":     sqlTest,
	"secret":  secretTest,
}

// eachText answers for a value by its texts.
func eachText(of func(text string) answer) typedTest {
	return func(_ *facts, v *value) answer {
		var answers []answer
		v.eachText(func(text string) { answers = append(answers, of(text)) })
		return all(answers)
	}
}

// eachText visits every string inside a value, and every number as it is written.
func (v *value) eachText(visit func(string)) {
	switch v.kind {
	case '"', '0':
		visit(v.text)
	case '[':
		for i := range v.items {
			v.items[i].eachText(visit)
		}
	case '{':
		for i := range v.members {
			v.members[i].value.eachText(visit)
		}
	}
}

// runsTest looks for commands: in the texts of a value as a shell reads them, and in its lists of words as one is started.
func runsTest(globs []string) (typedTest, error) {
	patterns := make([]shell.Pattern, len(globs))
	for i, g := range globs {
		patterns[i] = shell.NewPattern(g)
	}
	return func(f *facts, v *value) answer {
		var answers []answer
		for _, command := range f.commandsOf(v) {
			best := no
			for _, p := range patterns {
				best = max(best, answer(command.Runs(p)))
			}
			answers = append(answers, best)
		}
		return all(answers)
	}, nil
}

// commandsOf are the commands that a value would run. They are read once, however many conditions ask.
func (f *facts) commandsOf(v *value) []shell.Command {
	found, known := f.commands[v]
	if !known {
		if f.commands == nil {
			f.commands = map[*value][]shell.Command{}
		}
		found = v.commands()
		f.commands[v] = found
	}
	return found
}

// commands are those that a value would run.
func (v *value) commands() (found []shell.Command) {
	switch v.kind {
	case '"':
		return shell.Read(v.text)
	case '[':
		if argv, ok := v.words(); ok {
			return shell.ReadArgv(argv)
		}
		for i := range v.items {
			found = append(found, v.items[i].commands()...)
		}
	case '{':
		for i := range v.members {
			found = append(found, v.members[i].value.commands()...)
		}
	}
	return found
}

// words are those of a list that has nothing else.
func (v *value) words() (words []string, ok bool) {
	for i := range v.items {
		if v.items[i].kind != '"' {
			return nil, false
		}
		words = append(words, v.items[i].text)
	}
	return words, len(words) > 0
}

func hostTest(patterns []string) (typedTest, error) {
	set, err := address.NewHosts(patterns)
	return eachText(func(text string) answer { return answer(address.HostIn(text, set)) }), err
}

func cidrTest(ranges []string) (typedTest, error) {
	set, err := address.NewCIDRs(ranges)
	return eachText(func(text string) answer { return answer(address.CIDRIn(text, set)) }), err
}

// withinTest compares paths. Where the agent works is not known to a policy, so that relative paths are within "." alone.
func withinTest(paths []string) (typedTest, error) {
	roots := make([]pathname.Root, len(paths))
	for i, p := range paths {
		var err error
		if roots[i], err = pathname.NewRoot(p); err != nil {
			return nil, err
		}
	}
	return eachText(func(text string) answer { return answer(pathname.Within(text, roots, pathname.Place{})) }), nil
}

func sqlTest(kinds []string) (typedTest, error) {
	set, err := sqltext.NewKinds(kinds)
	return eachText(func(text string) answer { return answer(sqltext.Is(text, set)) }), err
}

func secretTest(presets []string) (typedTest, error) {
	set, err := redact.New(redact.Config{Presets: presets})
	return eachText(func(text string) answer {
		if len(set.Find(text)) > 0 {
			return yes
		}
		return no
	}), err
}

// problemOf is an error as a problem and its cure, which follows the last semicolon, or else colon.
func problemOf(err error) (message, cure string) {
	text := err.Error()
	for _, separator := range []string{"; ", ": "} {
		if i := strings.LastIndex(text, separator); i >= 0 {
			return text[:i], text[i+len(separator):]
		}
	}
	return text, "correct the value"
}
