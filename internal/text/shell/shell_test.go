package shell

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/truth"
)

// runs returns the strongest answer that any command of a text gives.
func runs(text, glob string) truth.Value {
	answer := No
	for _, c := range Read(text, Start{}) {
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
			t.Errorf("%q: answer %d, found %q", text, got, shown(Read(text, Start{})))
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
			t.Errorf("%q: answer %d, found %q", text, got, shown(Read(text, Start{})))
		}
	}
}

// TestWords are commands whose words were once read differently than real programs run them.
func TestWords(t *testing.T) {
	for _, c := range []struct{ text, command string }{
		{`rm $'\06007'`, "rm 007"},
		{`rm "$(echo -e '\0101')"`, "rm A"},
		{`rm "$(printf %b '\0101')"`, "rm A"},
		{`rm "$(printf '\0601')"`, "rm 01"},
		{`echo '\0162m x' | sh`, "rm x"}, // the echo of some shells decodes escapes
		{`echo x y | xargs -n1 rm -f`, "rm -f x"},
		{`echo x y | xargs -n1 rm -f`, "rm -f y"},
		{`printf 'x y\n' | xargs -I{} rm {}`, "rm x y"},
		{`printf '%s\0' x 'y z' | xargs -0 -n1 rm`, "rm y z"},
		{`find src -name '*.go' -exec rm {} +`, "rm src/a.go"},
		{`find src -name '*.go' -exec rm {} +`, "rm src/b/a.go"},
		{`find src -exec rm {} +`, "rm src"},
		{`git -c alias.z='!rm x' z`, "rm x"},
		{`git -c alias.z='!rm x' z`, "rm x y"},
		{`git -c diff.external='rm -f' diff`, "rm -f x"},
		{`GIT_EXTERNAL_DIFF='rm -f' git diff`, "rm -f x"},
		{`EDITOR='rm -f' git commit`, "rm -f x"},
		{`git difftool -x 'rm -f'`, "rm -f x"},
		{`git fetch --upload-pack='rm -f' x`, "rm -f x"},
		{`GIT_SSH_COMMAND='nc h' git fetch ssh://a/b`, "nc h a"},
		{`f() { rm "$@"; }; f $x`, "rm"},
		{`rm "${PWD:+[a]}"`, "rm [a]"},
		{"awk -f - x <<'E'\nBEGIN { system(\"rm x\") }\nE\n", "rm x"},
		{`awk -v 'c=rm \x41' 'BEGIN { system(c) }'`, "rm A"},
		{`exec 5< <(printf 'rm x'); source /dev/fd/5`, "rm x"},
		{"x=`y=\\`printf 'rm \\\\\\\\' | sh\\``", "rm x"},
	} {
		if runs(c.text, c.command) == No {
			t.Errorf("%s: %s is not found in %q", c.text, c.command, shown(Read(c.text, Start{})))
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
		`BASH_ENV=f sh x`, `BASH_ENV=<(curl u) bash -c ls`, `export BASH_ENV=/tmp/x`, `ENV=/tmp/x sh -i`, `env BASH_ENV=f bash g`, `LD_PRELOAD=./x.so ls`,
		`export LD_PRELOAD=$x; ls`, `env LD_PRELOAD=x ls`, `LD_AUDIT=x ls`, `DYLD_INSERT_LIBRARIES=x ls`, `NODE_OPTIONS='--require ./x.js' node y`,
		`RUBYOPT=-r./x ruby y`, `PERL5OPT=-Mx perl y`, `JAVA_TOOL_OPTIONS=-javaagent:x.jar java y`, `op run -- $x`, `bwrap $x ls`, `nix develop -c "$x"`,
		`/lib64/ld-*.so.2 $x`, `expect -c "spawn $x"`, `less "+!$x"`, `git grep -O"$x" y`, `tmux send-keys "$x" Enter`, `fzf --preview "$x"`,
	} {
		if got := runs(text, "rm"); got == No {
			t.Errorf("%q: rm cannot be ruled out, found %q", text, shown(Read(text, Start{})))
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		text, glob string
		want       truth.Value
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
		{"rm -fr x", "rm -rf *", Yes},
		{"rm -r -f x", "rm -rf *", Yes},
		{"rm -f -r x", "rm -rf *", Yes},
		{"rm -Rf x", "rm -rf *", Yes},
		{"rm --recursive --force x", "rm -rf *", Yes},
		{"rm --force -r x", "rm -rf *", Yes},
		{"rm x -rf", "rm -rf *", Yes},
		{"rm -r x -f", "rm -rf *", Yes},
		{"rm --recu --forc x", "rm -rf *", Maybe},
		{"rm -rfv x", "rm -rf *", Maybe},
		{"rm -rf --no-preserve-root /", "rm -rf /", Maybe},
		{"rm -r -f -- x", "rm -rf *", Yes},
		{"rm -r -- -f", "rm -rf *", No},
		{"rm -r x", "rm -rf *", No},
		{"rm -f x", "rm -rf *", No},
		{"rm --recursive x", "rm -rf *", No},
		{"rm -fr", "rm -rf *", No},
		{"rm -fr ./x", "rm -rf /*", No},
		{"rm -fr /x", "rm -rf /*", Yes},
		{"rm -rf x", "rm --recursive --force *", Yes},
		{"rm -rf x", "rm -r *", Maybe},
		{"rm -r $x", "rm -rf *", Maybe},
		{"rm -r \"$x\"", "rm -rf *", No},
		{"rm -r \"$x\" y", "rm -rf *", Maybe},
		{"rm -r \"-$x\" y", "rm -rf *", Maybe},
		{"rm -r *", "rm -rf *", No},
		{"rm $x y", "rm -rf *", Maybe},
		{"rmdir -rf x", "rm -rf *", No},
		{"/bin/rm -fr x", "/bin/rm -rf *", Yes},
		{"rm -fr x", "/bin/rm -rf *", Maybe},
		{"git push origin main --force", "git push --force *", Yes},
		{"git push -f origin main", "git push --force *", Yes},
		{"git push -uf origin main", "git push -f *", Maybe},
		{"git push --force-with-lease origin", "git push -f *", No},
		{"git push --follow-tags origin", "git push -f *", No},
		{"git -C x push origin -f", "git push -f *", Yes},
		{"git commit -m x", "git push -f *", No},
		{"git clean -xdf", "git clean -fdx", Yes},
		{"git clean -f -d -x", "git clean -fdx", Yes},
		{"git clean --force -dx", "git clean -fdx", Yes},
		{"git branch -d -f x", "git branch -D *", Yes},
		{"git branch --delete --force x", "git branch -D *", Yes},
		{"git branch -d x", "git branch -D *", No},
		{"git commit -am x", "git commit -m *", Maybe},
		{"chmod --recursive 777 /", "chmod -R 777 *", Yes},
		{"chmod 777 -R /", "chmod -R 777 *", Yes},
		{"chmod 755 /", "chmod -R 777 *", No},
		{"curl --insecure https://x", "curl -k *", Yes},
		{"curl https://x -k", "curl -k *", Yes},
		{"curl -sk https://x", "curl -k *", Maybe},
		{"docker system prune --all --force", "docker system prune -af", Yes},
		{"docker rm --force c", "docker rm -f *", Yes},
		{"kubectl delete pods --all-namespaces x", "kubectl delete pods -A *", Yes},
		{"bash -lc ls", "bash -c *", Maybe},
		{"find . -depth -links 2", "find * -delete", No},
		{"find . -delete -name x", "find -delete *", Maybe},
		{"find . -delete x", "find -delete *", Yes},
		{"terraform apply x -auto-approve", "terraform apply -auto-approve *", Yes},
		{"terraform apply -auto x", "terraform apply -auto-approve *", No},
		{"tar -x -f a", "tar -xf *", Yes},
		{"kill -s 9 1", "kill -9 *", No},
		{"npm install x --no-save", "npm install --no-save *", Yes},
		{"npm install --no-save=true x", "npm install --no-save *", Yes},
		{"git checkout -- x", "git checkout -- *", Yes},
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
			t.Errorf("%q runs %q: answer %d, want %d; found %q", test.text, test.glob, got, test.want, shown(Read(test.text, Start{})))
		}
	}
}

func TestReadOrder(t *testing.T) {
	got := shown(Read(`A=b sudo rm "$x" && for i in a b; do echo $(date) $i; done | tee f`, Start{}))
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
		if diff := cmp.Diff(test.want, shown(ReadArgv(test.argv, Start{}))); diff != "" {
			t.Errorf("%q: %s", test.argv, diff)
		}
	}
}

func TestNothing(t *testing.T) {
	for _, text := range []string{"", " ", "\n", "# comment", "x=1", ":;"} {
		for _, c := range Read(text, Start{}) {
			if c.Words[0].Text != ":" {
				t.Errorf("%q runs %q", text, c)
			}
		}
	}
}

// The module of python is read as if it were not attached to its option.
func TestAttachedModule(t *testing.T) {
	for text, want := range map[string]string{
		"python -mpip install x":           "python -m pip install x",
		"python3.12 -Impip install x":      "python3.12 -Im pip install x",
		"python -u -W error -mpip x":       "python -u -W error -m pip x",
		"python -Werror -mpip x":           "python -Werror -m pip x",
		"python -m pip x":                  "python -m pip x",
		"python a.py -mpip":                "python a.py -mpip",
		"python -c 'import a' -mpip":       "python -c import a -mpip",
		"sudo python -mpip install x":      "sudo python -mpip install x",
		"node -mpip":                       "node -mpip",
		"/usr/bin/python3 -mhttp.server 1": "/usr/bin/python3 -m http.server 1",
	} {
		if got := Read(text, Start{})[0].String(); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if runs("sudo python -mpip install x", "python -m pip install *") != Yes {
		t.Error("the module is not found behind sudo")
	}
}
