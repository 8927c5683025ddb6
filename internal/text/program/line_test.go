package program

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

var sample = &Entry{Names: "sample", Options: "a b r,R,recursive u,user: o,output> c,command$ i,in-place? pair:: verbose version exec$"}

// words lists the texts of operands, with a question mark after those that are not sure.
func words(operands []Operand) string {
	var out []string
	for _, o := range operands {
		text := fmt.Sprintf("%s@%d", o.Text, o.First)
		if o.Last != o.First {
			text += fmt.Sprintf("-%d", min(o.Last, 9))
		}
		if !o.Sure {
			text += "?"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestOperands(t *testing.T) {
	stopping := &Entry{Options: sample.Options, Style: Stops}
	for _, row := range []struct {
		entry            *Entry
		args, want, note string
	}{
		{sample, "x -a y", "x@0 y@1", "options may follow operands"},
		{sample, "-u v x", "x@0", "a known value"},
		{sample, "-abuv x", "x@0", "attached to a cluster"},
		{sample, "--user=v x -- -a", "x@0 -a@1", "two dashes"},
		{sample, "--zz v x", "v@0? x@0-1", "an unknown option"},
		{sample, "--zz=v x", "x@0", "an unknown option with its value"},
		{sample, "-Z v x", "v@0? x@0-1", "an unknown letter"},
		{sample, "-aZb v x", "v@0? x@0-1", "an unknown letter among known ones"},
		{sample, "--zz --user v x", "v@0? x@0-1", "an option may be a value"},
		{sample, "-9 x", "x@0", "a number"},
		{sample, "--no-zz x", "x@0", "a negated flag"},
		{sample, "--ver x", "x@0?", "a shortened name that could be several"},
		{sample, "--pair k v x", "x@0", "two values"},
		{sample, "-i x", "x@0", "an optional value is attached"},
		{sample, "- x", "-@0 x@1", "a dash alone"},
		{sample, "--zz -- -r", "-r@0?", "two dashes may be a value"},
		{stopping, "-a x -b y", "x@0 -b@1 y@2", "options end"},
		{stopping, "--zz x -b y", "x@0? -b@1? y@0-2", "options may end"},
		{sample, Open + " x", Open + "@0 x@0-9", "any number of words"},
	} {
		if got := words(row.entry.Read(strings.Fields(row.args)).Operands()); got != row.want {
			t.Errorf("%s: %s: %q, want %q", row.note, row.args, got, row.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, row := range []struct {
		args, name, values string
		has                truth.Value
	}{
		{"-r", "recursive", "", truth.Yes},
		{"--recursive", "r", "", truth.Yes},
		{"--rec", "r", "", truth.Maybe},
		{"--zz -r", "r", "", truth.Maybe},
		{"-Zr", "r", "", truth.Maybe},
		{"-u v", "user", "v", truth.Yes},
		{"-uv -u w", "user", "v w", truth.Yes},
		{"--us v", "user", "v", truth.Maybe},
		{"-Zuv", "user", "v", truth.Maybe},
		{"--zz v", "zz", "v", truth.Maybe},
		{"-Zv", "Z", "v", truth.Maybe},
		{"-u", "user", "", truth.Yes},
		{"x -- -r", "r", "", truth.No},
		{"-u -r", "r", "", truth.No},
		{"-i.bak x", "in-place", ".bak", truth.Yes},
		{"--pair k v", "pair", "k v", truth.Yes},
	} {
		line := sample.Read(strings.Fields(row.args))
		if got := line.Has(row.name); got != row.has {
			t.Errorf("%s has %s: %d, want %d", row.args, row.name, got, row.has)
		}
		if got := strings.Join(line.Values(row.name), " "); got != row.values {
			t.Errorf("%s: values %q of %s, want %q", row.args, got, row.name, row.values)
		}
	}
}

func TestStyles(t *testing.T) {
	dashed := &Entry{Options: "o> tags: v", Style: Dashed}
	line := dashed.Read(strings.Fields("-tags x -ofile -v --tags=y z"))
	if got := line.Values("tags"); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("tags %q", got)
	}
	if got := line.Values("o"); !slices.Equal(got, []string{"file"}) {
		t.Errorf("o %q", got)
	}
	windows := &Entry{Options: "path< recurse value: s", Style: Dashed | Folds | Slashed}
	line = windows.Read(strings.Fields("-Pa f /S -VALUE v -rec:1"))
	if got := line.Signed('<'); len(got) != 1 || got[0].Value != "f" {
		t.Errorf("files %v", got)
	}
	if line.Has("s") != truth.Yes || line.Has("recurse") != truth.Maybe {
		t.Errorf("options %v", line.Given())
	}
}

func TestSubcommands(t *testing.T) {
	entry := &Entry{Options: "p,profile: v", Subs: []Entry{
		{Names: "remove rm", Options: "f,force"},
		{Names: "group", Subs: []Entry{{Names: "delete", Options: "yes"}}},
	}}
	var leaf func(line *Line) []string
	leaf = func(line *Line) []string {
		var out []string
		for _, sub := range line.Subcommands() {
			if len(sub.Entry.Subs) > 0 {
				out = append(out, leaf(sub)...)
				continue
			}
			out = append(out, sub.Entry.Names+": "+words(sub.Operands()))
		}
		return out
	}
	for args, want := range map[string]string{
		"rm x":                        "remove rm: x@0",
		"-v rm -f x":                  "remove rm: x@0",
		"rm --profile p x":            "remove rm: x@0",
		"-p rm rm x":                  "remove rm: x@0",
		"--zz rm x":                   "remove rm: x@0",
		"--zz v rm x":                 "remove rm: x@0",
		"--zz rm rm x":                "remove rm: rm@0 x@0-1",
		"group --zz v delete --yes x": "group delete: x@0",
		"--zz group group delete x":   "group delete: x@0",
		Open + " rm x":                "remove rm: x@0",
		"gr\xfep delete x":            "group delete: x@0",
		"x rm y":                      "",
	} {
		got := strings.ReplaceAll(strings.Join(leaf(entry.Read(strings.Fields(args))), ", "), "delete:", "group delete:")
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	for path, want := range map[string]string{
		"git": "git", "/usr/bin/git": "git", `C:\Git\GIT.EXE`: "git", "ggit": "git", "git2.40": "git", "git.cmd": "git", "nothing": "",
		"git@2": "git", "git@latest": "git", "git@^2.1": "git", "git@v2": "git", "git@": "", "git@host": "", "@2": "",
	} {
		e, name := Lookup(path)
		if (e != Unknown) != (want != "") || e != Unknown && name != want {
			t.Errorf("%s: %s", path, name)
		}
	}
}

// TestEntries checks that no program and no option of one is listed twice.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	var check func(path string, e *Entry)
	check = func(path string, e *Entry) {
		options := map[string]bool{}
		for word := range strings.FieldsSeq(e.Options) {
			for name := range strings.SplitSeq(strings.TrimRight(word, valueSigns), ",") {
				if options[name] {
					t.Errorf("%s: option %s twice", path, name)
				}
				options[name] = true
			}
		}
		subs := map[string]bool{}
		for i := range e.Subs {
			for name := range strings.FieldsSeq(e.Subs[i].Names) {
				if subs[name] {
					t.Errorf("%s: subcommand %s twice", path, name)
				}
				subs[name] = true
			}
			check(path+" "+e.Subs[i].Names, &e.Subs[i])
		}
	}
	for _, table := range tables {
		for _, e := range table {
			check(e.Names, e)
			for name := range strings.FieldsSeq(e.Names) {
				if seen[name] {
					t.Errorf("program %s twice", name)
				}
				seen[name] = true
			}
		}
	}
}

// generated makes arguments of the bytes of a fuzzer.
func generated(how []byte) []string {
	stock := []string{
		"-a", "-b", "-r", "-ab", "-u", "-uv", "-abuv", "--user", "--user=v", "-o", "--output", "--recursive", "-i", "-i.x", "--in-place",
		"--in-place=x", "--command", "-c", "x", "y", "z", "-", "--", "--verbose", "-q", "--quiet", "-Q", "--q=1", "--ver", "-aq", "-qu",
		"\xff", "\xfe", "",
	}
	args := make([]string, len(how))
	for i, b := range how {
		args[i] = stock[int(b)%len(stock)]
	}
	return args
}

// plain reads arguments as getopt does if every option is known. It reports false if one is not.
func plain(args []string, set *optionSet) (operands []string, given map[string][]string, ok bool) {
	given = map[string][]string{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, value, attached := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		switch {
		case arg == "--":
			return append(operands, args[i+1:]...), given, !slices.Contains(args[i:], Open)
		case len(arg) < 2 || arg[0] != '-':
			operands = append(operands, arg)
			if arg == Open {
				return nil, nil, false
			}
			continue
		case arg[1] != '-':
			letters := arg[1:]
			for letters != "" && set.byName[letters[:1]] != nil && set.byName[letters[:1]].signs == "" {
				given[letters[:1]] = append(given[letters[:1]], "")
				letters = letters[1:]
			}
			if letters == "" {
				continue
			}
			name, value, attached = letters[:1], letters[1:], len(letters) > 1
		}
		o := set.byName[name]
		if o == nil {
			return nil, nil, false
		}
		if o.takesNext() && !attached && i+1 < len(args) {
			i++
			value = args[i]
		}
		given[name] = append(given[name], value)
	}
	return operands, given, true
}

func checkReading(t *testing.T, args []string) {
	t.Helper()
	line := sample.Read(args)
	if records := len(line.given) + len(line.Operands()); records > 16*len(args) {
		t.Fatalf("%q: %d records", args, records)
	}
	operands, given, ok := plain(args, sample.options())
	if !ok {
		return
	}
	var got []string
	for i, o := range line.Operands() {
		if got = append(got, o.Text); !o.Sure || o.First != i || o.Last != i {
			t.Fatalf("%q: doubt about %q", args, o.Text)
		}
	}
	if !slices.Equal(got, operands) {
		t.Fatalf("%q: operands %q, want %q", args, got, operands)
	}
	for name := range given {
		if line.Has(name) != truth.Yes {
			t.Fatalf("%q: no %s", args, name)
		}
	}
	for _, g := range line.Given() {
		if !slices.Contains(given[g.Name], g.Value) {
			t.Fatalf("%q: %s with %q, want %q", args, g.Name, g.Value, given[g.Name])
		}
	}
}

// checkKnowledge compares the reading of who knows all options with that of who knows few: the latter must find all that the former does.
func checkKnowledge(t *testing.T, args []string) {
	t.Helper()
	less := &Entry{Options: "a r,R,recursive u,user:"}
	full, few := sample.Read(args), less.Read(args)
	for _, o := range full.Operands() {
		same := func(other Operand) bool { return other.At == o.At && other.First <= o.First && other.Last >= o.Last }
		if !slices.ContainsFunc(few.Operands(), same) {
			t.Fatalf("%q: %v is lost: %v", args, o, few.Operands())
		}
	}
	for _, name := range []string{"a", "r", "u"} {
		if full.Has(name) != truth.No && few.Has(name) == truth.No {
			t.Fatalf("%q: option %s is lost", args, name)
		}
		for _, value := range full.Values(name) {
			if !slices.Contains(few.Values(name), value) {
				t.Fatalf("%q: value %q of %s is lost", args, value, name)
			}
		}
	}
}

// checkRoles checks that each word is something.
func checkRoles(t *testing.T, args []string) {
	t.Helper()
	line := sample.Read(args)
	has := make([]bool, len(args)+4)
	for _, o := range line.Operands() {
		has[o.At] = true
	}
	for _, g := range line.given {
		has[g.At], has[g.At+1], has[g.At+2] = true, true, true
	}
	for i, arg := range args {
		if !has[i] && arg != "--" {
			t.Fatalf("%q: word %d has no role", args, i)
		}
	}
}

func FuzzRead(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		how := make([]byte, random.IntN(9))
		for i := range how {
			how[i] = byte(random.Uint32())
		}
		f.Add(how, "-"+string(how))
	}
	f.Fuzz(func(t *testing.T, how []byte, text string) {
		if len(how) > 64 {
			how = how[:64]
		}
		args := generated(how)
		checkReading(t, args)
		checkKnowledge(t, args)
		checkRoles(t, args)
		odd := strings.Fields(text)
		checkRoles(t, odd)
		for _, e := range index {
			line := e.Read(odd)
			line.Subcommands()
			break
		}
	})
}

// TestLinear checks that the records of long lines grow as the lines do.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"--ver", "--zz v", "-Z v", "-zqyw", "--pair", "-", Open, "--v -u"} {
		count := func(n int) int {
			line := sample.Read(strings.Fields(strings.Repeat(unit+" ", n)))
			return len(line.given) + len(line.Operands())
		}
		if few, much := count(100), count(1000); much > 11*few {
			t.Errorf("%s: %d records for 100, %d for 1000", unit, few, much)
		}
	}
}
