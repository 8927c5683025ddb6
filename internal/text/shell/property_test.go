package shell

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// wrappings are ways to run a text: %q is the text quoted, %s the text itself, %n a number that is used once.
var wrappings = []string{
	"%s", "ls; %s", "%s; ls", "ls && %s", "ls || %s", "( %s )", "{ %s; }", "! { %s; }", "if ls; then %s; fi", "while ls; do %s; done",
	"for i in a b; do %s; done", "f%n() { %s; }; f%n", "case a in a) %s;; esac", "echo $( %s )", `echo "$( %s )"`, "cat <( %s )", "x=$( %s )",
	"eval %q", "sh -c %q", "bash -lc %q", "sudo sh -c %q", "env A=b sh -c %q", "timeout 5 bash -c %q", "nohup bash -c %q", "su -c %q",
	"ssh host %q", "docker run alpine sh -c %q", "kubectl exec p -- sh -c %q", "watch %q", "printf %%s %q | sh", "bash <<< %q",
	"x=%q; eval \"$x\"", "trap %q EXIT", "find . -exec sh -c %q \\;", "ls | xargs sh -c %q", "g%n() { eval \"$1\"; }; g%n %q",
	"a=(sh -c %q); \"${a[@]}\"", "set -- %q; eval \"$1\"", "source <(printf %%s %q)", "time sh -c %q", "parallel ::: %q",
}

func wrap(t testing.TB, with, text string) string {
	with = strings.ReplaceAll(with, "%n", strconv.Itoa(len(text)))
	if !strings.Contains(with, "%q") {
		return strings.ReplaceAll(strings.ReplaceAll(with, "%s", text), "%%", "%")
	}
	quoted, err := syntax.Quote(text, syntax.LangBash)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.ReplaceAll(with, "%%s", "%s"), "%q", quoted)
}

func TestWrappingKeepsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text := "rm -rf /x"
		for range 1 + random.IntN(4) {
			text = wrap(t, wrappings[random.IntN(len(wrappings))], text)
		}
		if got := runs(text, "rm -rf /*"); got != Yes {
			t.Fatalf("%q: answer %d, found %q", text, got, shown(Read(text, Start{})))
		}
	}
}

func TestWrappingKeepsUnfound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		text := "echo rm -rf /x"
		for range 1 + random.IntN(3) {
			text = wrap(t, wrappings[random.IntN(len(wrappings))], text)
		}
		// What a wrapping runs as a command may be the output of echo, so only certain answers count.
		if got := runs(text, "rm -rf /*"); got == Yes {
			t.Fatalf("%q: found %q", text, shown(Read(text, Start{})))
		}
	}
}

// disguise writes a word in one of the ways a shell reads it as that word, as the bytes of how say.
func disguise(word string, how []byte) string {
	var out strings.Builder
	next := func() byte {
		if len(how) == 0 {
			return 0
		}
		b := how[0]
		how = how[1:]
		return b
	}
	for _, c := range word {
		switch letter := string(c); next() % 8 {
		case 0:
			out.WriteString(letter)
		case 1:
			out.WriteString(`\` + letter)
		case 2:
			out.WriteString(`'` + letter + `'`)
		case 3:
			out.WriteString(`"` + letter + `"`)
		case 4:
			out.WriteString(`$'\x` + hexOf(c) + `'`)
		case 5:
			out.WriteString(`""` + letter)
		case 6:
			out.WriteString("$(echo " + letter + ")")
		case 7:
			out.WriteString("${v_" + letter + "}")
		}
	}
	return out.String()
}

func hexOf(c rune) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4&15], digits[c&15]})
}

func FuzzDisguise(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add([]byte{4, 4, 0, 6, 6})
	f.Add([]byte{7, 7, 7, 7, 7, 7})
	f.Fuzz(func(t *testing.T, how []byte) {
		text := "{ v_c=c v_h=h v_m=m v_o=o v_d=d; " + disguise("chmod", how) + " x; }"
		if len(how) > 5 {
			text = wrap(t, wrappings[int(how[5])%len(wrappings)], text)
		}
		if got := runs(text, "chmod"); got != Yes {
			t.Errorf("%q: answer %d, found %q", text, got, shown(Read(text, Start{})))
		}
	})
}

func FuzzRead(f *testing.F) {
	texts := slices.Concat(lines(f, "testdata/evasions.txt"), lines(f, "testdata/lookalikes.txt"), slices.Collect(maps.Values(hostile(200))))
	for _, text := range need.Seeds(texts) {
		f.Add(text)
	}
	f.Add("<<a&#\nb") // the parser yields two errors
	glob := NewPattern("git push*")
	f.Fuzz(func(t *testing.T, text string) {
		commands := Read(text, Start{})
		for _, c := range commands {
			if len(c.Words) == 0 {
				t.Fatalf("%q: a command without words", text)
			}
			c.Runs(glob)
			for _, word := range append([]Word{c.Path}, c.Words...) {
				if word.Known && !utf8.ValidString(word.Text) {
					t.Errorf("%q: known word %q is no text", text, word.Text)
				}
			}
		}
		// What stands before a text does not hide it.
		if before := runs("rm x\n"+text, "rm"); before != Yes && !strings.Contains(text, "\n)") {
			if _, ok := newParser().parse("rm x\n" + clean(text)); ok {
				t.Errorf("%q hides the line in front of it: %d", text, before)
			}
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("rm -rf /*", "rm -rf \xff", "x y")
	f.Add("git push*", "git \xfe", "push")
	f.Add("a*b", "\xfd\xfb", "ab")
	f.Fuzz(func(t *testing.T, glob, text, fill string) {
		p := NewPattern(glob)
		if p.glob == "" || len(text) > 100 || hasHole(fill) || strings.HasPrefix(fill, "-") || !utf8.ValidString(fill) {
			t.Skip()
		}
		// Filling the holes that take any text can only make an answer more certain.
		filled := strings.NewReplacer(anyWords, fill, oneWord, fill, fileRun, fill, oneChar, "z", moreWords, " "+fill).Replace(text)
		before, after := match(p.glob, text), match(p.glob, filled)
		if before == Yes && after != Yes || before == No && after != No {
			t.Errorf("glob %q: %q gives %d, filled %q gives %d", p.glob, text, before, filled, after)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const mega = 1 << 20
	unit := "cd /srv/app && git status --short | head -n 20; for f in *.go; do gofmt -l \"$f\"; done # check\n"
	for _, bench := range []struct{ name, text string }{
		{"100B", unit},
		{"10KB", strings.Repeat(unit, 10<<10/len(unit))},
		{"1MB", strings.Repeat(unit, mega/len(unit))},
		{"one word/1MB", "echo " + strings.Repeat("a", mega)},
		{"one quoted word/1MB", "echo '" + strings.Repeat("a b ", mega/4) + "'"},
		{"here-document/1MB", "cat > f <<'EOF'\n" + strings.Repeat(unit, mega/len(unit)) + "EOF\n"},
		{"nested/1MB", strings.Repeat("( ", mega/4) + "ls" + strings.Repeat(" )", mega/4)},
		{"substitutions/1MB", strings.Repeat("echo $(", mega/8) + "ls" + strings.Repeat(")", mega/8)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				Read(bench.text, Start{})
			}
		})
	}
}

func BenchmarkRuns(b *testing.B) {
	commands := Read("rm "+strings.Repeat("a ", 1<<19)+"-rf", Start{})
	for _, glob := range []string{"git push -f *", "rm -rf *", "rm -rf /"} {
		pattern := NewPattern(glob)
		b.Run(glob, func(b *testing.B) {
			for b.Loop() {
				commands[0].Runs(pattern)
			}
		})
	}
}
