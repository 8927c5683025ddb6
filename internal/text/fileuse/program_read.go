package fileuse

import (
	"slices"
	"strings"
)

// queryJSON reads jq. Its first operand is a query.
func queryJSON(l line) {
	args := l.read()
	l.optionFiles(args)
	skip, deed := 1, Reads
	if l.may(args, "f") {
		skip = 0
	}
	if l.name == "yq" && l.may(args, "i") {
		deed = Writes
	}
	l.each(deed, texts(args, skip), false)
}

// nameService reads getent, which prints entries of the files of accounts.
func nameService(l line) {
	for _, database := range l.read().Operand(0) {
		switch database {
		case "shadow", "gshadow", "passwd", "group":
			l.use(Reads, "/etc/"+database)
		}
	}
}

// sorted notes the files that sort prints. A list of them may be its input.
func sorted(l line) {
	args := l.read()
	l.planned(args)
	if slices.Contains(args.Values("files0-from"), "-") {
		l.each(Reads, l.inputFiles(), false)
	}
}

// sourced reads a file into the shell.
func sourced(l line) {
	for _, arg := range l.args {
		if arg != "--" {
			l.use(Reads, arg)
			return
		}
	}
}

// script notes the file that a shell runs.
func script(l line) {
	args := l.read()
	l.optionFiles(args)
	if !sure(args, "c", "s", "n") {
		l.each(Reads, args.Operand(0), false)
	}
}

// openssl prints the file of -in if the subcommand converts a file to another form. A key that is only used is not printed.
func openssl(l line) {
	if len(l.args) == 0 {
		return
	}
	args := l.entry.Read(l.args[1:])
	shows := []string{"rsa", "pkey", "ec", "dsa", "pkcs8", "pkcs12", "base64", "enc", "asn1parse", "smime", "cms", "zlib", "rsautl", "pkeyutl"}
	quiet := sure(args, "pubout") || sure(args, "noout") && !l.may(args, "text")
	if slices.Contains(shows, l.args[0]) && !quiet {
		l.each(Reads, args.Values("in"), false)
	}
	l.optionFiles(args)
}

// edited notes a file that an editor opens.
func edited(l line) {
	args := l.read()
	l.optionFiles(args)
	for _, operand := range texts(args, 0) {
		if !strings.HasPrefix(operand, "+") {
			l.use(Reads, operand)
			l.use(Writes, operand)
		}
	}
}
