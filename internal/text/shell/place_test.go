package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spelled writes a word with a sign for each piece that is not literal.
func spelled(w Word) string {
	signs := map[PieceKind]string{
		Unknown: "…", Unset: "∅", Home: "<home>", Here: "<here>", AnyRun: "*", AnyChar: "?", Below: "**",
	}
	var out strings.Builder
	for _, piece := range w.Pieces() {
		if piece.Kind == Literal {
			out.WriteString(piece.Text)
		} else {
			out.WriteString(signs[piece.Kind])
		}
	}
	return out.String()
}

// placed returns the last command of a text, with where it runs and its redirections.
func placed(text string) string {
	commands := Read(text, Start{})
	if len(commands) == 0 {
		return ""
	}
	c := commands[len(commands)-1]
	var words, folders []string
	for _, word := range c.Words {
		words = append(words, spelled(word))
	}
	for _, folder := range c.Folders {
		folders = append(folders, spelled(folder))
	}
	out := strings.Join(words, " ") + " @ " + strings.Join(folders, " | ")
	for _, redirect := range c.Redirects {
		if redirect.Reads {
			out += " <" + spelled(redirect.File)
		}
		if redirect.Writes {
			out += " >" + spelled(redirect.File)
		}
	}
	if c.Contained {
		out += " contained"
	}
	return out
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"ls", "ls @ <here>"},
		{"cd /x && ls", "ls @ /x"},
		{"cd /x; cd y; ls", "ls @ /x/y"},
		{"cd /x; cd ..; ls", "ls @ /"},
		{"cd x; cd ..; ls", "ls @ <here>"},
		{"cd ..; ls", "ls @ <here>/.."},
		{"cd; ls", "ls @ <home>"},
		{"cd ~/x; ls", "ls @ ~/x"},
		{`cd "$HOME/x"; ls`, "ls @ <home>/x"},
		{"cd $X; ls", "ls @ ∅<home>"},
		{`cd "$X"; ls`, "ls @ ∅"},
		{`cd "$(f)"; ls`, "ls @ …"},
		{"cd /a; cd /b; cd -; ls", "ls @ /a"},
		{"pushd /a; popd; ls", "ls @ <here>"},
		{"(cd /x); ls", "ls @ <here>"},
		{"(cd /x; ls)", "ls @ /x"},
		{"if a; then cd /x; fi; ls", "ls @ /x | <here>"},
		{"cd /x || cd /y; ls", "ls @ /x | /y"},
		{"X=1 cd /x; ls", "ls @ /x"},
		{"command cd /x; ls", "ls @ /x"},
		{"builtin cd /x; ls", "ls @ /x"},
		{"f() { cd /x; }; f; ls", "ls @ /x"},
		{"eval 'cd /x'; ls", "ls @ /x"},
		{"sh -c 'cd /x'; ls", "ls @ <here>"},
		{"cd /x; sh -c 'ls'", "ls @ /x"},
		{"env -C /x ls", "ls @ /x"},
		{"sudo -D /x ls", "ls @ /x"},
		{"cd /x; ls $PWD $OLDPWD", "ls /x <here> @ /x"},
		{"ls $(pwd)/a", "ls <here>/a @ <here>"},
		{"z x; ls", "ls @ …"},
		{"ssh host ls", "ls @ <home>"},
		{"docker run alpine ls", "ls @ <here> contained"},
		{"docker exec c sh -c ls", "ls @ <here> contained"},
		{"kubectl exec p -- ls", "ls @ <here> contained"},
		{"ls $HOME ${HOME:?} ${HOME%/} ~", "ls <home> <home> <home> ~ @ <here>"},
		{"ls $X ${X:?} ${X:-y}", "ls ∅ … … @ <here>"},
		{"X=; ls $X/a", "ls /a @ <here>"},
		{"ls *.go a? [ab]", "ls *.go a? ? @ <here>"},
		{"ls > a", "ls @ <here> >a"},
		{"ls >> a 2> b < c", "ls @ <here> >a >b <c"},
		{"ls &> a", "ls @ <here> >a"},
		{"ls >& a", "ls @ <here> >a"},
		{"ls 2>&1 >&- <&3", "ls @ <here>"},
		{"ls <> a", "ls @ <here> <a >a"},
		{"cat <<E\nx\nE", "cat @ <here>"},
		{"cat <<< x", "cat @ <here>"},
		{"> a", ": @ <here> >a"},
		{"x=1 > a", ": @ <here> >a"},
		{"{ ls; } > a", "ls @ <here> >a"},
		{"for i in 1; do ls; done > a", "ls @ <here> >a"},
		{"[[ -f x ]] > a", ": @ <here> >a"},
		{"find /x -name '*.o' -exec rm {} +", "rm /x/**/*.o @ <here>"},
		{"find /x /y -exec rm {} +", "rm /y/** @ <here>"},
		{"find ~ | xargs rm", "rm ~/** @ <here>"},
		{"ls | xargs rm", "rm * @ <here>"},
		{"rm $(dirname /a/b) $(realpath c)", "rm /a <here>/c @ <here>"},
		{`type C:\Users\x`, `type C:\Users\x @ <here>`},
		{`type $env:USERPROFILE\x`, `type <home>\x @ <here>`},
		{`if (Test-Path a) { Remove-Item $HOME\x }`, `Remove-Item <home>\x @ <here>`},
	} {
		if diff := cmp.Diff(tt.want, placed(tt.text)); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

// A path of folders does not grow with the number of changes.
func TestFoldersStayShort(t *testing.T) {
	for _, text := range []string{strings.Repeat("cd a; cd ..; ", 1000) + "ls", strings.Repeat("cd aaaaaaaa; ", 1000) + "ls", strings.Repeat("cd ..; ", 1000) + "ls"} {
		commands := Read(text, Start{})
		for _, c := range commands {
			for _, folder := range c.Folders {
				if len(folder.Text) > maxFolder {
					t.Fatalf("%d bytes", len(folder.Text))
				}
			}
		}
	}
}

// Text that a shell would read, but no grammar here accepts, is told apart from output that is not known.
func TestUnread(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"if (", true},
		{"ls; if (", true},
		{"sh -c 'if ('", true},
		{"bash <<'E'\nif (\nE", true},
		{"ls", false},
		{"$X", false},
		{`eval "$(f)"`, false},
		{"curl x | sh", false},
		{`python -c 'system("if (")'`, false},
		{"if (Test-Path a) { Remove-Item b }", false},
		{strings.Repeat("$(", 5000), true},
	} {
		got := slices.ContainsFunc(Read(tt.text, Start{}), func(c Command) bool { return c.Unread })
		if got != tt.want {
			t.Errorf("%.40q: unread is %v", tt.text, got)
		}
	}
}
