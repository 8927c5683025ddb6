package fileuse

import (
	"regexp"
	"strings"
)

// These match the files that statements and commands of clients read and write on the machine of the database or of the client.
var (
	statementReads = regexp.MustCompile(`(?i)(?:\bfrom|\binfile|\bbulk|\b(?:pg_read_file|pg_read_binary_file|load_file|lo_import|readfile|` +
		`file|sniff_csv|read_\w+|\w+_scan)\s*\(\s*)\s*(?:'([^']+)'|"([^"]+)")|` +
		`\\copy\s[^\n]*?\sfrom\s+([^\s']+)|\\(?:i|ir|include)\s+'?([^\s']+)|` +
		`(?m)^\s*(?:\.(?:import|read)|source|\\\.)\s+(?:-\S+\s+)*['"]?([^\s'"]+)`)
	statementWrites = regexp.MustCompile(`(?i)(?:\bto|\boutfile|\bdumpfile|\b(?:writefile|lo_export|pg_file_write)\s*\([^')]*)\s*'([^']+)'|` +
		`\\copy\s[^\n]*?\sto\s+([^\s']+)|\\(?:o|g|out)\s+'?([^\s']+)|` +
		`(?m)^\s*\.(?:output|once|backup|save|clone|log)\s+(?:-\S+\s+|main\s+)*['"]?([^\s'"]+)`)
)

// maxStatement bounds the text of statements in which files are looked for, and maxNamed their number.
const (
	maxStatement = 1 << 16
	maxNamed     = 32
)

// FindStatement returns the files that a statement for a database uses.
func FindStatement(text string) []Use {
	f := &finder{folders: []string{hereMark}}
	f.statement(strings.ToValidUTF8(text, "\uFFFD"))
	return f.uses
}

// statement notes the files that a statement names. Words without a folder are mostly no files.
func (f *finder) statement(text string) {
	if len(text) > maxStatement {
		text = text[:maxStatement]
	}
	for _, found := range statementReads.FindAllStringSubmatch(text, maxNamed) {
		f.named(Reads, found[1:])
	}
	for _, found := range statementWrites.FindAllStringSubmatch(text, maxNamed) {
		f.named(Writes, found[1:])
	}
}

func (f *finder) named(deed Deed, groups []string) {
	for _, file := range groups {
		if file != "" && strings.ContainsAny(file, `/\`) && !strings.Contains(file, "://") {
			f.use(deed, file)
		}
	}
}

// quiet are programs of which nothing else is known here, but that they show nothing of a file.
var quiet = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`ls dir ll la exa eza lsd stat du wc test [ [[ file touch which type command echo printf cd pushd mkdir
		basename dirname realpath readlink chmod chown chgrp chattr lsattr getfacl namei tree ncdu dust duf df lsof fuser md5sum sha1sum
		sha256sum sha512sum shasum cksum b2sum sum export declare local alias true false : ssh ssh-add ssh-agent ssh-keyscan ssh-copy-id
		restorecon chcon inotifywait fswatch watchexec entr compgen complete mktemp rmdir xdg-mime weir`) {
		set[name] = true
	}
	return set
}()

// hidden reports a path with a name that begins with a dot. Dots alone are folders, or what some tools write for everything below.
func hidden(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(name, ".") && strings.Trim(name, ".") != "" {
			return true
		}
	}
	return false
}

// usesKey reports an option before the file of a key, a certificate or a setting, which is used and not shown, or of a result.
func usesKey(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	switch {
	case !strings.HasPrefix(option, "-") || strings.Contains(option, "="):
		return false
	case !strings.HasPrefix(option, "--") && len(name) == 1:
		return strings.Contains("ikcfeoskCFEK", option[1:])
	case !strings.HasPrefix(option, "--") && len(name) == 2:
		return false // a letter with its value
	}
	for _, part := range []string{
		"key", "ident", "cert", "conf", "cred", "kube", "auth", "login", "profile", "pem", "ca", "ssh", "pass", "token", "vault", "secret", "out",
		"log", "dir", "cache", "state", "data", "home", "root", "prefix",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// stranger notes the hidden files and those of the system that a program of which nothing is known is given: it probably reads them.
// Keys and settings that options name are used, and not shown.
func (l line) stranger() {
	assigns := l.name == "=" || len(l.args) > 0 && l.args[0] == "=" // a variable of another shell
	if quiet[l.name] || strings.HasPrefix(l.name, "$") || assigns {
		return
	}
	for i, arg := range l.args {
		if i > 0 && usesKey(l.args[i-1]) {
			continue
		}
		guarded := hidden(arg) || strings.HasPrefix(arg, "/etc/") || strings.HasPrefix(arg, "/proc/")
		if _, rooted := start(arg); rooted && guarded {
			l.use(Reads, arg)
		}
	}
}
