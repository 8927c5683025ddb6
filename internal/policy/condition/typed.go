package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/deed"
	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/pathname"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/sqltext"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// An answer is the result of a typed operator for a value. Maybe means that readers could disagree, or that it cannot be known. It
// satisfies any, but not all.
type answer struct {
	truth.Value
	// nothing: there is nothing to test. Before negation it counts as satisfied only for a not_… operator under all.
	nothing bool
}

var (
	no      = answer{Value: truth.No}
	maybe   = answer{Value: truth.Maybe}
	yes     = answer{Value: truth.Yes}
	nothing = answer{nothing: true}
)

// all combines the results for the parts of one thing: yes if every part says yes, no if none does or there are no parts.
func all(parts []truth.Value) answer {
	if len(parts) == 0 {
		return no
	}
	for _, part := range parts[1:] {
		if part != parts[0] {
			return maybe
		}
	}
	return answer{Value: parts[0]}
}

// satisfies says whether an answer is enough under a quantifier.
func (a answer) satisfies(q quantifier) bool { return a == yes || a == maybe && q == AnyValue }

// orNo is no for what is less certain than least.
func orNo(v, least truth.Value) truth.Value {
	if v < least {
		return truth.No
	}
	return v
}

// A typedTest says whether one value satisfies a typed operator.
type typedTest func(*Facts, *argument.Value) answer

// typed makes tests from the values of a typed operator: texts, each of which is of the kind in what.
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

// SecretWords are the known kinds of secrets.
var SecretWords = yamlfile.Choice{What: "a preset", Words: redact.Presets()}

// commandTest looks for commands: in the texts of a value as a shell reads them, and in its lists of words as a program is started.
// An answer that is less certain than least counts as no.
func commandTest(least truth.Value) func(globs []string) (typedTest, error) {
	return func(globs []string) (typedTest, error) {
		for _, glob := range globs {
			if odd := shell.Placeholder(glob); odd != "" {
				return nil, fmt.Errorf("%s is no wildcard; write %s for one word, or * for any text", odd, shell.OneWord)
			}
		}
		patterns := shell.NewPatternSet(globs)
		return func(f *Facts, v *argument.Value) answer {
			if f.onlyArgs(v) && f.client() == "" {
				return nothing
			}
			var parts []truth.Value
			for _, command := range f.commandsOf(v) {
				f.work.spend(command.Cost(patterns))
				parts = append(parts, orNo(command.RunsAny(patterns), least))
			}
			return f.surely(all(parts), v, patterns)
		}, nil
	}
}

// deedTest looks for commands and tools that do something to files.
func deedTest(deed fileuse.Deed, least truth.Value) func(patterns []string) (typedTest, error) {
	return func(patterns []string) (typedTest, error) {
		places, err := fileuse.NewPlaces(patterns)
		return func(f *Facts, v *argument.Value) answer {
			uses := f.usesOf(v)
			f.work.spend(places.Cost(uses, deed))
			parts := places.Touched(uses, deed)
			for i := range parts {
				parts[i] = orNo(parts[i], least)
			}
			floating := func(u fileuse.Use) bool { return u.Floating && u.Counts(deed) }
			if least != truth.Yes && !f.start().Known() && slices.ContainsFunc(uses, floating) {
				// The call names the folder where it runs in a way that cannot be parsed: its files could be any.
				return maybe
			}
			if len(parts) == 0 {
				return nothing
			}
			return all(parts)
		}, err
	}
}

// actTest looks for commands that do something beyond files.
func actTest(verb deed.Verb, what string, least truth.Value) func(*Compiler, *yamlfile.Node) (test, bool) {
	return func(c *Compiler, n *yamlfile.Node) (test, bool) {
		var pattern *deed.Pattern // with some project, if it names the project's folder
		does := func(texts []string) (typedTest, error) {
			made, err := deed.NewPattern(verb, texts)
			return func(f *Facts, v *argument.Value) answer { return f.does(v, verb, made, least) }, err
		}
		if verb == deed.Sends {
			does = ofPlaces(placePatterns, least, does)
		}
		out, ok := typed(what, func(texts []string) (holds typedTest, err error) {
			if pattern, err = deed.NewPattern(verb, inProject(texts, someProject)); err != nil {
				return nil, err
			}
			return does(texts)
		})(c, n)
		out.deeds = pattern
		return out, ok
	}
}

// does says whether all that the commands of a value do, of one verb, is what the pattern names.
func (f *Facts) does(v *argument.Value, verb deed.Verb, pattern *deed.Pattern, least truth.Value) answer {
	var parts []truth.Value
	deeds := f.deedsOf(v)
	for i := range deeds {
		if d := &deeds[i]; d.Verb == verb {
			f.work.spend(pattern.Cost(d))
			for _, part := range pattern.Parts(d) {
				parts = append(parts, orNo(part, least))
			}
		}
	}
	if len(parts) == 0 {
		return nothing
	}
	return all(parts)
}

// deedsOf are the deeds that a value tells: its commands do them, or the tool changes a file whose change is a deed. Deeds of commands
// are found once for all conditions.
func (f *Facts) deedsOf(v *argument.Value) []deed.Deed {
	member := memberOf(&f.args, v)
	if named := f.namedUses(member, v); named != nil {
		deeds := deed.Find(nil, named)
		if f.sendsFiles() {
			deeds = append(deeds, deed.Sent(named))
		}
		return deeds
	}
	f.forget()
	deeds, known := f.deeds[v]
	if !known {
		if f.deeds == nil {
			f.deeds = map[*argument.Value][]deed.Deed{}
		}
		var commands []shell.Command
		if !f.isPatch(member, v) {
			commands = f.commandsOf(v)
		}
		f.work.spend(deedPerByte * shell.Size(commands))
		deeds = deed.Find(commands, f.usesOf(v))
		f.deeds[v] = deeds
	}
	return deeds
}

func pathTest(patterns []string) (typedTest, error) {
	places, err := fileuse.NewPlaces(patterns)
	return perByte(pathPerByte, func(text string) truth.Value { return places.In(text) }), err
}

// usesOf are the uses of files that a value tells: the tool uses the file that it names, or its commands use files. Uses by commands
// are found once for all conditions.
func (f *Facts) usesOf(v *argument.Value) []fileuse.Use {
	if named := f.namedUses(memberOf(&f.args, v), v); named != nil {
		return named
	}
	f.forget()
	uses, known := f.uses[v]
	if !known {
		if f.uses == nil {
			f.uses = map[*argument.Value][]fileuse.Use{}
		}
		uses = f.findUses(v)
		f.uses[v] = uses
	}
	return uses
}

// isPatch reports a text that is a patch, in a position where no commands are.
func (f *Facts) isPatch(member string, v *argument.Value) bool {
	if v.Kind != '"' || hasCommands(member) {
		return false
	}
	f.work.spend(pathPerByte * len(v.Text))
	_, ok := fileuse.FindPatch(v.Text, f.start())
	return ok
}

// findUses finds what the commands in a value do to files. A text that is a patch, in a position where no commands are, is parsed
// as a patch.
func (f *Facts) findUses(v *argument.Value) []fileuse.Use {
	if v.Kind == '"' && !hasCommands(memberOf(&f.args, v)) {
		f.work.spend(pathPerByte * len(v.Text))
		if uses, ok := fileuse.FindPatch(v.Text, f.start()); ok {
			return uses
		}
	}
	commands := f.commandsOf(v)
	f.work.spend(pathPerByte * shell.Size(commands))
	return fileuse.Find(commands)
}

// memberOf is the name of the member of the arguments that a value is in; "": it is in none.
func memberOf(args, part *argument.Value) string {
	for i := range args.Members {
		if m := &args.Members[i]; m.Value.Start <= part.Start && part.End <= m.Value.End {
			return m.Name
		}
	}
	return ""
}

func hostTest(patterns []string) (typedTest, error) {
	set, err := address.NewHosts(patterns)
	return perByte(hostsPerByte, func(text string) truth.Value { return address.HostIn(text, set) }), err
}

// linksTest compares only hosts to which the text surely links. A text without links says nothing, whichever hosts are asked for.
func linksTest(patterns []string) (typedTest, error) {
	set, err := address.NewHosts(patterns)
	return func(f *Facts, v *argument.Value) answer {
		var parts []truth.Value
		v.EachText(func(text string) {
			f.work.spend(1 + hostsPerByte*len(text))
			for _, h := range address.Links(text) {
				parts = append(parts, set.Match(h))
			}
		})
		if len(parts) == 0 {
			return nothing
		}
		return all(parts)
	}, err
}

func cidrTest(ranges []string) (typedTest, error) {
	set, err := address.NewCIDRs(ranges)
	return perByte(hostsPerByte, func(text string) truth.Value { return address.CIDRIn(text, set) }), err
}

// withinTest compares paths. A policy does not know the agent's folder, so relative paths are only within ".".
func withinTest(paths []string) (typedTest, error) {
	roots := make([]pathname.Root, len(paths))
	for i, p := range paths {
		var err error
		if roots[i], err = pathname.NewRoot(p); err != nil {
			return nil, err
		}
	}
	return perByte(pathPerByte, func(text string) truth.Value { return pathname.Within(text, roots, pathname.Place{}) }), nil
}

func sqlTest(kinds []string) (typedTest, error) {
	set, err := sqltext.NewKinds(kinds)
	return perByte(sqlPerByte, func(text string) truth.Value { return sqltext.Is(text, set) }), err
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
		// The names of members and neighbours help to recognize secrets, so the value is searched in its document.
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

// ProblemOf splits an error into a problem and how to fix it: the text after the last semicolon, or else the last colon.
func ProblemOf(err error) (message, cure string) {
	text := err.Error()
	for _, separator := range []string{"; ", ": "} {
		if i := strings.LastIndex(text, separator); i >= 0 {
			return text[:i], text[i+len(separator):]
		}
	}
	return text, "correct the value"
}
