package shell

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

func TestOneWord(t *testing.T) {
	for _, tt := range []struct {
		pattern, command string
		want             truth.Value
	}{
		{"git push origin <word>", "git push origin bot/x", Yes},
		{"git push origin <word>", "git  push origin 'bot/x'", Yes},
		{"git push origin <word>", "git push origin bot/x main", No},
		{"git push origin <word>", "git push origin 'bot/x main'", No},
		{"git push origin <word>", "git push origin", No},
		{"git push origin <word>", "git push origin ''", No},
		{"git push origin <word>", "git push origin bot/x:main", No},
		{"git push origin <word>", "git push origin +main", No},
		{"git push origin <word>", "git push origin --mirror", No},
		{"git push origin <word>", "git push --force origin bot/x", No},
		{"git push origin <word>", `git push origin "$B"`, Maybe},
		{"git push origin <word>", "git push origin $B", Maybe},
		{"git push origin <word>", "git push origin bot/$B", Maybe},
		{"git push origin <word>", "git push origin x:$B", No},
		{"git push origin bot/<word>", "git push origin bot/x-1", Yes},
		{"git push origin bot/<word>", "git push origin bot/", No},
		{"git push origin bot/<word>", "git push origin other", No},
		{"git push -u origin <word>", "git push origin x --set-upstream", Yes},
		{"git push -u origin <word>", "git push origin x y -u", No},
		{"npm run test:<word>", "npm run test:unit", Yes},
		{"npm run test:<word>", "npm run test:unit -- --watch", No},
		{"npm run <word> *", "npm run a b c", Yes},
		{"<word> --version", "node --version", Yes},
		{"<word> --version", "node x --version", No},
		{"./<word>.sh *", "./run.sh now", Yes},
		{"mv <word> <word>", "mv a b", Yes},
		{"mv <word> <word>", "mv a b c", No},
		{"mv <word> <word>", "mv übel größe", Yes},
		{"mv <word> <word>", "mv *.go x", Maybe},
		{"cat src/<word>", "cat src/a/b.go", Yes},
		{"cat src/<word>", "cat src/a..b", Yes},
		{"cat src/<word>", "cat src/..a/...", Yes},
		{"cat src/<word>", "cat src/../../etc/passwd", No},
		{"cat src/<word>", "cat src/a/../../../etc/passwd", No},
		{"cat src/<word>", "cat src/..", No},
		{"cat src/<word>", `cat 'src/..\x'`, No},
		{"cat .<word>", "cat ../x", No},
		{"cat <word>", "cat ..", No},
		{"cat ../docs/<word>", "cat ../docs/x", Yes},
		{"cat ../docs/<word>", "cat ../docs/../x", No},
		{"cat src/<word>", "cat src/$X", Maybe},
		{"git push origin bot/<word>", "git push origin bot/../main", No},
		{"git push origin bot/<word>", "git push origin $'bot/x\\ny'", No},
		{"git push origin bot/<word>", "git push origin $'bot/x\\ty'", No},
		{"git push origin bot/<word>", "git push origin $'bot/x\\x7f'", No},
	} {
		set := NewPatternSet([]string{tt.pattern})
		if got := Read(tt.command, Start{})[0].RunsAny(set); got != tt.want {
			t.Errorf("%q, %q: got %d, want %d", tt.pattern, tt.command, got, tt.want)
		}
	}
}

// What <word> matches, * matches too.
func TestOneWordIsNarrow(t *testing.T) {
	eachPair(func(p Pattern, c Command) {
		narrow := NewPattern(strings.ReplaceAll(p.glob, "*", OneWord))
		if !strings.Contains(p.glob, "*") {
			return
		}
		if n, w := c.Runs(narrow), c.Runs(p); n > w {
			t.Fatalf("%q runs %q: %d, with <word> %d", c, p.glob, w, n)
		}
	})
}

func TestPlaceholder(t *testing.T) {
	for glob, want := range map[string]string{"git push <word>": "", "git push <branch>": "<branch>", "x <> y": "<>", "cat < x": "", "<word> <Word>": "<Word>"} {
		if got := Placeholder(glob); got != want {
			t.Errorf("%q: %q", glob, got)
		}
	}
}
