package code

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// FuzzRead: no text breaks the reader, and what follows a text takes nothing from what it does.
func FuzzRead(f *testing.F) {
	for _, row := range need.Seeds(append(rows(f, "testdata/deeds.txt"), rows(f, "testdata/ordinary.txt")...)) {
		f.Add(row[0], row[2])
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		l := byName[name]
		if l == nil {
			l = Any
		}
		before := Read(text, l)
		if before.Cut || !closed(text, l) {
			return
		}
		after := Read(text+"\n;\n"+strings.Repeat("zz(1);\n", 3), l)
		got := map[string]bool{}
		for _, act := range after.Acts {
			got[show(act)] = true
		}
		for _, act := range before.Acts {
			if !got[show(act)] {
				t.Errorf("%q is not found in a longer text: %q", show(act), shown(after))
			}
		}
	})
}

// closed reports a text whose strings and groups have an end.
func closed(text string, l *Language) bool {
	closers := map[string]string{"(": ")", "[": "]", "{": "}"}
	var open []string
	tokens := lex(text+"\n;\nzzend", l)
	for _, t := range tokens {
		if t.kind != 'p' {
			continue
		}
		switch n := len(open); t.text {
		case "(", "[", "{":
			open = append(open, closers[t.text])
		case ")", "]", "}":
			if n == 0 || open[n-1] != t.text {
				return false
			}
			open = open[:n-1]
		}
	}
	n := len(tokens)
	if n > 2 && tokens[n-3].kind == 'p' && !slices.Contains([]string{")", "]", "}", ";"}, tokens[n-3].text) {
		return false // what follows is an operand
	}
	return len(open) == 0 && !strings.HasSuffix(text, `\`) && n > 1 && tokens[n-1].text == "zzend" && tokens[n-2].text == ";"
}

// hostile texts are long or deep.
func hostile(size int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	out := map[string]string{}
	for _, s := range []string{
		"(", "[", "{", "f(", "a.", "a.b(", "'", `"`, "`", `"""`, "f'{", "#{", "${", "$(", "qw(", "%w[", "[[", "[=[", "q(", "/", "/[", "<<A ",
		"if ", "x=", "x+=x;", "x=x+x;", "a,", "open(", "for x in ", "import ", "from x import ", "lambda ", "a=>", "|a|", "{a:", "\\", "\\x",
		"%s", "'%s' % ", "system('a');", "x='a';system(x);", "a['b']", "a ? b : ", "def f(a):", "f(a);", "eval('", "*/", "/*", "--[[", "x[::-1]",
		"map(chr,[", "exec(", "a b ", "print > ", "fork ", "while ", "os.path.join('a',", "f'{f(", "`${",
	} {
		out[s] = repeat(s)
	}
	out["closed"] = repeat("(") + repeat(")")
	out["doubling"] = "x='aaaaaaaa';" + repeat("x=x+x;") + "system(x)"
	out["many values"] = repeat("x='a'+x;") + "system(x)"
	out["functions"] = repeat("def f(a): f(a)\n")
	out["deep eval"] = strings.Repeat("exec(\"", 6) + repeat("x;")
	return out
}

// Twice the text takes about twice the steps, and every reading ends.
func TestStepsGrowWithTheText(t *testing.T) {
	const size = 1 << 10
	long := hostile(2 * size)
	for name, text := range hostile(size) {
		for _, language := range []string{"python", "node", "perl", "ruby", "lua", "awk"} {
			l := byName[language]
			once, twice := steps(text, l), steps(long[name], l)
			if twice > 3*once+1000 {
				t.Errorf("%s of %q: %d steps, and %d for twice the text", language, name, once, twice)
			}
		}
	}
}

func steps(text string, l *Language) int {
	e := newEvaluator(text, l)
	before := e.steps
	e.source(text)
	return before - e.steps
}

// A text over a bound is cut.
func TestBounds(t *testing.T) {
	var many strings.Builder
	for i := range maxActs + 1 {
		many.WriteString("os.remove('" + strconv.Itoa(i) + "');")
	}
	for name, text := range map[string]string{
		"a text": strings.Repeat(`"a" `, 1<<17) + ";system(x)",
		"a path": strings.Repeat("Path('a')/", 1<<16),
		"acts":   many.String(),
		"steps":  "x='" + strings.Repeat("a", 1<<15) + "';" + strings.Repeat("y=x+'a';", 1<<12),
	} {
		if r := Read(text, Python); !r.Cut || len(r.Acts) > maxActs {
			t.Errorf("%s: %d acts, cut %v", name, len(r.Acts), r.Cut)
		}
	}
}
