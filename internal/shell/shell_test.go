package shell

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// runs returns the strongest answer that any command of a text gives.
func runs(text, glob string) Answer {
	answer := No
	for _, c := range Read(text) {
		answer = max(answer, c.Runs(NewPattern(glob)))
	}
	return answer
}

// shown returns the commands of a text as people read them.
func shown(commands []Command) []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.String())
	}
	return out
}

// lines reads a table of texts.
func lines(t testing.TB, file string) []string {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i > 0 {
			out = append(out, strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(line))
		}
	}
	return out
}

func TestEvasions(t *testing.T) {
	texts := lines(t, "testdata/evasions.txt")
	if len(texts) < 150 {
		t.Errorf("only %d evasions", len(texts))
	}
	for _, text := range texts {
		if got := runs(text, "rm"); got != Yes {
			t.Errorf("%q: answer %d, found %q", text, got, shown(Read(text)))
		}
	}
}

func TestLookalikes(t *testing.T) {
	texts := lines(t, "testdata/lookalikes.txt")
	if len(texts) < 100 {
		t.Errorf("only %d look-alikes", len(texts))
	}
	for _, text := range texts {
		if got := runs(text, "rm"); got != No {
			t.Errorf("%q: answer %d, found %q", text, got, shown(Read(text)))
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, text := range []string{
		`$x`, `"$x" y`, `$x rm`, `$(curl u)`, "`curl u`", `eval "$x"`, `eval $(curl u)`, `bash -c "$x"`, `sh -c "ls $x"`, `curl u | sh`,
		`curl u | sudo bash`, `curl u | bash -s -- a`, `curl u | { bash; }`, `curl u | tee f | sh`, `bash <(curl u)`, `source <(curl u)`,
		`. <(curl u)`, `sh < f`, `bash <<< "$x"`, "bash <<EOF\n$x\nEOF", `/bin/r? x`, `/bin/r[m] x`, `r* x`, `/bin/b?sh -c 'rm x'`,
		`"${x}rm" y`, `if`, `ls )`, `"unclosed`, `ls | xargs sudo`, `ls | xargs sh -c`, `ls | parallel`, `sudo $x rm`, `sudo "$x"`,
		`curl u | python3`, `curl u | python3 -`, `curl u | ssh host`, `curl u | make -f -`, `ssh host "$x"`, `find . -exec $x \;`, `f() { $1; }`,
		"$x\nrm", `echo $x | sh`, `x=$(curl u); $x`, `read x; $x`, `for c in $x; do $c; done`, `for c in *; do ./$c; done`,
		`r() { $1 "$@"; r "$@"; }; r a`, "a\x00b", `powershell -enc !!`, `iex (iwr u)`, `sed 's/a/b/e' f`, `curl u > a.sh; sh a.sh`,
		`curl u > a.sh; ./a.sh`, `${!x} y`, `"${a[@]}"`, `base64 -d f | sh`, `xxd -r f | sh`, `cmd /c %x%`, `a=$((1)); $a`,
	} {
		if got := runs(text, "rm"); got == No {
			t.Errorf("%q: rm cannot be ruled out, found %q", text, shown(Read(text)))
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		text, glob string
		want       Answer
	}{
		{"rm -rf /", "rm", Yes},
		{"rm -rf /", "r*", Yes},
		{"rm -rf /", "%m", Yes},
		{"rm -rf /", "rm -rf /*", Yes},
		{"rm -rf /etc", "rm -rf /*", Yes},
		{"rm   -rf    /etc", "rm  -rf /*", Yes},
		{"rm -rf ./x", "rm -rf /*", No},
		{"rm -rf /*", "rm -rf /*", Yes},
		{"rm -rf $x", "rm -rf /*", Maybe},
		{"rm -rf \"$x\"", "rm -rf /*", Maybe},
		{"rm -rf $HOME", "rm -rf *", Maybe},
		{"rm -rf \"$HOME\"", "rm -rf *", Yes},
		{"rm $x", "rm -rf /*", Maybe},
		{"rm \"$x\"", "rm -rf /*", No},
		{"rm \"$x\"", "rm -rf*", Maybe},
		{"rm *.o", "rm -rf*", No},
		{"rm $x", "rmdir *", No},
		{"rm $x /", "rm /", Maybe},
		{"git push", "git push*", Yes},
		{"git push origin main", "git push*", Yes},
		{"git -C /x push", "git push*", Yes},
		{"git --no-pager -c a=b push -f", "git push -f*", Yes},
		{"git pull", "git push*", No},
		{"git $x", "git push*", Maybe},
		{"git \"$x\"", "git push*", Maybe},
		{"git commit -m \"$x\"", "git push*", No},
		{"GIT push", "git push", Yes},
		{"git PUSH", "git push", No},
		{"kubectl -n prod delete pod x", "kubectl delete*", Yes},
		{"terraform -chdir=x destroy", "terraform destroy*", Yes},
		{"aws --profile p s3 rm s3://x", "aws s3 rm *", Yes},
		{"docker --context c system prune", "docker system prune*", Yes},
		{"find . -delete", "find -delete", Yes},
		{"find . -name x -delete", "find * -delete*", Yes},
		{"/opt/x/run a", "/opt/x/run", Yes},
		{"/opt/./x//run a", "/opt/x/run", Yes},
		{"/opt/y/run a", "/opt/x/run", No},
		{"run a", "/opt/x/run", Maybe},
		{"run a", "/opt/x/run a", Maybe},
		{"/opt/x/run a", "/opt/x/run a", Yes},
		{"/opt/x/run a", "run", Yes},
		{"/bin/r? x", "rm", Maybe},
		{"/bin/r? x", "rmdir", No},
		{"/???/rm x", "rm", Yes},
		{"cat /etc/pass*", "cat /etc/passwd", Maybe},
		{"cat /etc/pa??wd", "cat /etc/passwd", Maybe},
		{"cat /etc/h?sts", "cat /etc/passwd", No},
		{"psql -c \"$q\"", "psql * DROP TABLE*", Maybe},
		{"curl u | sh", "sh", Yes},
		{"curl u | sh", "anything at all", Maybe},
		{"ls", "*", Yes},
		{"ls", "", No},
		{"ls", " ", No},
		{"$x", "ls -l", Maybe},
		{"cmd.exe /c dir", "cmd", Yes},
		{`'C:\Windows\cmd.exe' /c dir`, "cmd", Yes},
	} {
		if got := runs(test.text, test.glob); got != test.want {
			t.Errorf("%q runs %q: answer %d, want %d; found %q", test.text, test.glob, got, test.want, shown(Read(test.text)))
		}
	}
}

func TestReadOrder(t *testing.T) {
	got := shown(Read(`A=b sudo rm "$x" && for i in a b; do echo $(date) $i; done | tee f`))
	want := []string{"sudo rm …", "rm …", "date", "echo … a", "echo … b", "tee f"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadArgv(t *testing.T) {
	for _, test := range []struct {
		argv []string
		want []string
	}{
		{nil, nil},
		{[]string{"ls", "-l"}, []string{"ls -l"}},
		{[]string{"bash", "-lc", "rm x"}, []string{"bash -lc rm x", "rm x"}},
		{[]string{"echo", "$(rm x); rm y"}, []string{"echo $(rm x); rm y"}},
		{[]string{"sudo", "env", "A=b", "rm"}, []string{"sudo env A=b rm", "env A=b rm", "rm"}},
		{[]string{"", "rm"}, []string{" rm"}},
		{[]string{"a\xff"}, []string{"a\uFFFD"}},
	} {
		if diff := cmp.Diff(test.want, shown(ReadArgv(test.argv))); diff != "" {
			t.Errorf("%q: %s", test.argv, diff)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", " ", "\n", "# comment", "x=1", ":;"} {
		for _, c := range Read(text) {
			if c.Words[0].Text != ":" {
				t.Errorf("%q runs %q", text, c)
			}
		}
	}
}
