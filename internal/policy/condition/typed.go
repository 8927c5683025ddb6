package condition

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/pathname"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An answer is what a typed operator says of a value. Maybe is for what readers could disagree about, or what cannot be known:
// it holds where one value is enough, and does not where all must satisfy.
type answer uint8

const (
	no answer = iota
	maybe
	yes
	// nothing: there is nothing to say it of. It is none of the others, and satisfies nobody but those who demand it of all.
	nothing
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
func (a answer) satisfies(q quantifier) bool { return a == yes || a == maybe && q == AnyValue }

// A typedTest says whether one value satisfies a typed operator.
type typedTest func(*Facts, *argument.Value) answer

// typed makes tests of what a typed operator takes: texts, which are each what it says.
func typed(what string, of func(words []string) (typedTest, error)) func(*Compiler, *yamlfile.Node) (test, bool) {
	return func(c *Compiler, n *yamlfile.Node) (test, bool) {
		items, ok := c.report.OneOrMore(n, what)
		if !ok {
			return test{}, false
		}
		words := make([]string, len(items))
		for i, item := range items {
			words[i] = item.Text
		}
		compiled, err := of(words)
		if err != nil {
			message, cure := ProblemOf(err)
			c.report.Add(n, message, cure)
			return test{}, false
		}
		return test{typed: compiled}, true
	}
}

// SecretWords are the kinds of secrets that are known.
var SecretWords = yamlfile.Choice{What: "a preset", Words: redact.Presets()}

// commandTest looks for commands: in the texts of a value as a shell reads them, and in its lists of words as one is started. An
// answer that is less certain than the least counts as no.
func commandTest(least answer) func(globs []string) (typedTest, error) {
	return func(globs []string) (typedTest, error) {
		patterns := shell.NewPatternSet(globs)
		return func(f *Facts, v *argument.Value) answer {
			var answers []answer
			for _, command := range f.commandsOf(v) {
				f.work.spend(command.Cost(patterns))
				a := answer(command.RunsAny(patterns))
				if a < least {
					a = no
				}
				answers = append(answers, a)
			}
			return all(answers)
		}, nil
	}
}

// commandsOf are the commands that a value would run. They are read once, however many conditions ask.
func (f *Facts) commandsOf(v *argument.Value) []shell.Command {
	found, known := f.commands[v]
	if !known {
		if f.commands == nil {
			f.commands = map[*argument.Value][]shell.Command{}
		}
		f.work.spend(shellPerByte * v.TextSize())
		found = v.CommandsFrom(f.start())
		f.commands[v] = found
	}
	return found
}

// start is where the commands of the call begin to run. It is read once.
func (f *Facts) start() shell.Start {
	if f.from == nil {
		from := f.args.RunsIn()
		f.from = &from
	}
	return *f.from
}

// deedTest looks for commands that do something to files.
func deedTest(deed fileuse.Deed) func(patterns []string) (typedTest, error) {
	return func(patterns []string) (typedTest, error) {
		places, err := fileuse.NewPlaces(patterns)
		return func(f *Facts, v *argument.Value) answer {
			var answers []answer
			uses := f.usesOf(v)
			f.work.spend(places.Cost(uses, deed))
			for _, a := range places.Touched(uses, deed) {
				answers = append(answers, answer(a))
			}
			if !f.start().Known() && slices.ContainsFunc(uses, func(u fileuse.Use) bool { return u.Floating && u.Counts(deed) }) {
				// The call says where it runs, but not so that it can be read: its files could be any.
				return maybe
			}
			if len(answers) == 0 {
				return nothing
			}
			return all(answers)
		}, err
	}
}

func pathTest(patterns []string) (typedTest, error) {
	places, err := fileuse.NewPlaces(patterns)
	return perByte(pathPerByte, func(text string) answer { return answer(places.In(text)) }), err
}

// usesOf are what the commands of a value do to files. They are found once, however many conditions ask.
func (f *Facts) usesOf(v *argument.Value) []fileuse.Use {
	uses, known := f.uses[v]
	if !known {
		if f.uses == nil {
			f.uses = map[*argument.Value][]fileuse.Use{}
		}
		f.work.spend(pathPerByte * v.TextSize())
		uses = f.findUses(v)
		f.uses[v] = uses
	}
	return uses
}

// findUses reads a value as commands. A text that is a patch, where no commands stand, is read as one.
func (f *Facts) findUses(v *argument.Value) []fileuse.Use {
	if v.Kind == '"' && !hasCommand(&f.args, v) {
		if uses, ok := fileuse.FindPatch(v.Text, f.start()); ok {
			return uses
		}
	}
	return fileuse.Find(f.commandsOf(v))
}

// hasCommand reports whether a value of the arguments stands where commands do.
func hasCommand(args, part *argument.Value) bool {
	for i := range args.Members {
		m := &args.Members[i]
		named := func(n *yamlfile.Node) bool { return strings.EqualFold(n.Text, m.Name) }
		if slices.ContainsFunc(commandPaths.Items, named) && m.Value.Start <= part.Start && part.End <= m.Value.End {
			return true
		}
	}
	return false
}

// commandPaths are where commands stand in the arguments of tools that run them.
var commandPaths = &yamlfile.Node{Kind: yamlfile.List, Items: []*yamlfile.Node{
	{Kind: yamlfile.String, Text: "command"},
	{Kind: yamlfile.String, Text: "cmd"},
	{Kind: yamlfile.String, Text: "commands"},
	{Kind: yamlfile.String, Text: "commands[*]"},
	{Kind: yamlfile.String, Text: "script"},
}}

func hostTest(patterns []string) (typedTest, error) {
	set, err := address.NewHosts(patterns)
	return perByte(hostsPerByte, func(text string) answer { return answer(address.HostIn(text, set)) }), err
}

func cidrTest(ranges []string) (typedTest, error) {
	set, err := address.NewCIDRs(ranges)
	return perByte(hostsPerByte, func(text string) answer { return answer(address.CIDRIn(text, set)) }), err
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
	return perByte(pathPerByte, func(text string) answer { return answer(pathname.Within(text, roots, pathname.Place{})) }), nil
}

func sqlTest(kinds []string) (typedTest, error) {
	set, err := sqltext.NewKinds(kinds)
	return perByte(sqlPerByte, func(text string) answer { return answer(sqltext.Is(text, set)) }), err
}

func secretTest(c *Compiler, n *yamlfile.Node) (test, bool) {
	items, fine := c.report.OneOrMore(n, "the name of a preset")
	if !fine {
		return test{}, false
	}
	presets := make([]string, len(items))
	for i, item := range items {
		word, known := c.report.Word(item, SecretWords)
		presets[i], fine = word, fine && known
	}
	if !fine {
		return test{}, false
	}
	set, err := redact.New(redact.Config{Presets: presets})
	if err != nil {
		message, cure := ProblemOf(err)
		c.report.Add(n, message, cure)
		return test{}, false
	}
	return test{typed: secretsOf(set), secrets: set}, true
}

// secretsOf looks for secrets.
func secretsOf(set *redact.Set) typedTest {
	return func(f *Facts, v *argument.Value) answer {
		// Names of members and neighbours tell secrets apart, so it is read where it stands.
		raw := f.raw
		if v == &f.more {
			raw = f.rawMore
		}
		f.work.spend(len(raw) + secretsPerByte*(v.End-v.Start))
		r, err := set.ReplaceJSON(raw, []redact.Span{{Start: v.Start, End: v.End}})
		switch {
		case err != nil:
			return maybe
		case len(r.Replaced) > 0 || len(r.Kept) > 0 || f.recorded && set.Marked(string(raw[v.Start:v.End])):
			return yes
		default:
			return no
		}
	}
}

// ProblemOf is an error as a problem and its cure, which follows the last semicolon, or else colon.
func ProblemOf(err error) (message, cure string) {
	text := err.Error()
	for _, separator := range []string{"; ", ": "} {
		if i := strings.LastIndex(text, separator); i >= 0 {
			return text[:i], text[i+len(separator):]
		}
	}
	return text, "correct the value"
}
