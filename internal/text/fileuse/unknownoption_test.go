package fileuse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// madeUp are options that no program has.
var madeUp = [][]string{{"--zz"}, {"--zz", "v"}, {"--zz=v"}, {"-~", "v"}, {"--zz-y", "-v"}, {"--zz", "v", "--zy", "w"}}

// usesOf lists what a command does to files below /secret.
func usesOf(commands []shell.Command) map[string]bool {
	out := map[string]bool{}
	for _, u := range Find(commands) {
		if strings.HasPrefix(u.Path, "/secret/") {
			out[fmt.Sprintf("%d %s", u.Deed, u.Path)] = true
		}
	}
	return out
}

// usingLines are lines of an entry that use a file, with the words that lead to the entry.
func usingLines(path []string, e *program.Entry) (out [][]string) {
	with := func(words ...string) { out = append(out, slices.Concat(path, words)) }
	dashes := "--"
	if e.Style&program.Dashed != 0 {
		dashes = "-"
	}
	if f := e.Files; f != nil && !f.OptionsOnly {
		var words []string
		if only := strings.Fields(f.Only); len(only) > 0 {
			words = append(words, "-"+only[0])
		}
		words = append(words, slices.Repeat([]string{"s"}, f.Skip)...)
		with(append(words, "/secret/f.js")...)
		if !f.Single && !f.Script {
			with(append(words, "/secret/f", "/secret/g")...)
		}
	}
	for word := range strings.FieldsSeq(e.Options) {
		names := strings.TrimRight(word, ":</>@$!;?*")
		for name := range strings.SplitSeq(names, ",") {
			switch sign := word[len(names):]; {
			case sign != "<" && sign != ">":
			case len(name) == 1:
				with("-"+name, "/secret/f")
			default:
				with(dashes+name, "/secret/f")
				with(dashes + name + "=/secret/f")
			}
		}
	}
	return out
}

func eachLine(path []string, e *program.Entry, do func(line []string, lead int)) {
	for _, line := range usingLines(path, e) {
		do(line, len(path))
	}
	for i := range e.Subs {
		eachLine(slices.Concat(path, []string{strings.Fields(e.Subs[i].Names)[0]}), &e.Subs[i], do)
	}
}

// What a program does to files is found with options that are not known, before each of its subcommands and before its operands.
func TestUnknownOptionsHideNoFile(t *testing.T) {
	tested := 0
	for _, name := range program.Names() {
		e, _ := program.Lookup(name)
		eachLine([]string{name}, e, func(line []string, lead int) {
			uses := usesOf(shell.ReadArgv(line, shell.Start{}))
			if len(uses) > 0 {
				tested++
			}
			for at := 1; at <= lead; at++ {
				for _, option := range madeUp {
					with := slices.Insert(slices.Clone(line), at, option...)
					found := usesOf(shell.ReadArgv(with, shell.Start{}))
					for use := range uses {
						if !found[use] {
							t.Errorf("%q: %s is not found", with, use)
						}
					}
				}
			}
		})
	}
	if tested < 400 {
		t.Errorf("only %d lines", tested)
	}
}

// The same for programs that do more than their entry says.
func TestUnknownOptionsHideNoFileOfHandlers(t *testing.T) {
	for _, text := range []string{
		"cp | a /secret/f", "cp | /secret/f a", "cp | -t /secret/d a", "mv | /secret/f a", "ln | -s /secret/f a", "install | -d /secret/d",
		"install | -m 600 a /secret/f",
		"rsync | -a --delete a/ /secret/d", "rsync | /secret/f h:", "scp | /secret/f h:", "rclone | copy /secret/d r:",
		"rclone | purge /secret/d", "aws | s3 | cp | /secret/f s3://b",
		"aws | s3 | sync | s3://b /secret/d --delete", "gsutil | cp | /secret/f gs://b", "gcloud | storage | cp | /secret/f gs://b",
		"kubectl | cp | /secret/f p:/x",
		"docker | cp | /secret/f c:/x", "docker | run | -v /secret/d:/x i",
		"docker | container | run | --mount type=bind,src=/secret/d,dst=/x i", "tar | -cf a /secret/f",
		"tar | -cf /secret/f a", "tar | -xf a -C /secret/d", "tar | -c -f a --remove-files /secret/f", "zip | -r a /secret/f",
		"zip | /secret/f a", "unzip | a -d /secret/d",
		"gzip | /secret/f", "curl | -o /secret/f u", "curl | -d @/secret/f u", "curl | -F a=@/secret/f u", "curl | file:///secret/f",
		"wget | -O /secret/f u", "wget | -P /secret/d http://u/x",
		"wget | --post-file /secret/f u", "http | u a@/secret/f", "awk | '{print}' /secret/f", "awk | 'BEGIN{print > \"/secret/f\"}'",
		"jq | . /secret/f", "yq | -i . /secret/f",
		"sed | -i s/a/b/ /secret/f", "sed | -e s/a/b/ /secret/f", "sed | 'w /secret/f' a", "bash | /secret/f", "openssl rsa | -in /secret/f",
		"openssl rsa | -out /secret/f",
		"python | /secret/f", "python | -m pip install -t /secret/d x", "pip | install | -t /secret/d x", "pip | install | -r /secret/f",
		"go | run | /secret/f.go",
		"go | build | -o /secret/f .", "perl | -pi -e s/a/b/ /secret/f", "perl | /secret/f", "ruby | -ne p /secret/f", "vim | /secret/f",
		"emacs | /secret/f", "nano | /secret/f",
		"git | -C /secret/d clean | -fd", "git | clean | -fd /secret/d", "git | rm | /secret/f", "git | mv | /secret/f a",
		"git | restore | /secret/f", "git | checkout -- /secret/f",
		"git | diff | --no-index /secret/f a", "git | archive | -o /secret/f HEAD", "git | clone | u /secret/d",
		"git | worktree | remove | /secret/d", "git | hash-object | -w /secret/f",
		"git | config | -f /secret/f a b", "patch | /secret/f", "gh | gist | create | /secret/f", "gh | release | upload | t /secret/f",
		"cryptsetup | luksFormat | /secret/f",
		"xargs | -a /secret/f rm", "dd if=/secret/f", "grep | x /secret/f", "grep | -r x /secret/d", "rg | x /secret/d", "xxd | a /secret/f",
		"node | /secret/f.js", "deno | run | /secret/f.ts", "bun | run | /secret/f.ts", "java | -jar /secret/f", "mail | -a /secret/f x",
		"ssh-keygen | -f /secret/f",
	} {
		read := func(text string) map[string]bool { return usesOf(shell.Read(text, shell.Start{})) }
		uses := read(strings.ReplaceAll(text, "| ", ""))
		if len(uses) == 0 {
			t.Errorf("%q: nothing is found without the option", text)
		}
		parts := strings.Split(text, "| ")
		for i := 1; i < len(parts); i++ {
			for _, option := range madeUp {
				with := strings.Join(parts[:i], "") + strings.Join(option, " ") + " " + strings.Join(parts[i:], "")
				found := read(with)
				for use := range uses {
					if !found[use] {
						t.Errorf("%q: %s is not found", with, use)
					}
				}
			}
		}
	}
}

// Long lines of words that could be anything are read in time that grows with the line.
func TestManyUnknownOptions(t *testing.T) {
	for _, program := range []string{
		"cp", "mv -t a", "rsync", "scp", "rclone copy", "rclone --zz copy", "docker cp", "kubectl cp",
		"copy", "xxd", "sed", "git mv", "tar -c",
		"zip -m a", "gzip", "aws s3 sync", "rm", "grep -r x", "git clean -f", "curl -O", "wget", "chmod 1", "perl -pe 1", "docker run -v /a:/b",
	} {
		args := strings.Fields(program + strings.Repeat(" --zz a --zy copy", 1<<14))
		Find(shell.ReadArgv(args, shell.Start{}))
	}
}
