package fileuse

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

func TestNewPlacesProblems(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{"", `"" is not a pattern of files: it names nothing; write a path such as ~/.ssh/** or a name such as *.pem`},
		{"a\xff", `"a\xff" is not a pattern of files: it names nothing; write a path such as ~/.ssh/** or a name such as *.pem`},
		{"$HOME/x", `"$HOME/x" is not a pattern of files: variables are not read here; write ~ for the folder of a user`},
		{"%USERPROFILE%\\x", `"%USERPROFILE%\\x" is not a pattern of files: variables are not read here; write ~ for the folder of a user`},
		{"../x", `"../x" is not a pattern of files: dots lead nowhere here; write an absolute path, one that begins with ~ or ./, or the names it ends with`},
		{"/a/./b", `"/a/./b" is not a pattern of files: dots lead nowhere here; write an absolute path, one that begins with ~ or ./, or the names it ends with`},
		{"[a", `"[a" is not a pattern of files: a [ is not closed; write [[] for the sign itself`},
		{"*", `"*" is not a pattern of files: it names every file; write a name such as *.pem, or a path`},
		{"**/*", `"**/*" is not a pattern of files: it names every file; write a name such as *.pem, or a path`},
	} {
		_, err := NewPlaces([]string{"/etc", tt.pattern})
		if err == nil {
			t.Errorf("%q is taken", tt.pattern)
		} else if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Error(diff)
		}
	}
}

// Yes means that all of the use is in the place for certain, Maybe that some of it may be.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		row
		want truth.Value
	}{
		{row{"removes", "/etc", "rm -rf /etc"}, Yes},
		{row{"removes", "/etc/**", "rm -rf /etc/x/y"}, Yes},
		{row{"removes", "/etc", "rm -rf /e*"}, Maybe},
		{row{"removes", "/etc", "rm -rf /"}, Maybe},
		{row{"removes", "/etc", "rm -rf /etc/*"}, Maybe},
		{row{"removes", "/etc/**", "rm -rf /etc/*"}, Yes},
		{row{"removes", "/etc/*", "rm -rf /etc/*"}, Yes},
		{row{"removes", "/etc/x*", "rm -rf /etc/x*"}, Yes},
		{row{"removes", "/etc", "rm -rf /ETC"}, Maybe},
		{row{"removes", `C:\x`, `rd /s /q c:\X`}, Yes},
		{row{"removes", "~", "rm -rf ~"}, Yes},
		{row{"removes", "~", "rm -rf /home/ann"}, Yes},
		{row{"removes", "~", "rm -rf /home"}, Maybe},
		{row{"removes", "/home/ann", "rm -rf ~"}, Maybe},
		{row{"removes", "/home/ann", "rm -rf ~ann"}, Yes},
		{row{"removes", "/home/ann", "rm -rf ~bob"}, No},
		{row{"writes", "./**", "echo > x"}, Yes},
		{row{"writes", "./**", "cd a && echo > x"}, Yes},
		{row{"writes", "./**", "cd a/.. && echo > x"}, Yes},
		{row{"writes", "./**", "cd .. && echo > x"}, No},
		{row{"writes", "./**", `echo > "$X"`}, No},
		{row{"writes", "./**", `echo > out/"$X"`}, Yes},
		{row{"writes", "./**", "echo > $PWD/x"}, Yes},
		{row{"writes", "./out/**", "tar xf x.tar -C out"}, Yes},
		{row{"reads", ".env", "cat .env"}, Yes},
		{row{"reads", ".env", "cat .e*"}, Maybe},
		{row{"reads", "id_*", "cat id_$X"}, Yes},
		{row{"reads", "id_rsa", "cat id_$X"}, No},
		{row{"reads", "/", "if ("}, Maybe},
	} {
		if got := answer(t, tt.row); got != tt.want {
			t.Errorf("%s %s: answer %d for %q, want %d: %s", tt.deed, tt.pattern, got, tt.command, tt.want, describe(tt.command))
		}
	}
}

func TestIn(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          truth.Value
	}{
		{"~/.ssh/**", "~/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "/home/ann/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "/home/ann/src/../.ssh/id_rsa", Yes},
		{"~/.ssh/**", "$HOME/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "${HOME}/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "file:///home/ann/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "FILE://localhost/home/ann/%2essh/id_rsa", Yes},
		{"~/.ssh/**", `C:\Users\ann\.ssh\id_rsa`, Yes},
		{"~/.ssh/**", "file:///C:/Users/ann/.ssh/id_rsa", Yes},
		{"~/.ssh/**", `%USERPROFILE%\.ssh\id_rsa`, Yes},
		{"~/.ssh/**", `$env:USERPROFILE\.ssh\id_rsa`, Yes},
		{"~/.ssh/**", " ~/.ssh/id_rsa", Yes},
		{"~/.ssh/**", "/home/ann/.SSH/id_rsa", Maybe},
		{"~/.ssh/**", "/home/ann", No},
		{"~/.ssh/**", "/home/ann/.ssh", No},
		{"~/.ssh/**", "/", No},
		{"~/.ssh/**", ".ssh/id_rsa", No},
		{"~/.ssh/**", "$HOMEX/.ssh/id_rsa", No},
		{".ssh/id_*", ".ssh/id_rsa", Yes},
		{".ssh/id_*", "a/b/.ssh/id_rsa", Yes},
		{".ssh/id_*", "*", No},
		{"./**", "src/x", Yes},
		{"./**", "./src/../x", Yes},
		{"./**", "../x", No},
		{"./**", "src/../../x", No},
		{"./**", "/x", No},
		{"./**", "", No},
		{"./**", ".", No},
		{".", ".", Yes},
		{"/etc/*", "/etc/a*b", Yes},
	} {
		places, err := NewPlaces([]string{tt.pattern})
		if err != nil {
			t.Fatal(err)
		}
		if got := places.In(tt.path); got != tt.want {
			t.Errorf("%q in %q: answer %d, want %d", tt.path, tt.pattern, got, tt.want)
		}
	}
}

// More uses than are told apart count as text that could not be read.
func TestTooManyUses(t *testing.T) {
	uses := Find(shell.Read("cat"+strings.Repeat(" a", maxUses+1), shell.Start{}))
	places, err := NewPlaces([]string{"/etc"})
	if err != nil {
		t.Fatal(err)
	}
	for _, deed := range deedNames {
		found := No
		for _, a := range places.Touched(uses, deed) {
			found = max(found, a)
		}
		if found != Maybe {
			t.Errorf("deed %d: answer %d", deed, found)
		}
	}
	if len(uses) > maxUses+2 {
		t.Errorf("%d uses", len(uses))
	}
}

// Paths that are longer than systems take, and more names than are compared, could be any file.
func TestLongPaths(t *testing.T) {
	for _, command := range []string{
		"rm " + strings.Repeat("*/", maxPath), "rm a" + strings.Repeat("/b", maxPath), "rm" + strings.Repeat(" "+strings.Repeat("a/", 1000), maxNames/1000+1),
	} {
		if got := answer(t, row{"removes", "/etc", command}); got != Maybe {
			t.Errorf("answer %d for %.20q", got, command)
		}
	}
	places, err := NewPlaces([]string{"/etc"})
	if err != nil {
		t.Fatal(err)
	}
	if got := places.In("/srv" + strings.Repeat("/x", maxPath)); got != Maybe {
		t.Errorf("answer %d for a long path", got)
	}
}

// A pattern takes the names that path.Match takes.
func FuzzNames(f *testing.F) {
	f.Add("id_*[^b]", "id_rsa")
	f.Add("*.p?m", "x.pem")
	f.Add("[a-c]*[!x]", "abc")
	f.Add("*a*b*c*", "xaybzc")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 100 || len(name) > 100 || strings.ContainsAny(pattern+name, `\/-`) || !utf8.ValidString(pattern+name) || strings.Contains(pattern, "**") {
			t.Skip()
		}
		want, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
		e, problem := patternElement(pattern)
		if err != nil || problem != nil || strings.Contains(pattern, "[]") || strings.Contains(pattern, "[^]") || strings.Contains(pattern, "[!]") || strings.Contains(pattern, "[^^") {
			t.Skip() // path.Match and shells differ in what a set may hold
		}
		if got := (element{text: name}).covers(e, surely); got != want {
			t.Errorf("%q takes %q: %v, want %v", pattern, name, got, want)
		}
		if want && !(element{text: name}).covers(e, perhaps) {
			t.Errorf("%q surely takes %q, but not perhaps", pattern, name)
		}
	})
}
