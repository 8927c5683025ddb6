package shell

import "strings"

// letters are a set of options of one letter or digit.
type letters struct{ low, high uint64 }

const half = 64

func (l *letters) add(c byte) {
	if c < half {
		l.low |= 1 << c
	} else {
		l.high |= 1 << (c - half)
	}
}

func (l *letters) addAll(more letters) {
	l.low |= more.low
	l.high |= more.high
}

// without returns the letters that are not among others.
func (l letters) without(others letters) letters {
	return letters{l.low &^ others.low, l.high &^ others.high}
}

func (l letters) empty() bool { return l.low|l.high == 0 }

func isOptionLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// optionNames maps the options of a program to letters: its long names, and letters that mean another letter or several.
type optionNames map[string]letters

// newOptionNames parses a list such as "recursive=r R=r D=df".
func newOptionNames(list string) optionNames {
	names := optionNames{}
	for entry := range strings.FieldsSeq(list) {
		name, meaning, _ := strings.Cut(entry, "=")
		var set letters
		for i := range len(meaning) {
			set.add(meaning[i])
		}
		names[name] = set
	}
	return names
}

// letter returns what a letter means, which is mostly itself.
func (names optionNames) letter(c byte) letters {
	if set, ok := names[string([]byte{c})]; ok {
		return set
	}
	var set letters
	set.add(c)
	return set
}

// long returns what a long name means. Programs accept shortened names.
func (names optionNames) long(name string) (set letters, exact, ok bool) {
	if set, ok := names[name]; ok && len(name) > 1 {
		return set, true, true
	}
	for full, meaning := range names {
		if len(full) > 1 && strings.HasPrefix(full, name) {
			set.addAll(meaning)
			ok = true
		}
	}
	return set, false, ok
}

// knownOptions are the options of programs, or of a program's subcommand, that have more than one spelling.
var knownOptions = func() map[string]optionNames {
	known := map[string]optionNames{}
	for programs, list := range map[string]string{
		"rm":                  "recursive=r R=r force=f interactive=i dir=d verbose=v",
		"cp":                  "recursive=r R=r force=f archive=a interactive=i no-clobber=n link=l symbolic-link=s update=u verbose=v",
		"mv":                  "force=f interactive=i no-clobber=n update=u verbose=v",
		"ln":                  "symbolic=s force=f interactive=i no-dereference=n verbose=v",
		"mkdir, rmdir":        "parents=p verbose=v",
		"chmod, chown, chgrp": "recursive=R changes=c silent=f quiet=f no-dereference=h verbose=v",
		"shred":               "remove=u zero=z force=f iterations=n",
		"ls":                  "all=a almost-all=A recursive=R human-readable=h",
		"tee":                 "append=a",
		"grep, egrep, fgrep": "recursive=r dereference-recursive=R ignore-case=i invert-match=v line-number=n count=c " +
			"files-with-matches=l quiet=q silent=q extended-regexp=E fixed-strings=F perl-regexp=P word-regexp=w only-matching=o",
		"sed":   "in-place=i quiet=n silent=n regexp-extended=E r=E expression=e file=f",
		"tar":   "extract=x get=x create=c list=t append=r update=u gzip=z bzip2=j xz=J file=f verbose=v directory=C",
		"rsync": "archive=a recursive=r verbose=v compress=z dry-run=n update=u perms=p times=t",
		"gzip":  "decompress=d uncompress=d force=f keep=k recursive=r stdout=c",
		"curl": "insecure=k output=o remote-name=O location=L silent=s show-error=S fail=f upload-file=T data=d form=F " +
			"head=I request=X header=H user=u proxy=x",
		"wget":                    "output-document=O quiet=q recursive=r background=b continue=c",
		"docker, podman, nerdctl": "force=f all=a interactive=i tty=t detach=d volume=v publish=p env=e user=u",
		"docker rm":               "volumes=v link=l",
		"kubectl":                 "all-namespaces=A filename=f namespace=n output=o selector=l watch=w stdin=i tty=t",
		"helm":                    "namespace=n values=f",
		"git push":                "force=f delete=d dry-run=n set-upstream=u quiet=q verbose=v",
		"git clean":               "force=f dry-run=n interactive=i quiet=q exclude=e",
		"git commit":              "message=m all=a no-verify=n signoff=s file=F quiet=q",
		"git branch":              "delete=d force=f move=m copy=c D=df M=mf C=cf all=a remotes=r",
		"git tag":                 "delete=d force=f annotate=a message=m sign=s",
		"git checkout":            "force=f quiet=q",
		"git switch":              "force=f discard-changes=f create=c force-create=C",
		"git add":                 "all=A force=f update=u patch=p dry-run=n",
		"git rm":                  "force=f dry-run=n quiet=q",
		"git fetch, git pull":     "force=f prune=p quiet=q",
		"npm, pnpm":               "global=g force=f save-dev=D",
		"pip":                     "upgrade=U requirement=r editable=e yes=y",
		"apt, apt-get":            "yes=y assume-yes=y quiet=q",
		"systemctl":               "force=f quiet=q all=a",
		"userdel":                 "remove=r force=f",
		"passwd":                  "delete=d lock=l unlock=u",
		"umount":                  "force=f lazy=l all=a recursive=R",
		"iptables, ip6tables":     "flush=F delete=D append=A insert=I policy=P table=t",
		"psql":                    "command=c file=f dbname=d",
		"mysql":                   "execute=e",
		"bash, sh, zsh":           "login=l",
		"sudo":                    "user=u group=g non-interactive=n stdin=S shell=s login=i",
	} {
		for program := range strings.SplitSeq(programs, ", ") {
			known[program] = newOptionNames(list)
		}
	}
	return known
}()

// wordOptions are the programs whose options are whole words after one dash, such as find -delete.
var wordOptions = wordSet(`find gfind go java javac terraform tofu openssl ffmpeg ffplay ffprobe convert magick xterm gcc g++ cc c++
	clang clang++ ld tcc ghc
	mvn gradle erl x264 mplayer zip xmllint gs nmap rustc aapt adb qemu-system-x86_64 systemsetup diskutil hdiutil security dism`)
