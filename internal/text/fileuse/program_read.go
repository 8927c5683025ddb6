package fileuse

import (
	"slices"
	"strings"
)

const grepOptions = `A: B: C: D: d: e: f< m: r R recursive dereference-recursive E F G P i v c l L n o q s w x a h H z Z y U u regexp:
	file< max-count:
	after-context: before-context: context: include: exclude: exclude-from< exclude-dir: color: colour: label: binary-files: devices:
	directories:
	files-with-matches files-without-match count quiet silent only-matching line-number ignore-case`

// readers returns the programs that show what is in files.
func readers() map[string]program {
	return map[string]program{
		"cat tac nl rev bat batcat ccat zcat bzcat xzcat zstdcat zless zmore mdcat glow": plan{
			options: `l: language: style: theme: r: line-range: H: highlight-line: pager: color: paging: wrap: terminal-width: tabs: body-numbering:
				d: i: h: w: f:`,
		}.program(),
		"head tail":               plan{options: "n: c: s: lines: bytes: pid: sleep-interval: max-unchanged-stats:"}.program(),
		"less more most pg":       plan{options: "P: x: t: T: y: z: j: k: o> O> D: b:"}.program(),
		"tailspin lnav multitail": plan{}.program(),
		"xxd":                     plan{options: "c: g: l: o: s: R: n: cols: groupsize: len: seek:", last: Writes, hasLast: true}.program(),
		"strings":                 plan{options: "n: t: e: T: s: U: bytes: radix: encoding: target: output-separator: unicode:"}.program(),
		"od": plan{options: "A: j: N: S? t: w? address-radix: skip-bytes: read-bytes: format: endian: strings? " +
			"width?"}.program(),
		"hexdump hd": plan{options: "e: f< n: s: length: skip: format: format-file<"}.program(),
		"hexyl": plan{options: "n: l: c: o: s: length: bytes: skip: block-size: color: border: display-offset: panels: " +
			"group-size: base:"}.program(),
		"base32 base64 basenc": plan{options: "w: b: i< o> wrap: break: input< output>"}.program(),
		"uuencode":             plan{}.program(),
		"sort": plan{options: `k: t: o> S: T: key: field-separator: output> buffer-size: temporary-directory: parallel: ` +
			`files0-from<`}.program(),
		"shuf": plan{
			options: "o> n: i: output> head-count: input-range: random-source:",
			never:   "e echo i input-range",
		}.program(),
		"uniq": plan{options: "f: s: w: skip-fields: skip-chars: check-chars:", last: Writes, hasLast: true}.program(),
		"cut paste fold fmt expand unexpand column join comm pr": plan{
			options: `b: c: d: f: w: t: o: N: l: h: a: e: v: 1: 2: j: width: delimiter: fields: bytes: characters: delimiters: output-delimiter:
				separator: tabs:`,
		}.program(),
		"split": plan{
			options: "b: C: l: n: a: d f: bytes: lines: number: suffix-length: additional-suffix: filter: prefix:", last: Writes,
			hasLast: true,
		}.program(),
		"grep egrep fgrep zgrep bzgrep xzgrep ugrep": plan{
			options: grepOptions, skip: 1, unless: "e f regexp file", tree: "r R recursive dereference-recursive", here: true,
			never: "l files-with-matches q quiet c count",
		}.program(),
		"rg ripgrep ag ack": plan{
			options: `A: B: C: e: f< g: t: T: M: m: j: d: E: r: regexp: file< glob: iglob: type: type-not: max-count: max-depth: max-columns:
				after-context: before-context: context: encoding: replace: sort: sortr: color: colors: threads: pre: pre-glob: ignore-file: engine:
				path-separator:`,
			skip: 1, unless: "e f regexp file", tree: "*", here: true, never: "files type-list l files-with-matches q quiet c count",
		}.program(),
		"awk mawk nawk":  patternScanner(),
		"jq gojq jaq yq": queryJSON,
		"diff sdiff colordiff vimdiff delta difft icdiff cmp diff3": plan{
			options: `U: C: W: I: x: X: F: o> L: label: width: exclude: exclude-from: from-file< to-file< context: ignore-matching-lines: output>
				bytes:
				ignore-initial: horizon-lines:`,
			tree: "r recursive",
		}.program(),
		"iconv pandoc": plan{options: "f: t: o> from: to: output> from-code: to-code: template: M: V: metadata: variable: c: " +
			"css: H: B: A:"}.program(),
		"xargs":                         argumentFile,
		"source .":                      sourced,
		"bash sh zsh dash ksh ash fish": script,
		"openssl":                       openssl,
		"gpg gpg2": plan{options: "o> output> r: recipient: u: local-user: homedir: passphrase-file: passphrase: " +
			"pinentry-mode:", never: "list-keys k K export"}.program(),
		"age rage":           plan{options: "o> output> r: recipient: R: recipients-file: i: identity:"}.program(),
		"plutil":             plan{options: "o> p convert: extract: replace: insert:", dashed: true}.program(),
		"xclip wl-copy clip": plan{options: "selection: sel: d: display: loops: t: target: type:", dashed: true}.program(),
		"crontab":            plan{options: "u: s:", never: "l r e"}.program(),
		"mail mailx mutt":    plan{options: "s: a< A< c: b: r: S: q< attach<", optionsOnly: true}.program(),
	}
}

// argumentFile reads the file from which xargs takes arguments.
func argumentFile(l line) {
	for i, arg := range l.args {
		if file, ok := strings.CutPrefix(arg, "--arg-file="); ok {
			l.use(Reads, file)
		}
		if i > 0 && (l.args[i-1] == "-a" || l.args[i-1] == "--arg-file") {
			l.use(Reads, arg)
		}
		if i > 0 && !strings.HasPrefix(arg, "-") && !strings.HasPrefix(l.args[i-1], "-") {
			return // the command and its options follow
		}
	}
}

var jqOptions = newOptions("f< from-file< L: indent: o: p: I: output-format: input-format:")

// queryJSON reads jq. Some of its options take a name and a value.
func queryJSON(l line) {
	var rest []string
	for i := 0; i < len(l.args); i++ {
		switch l.args[i] {
		case "--arg", "--argjson":
			i += 2
		case "--slurpfile", "--rawfile":
			if i += 2; i < len(l.args) {
				l.use(Reads, l.args[i])
			}
		default:
			rest = append(rest, l.args[i])
		}
	}
	args := jqOptions.parse(rest)
	l.files(jqOptions, args)
	operands := args.operands
	if !args.has("f", "from-file") && len(operands) > 0 {
		operands = operands[1:]
	}
	deed := Reads
	if l.name == "yq" && args.has("i", "inplace") {
		deed = Writes
	}
	l.each(deed, operands, false)
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
	o := newOptions("c: o: O: rcfile< init-file<")
	args := o.parse(l.args)
	l.files(o, args)
	if !args.has("c", "s", "n") && len(args.operands) > 0 {
		l.use(Reads, args.operands[0])
	}
}

// openssl prints the file of -in if the subcommand converts a file to another form. A key that is only used is not printed.
func openssl(l line) {
	if len(l.args) == 0 {
		return
	}
	shows := []string{"rsa", "pkey", "ec", "dsa", "pkcs8", "pkcs12", "base64", "enc", "asn1parse", "smime", "cms", "zlib", "rsautl", "pkeyutl"}
	quiet := slices.ContainsFunc(l.args, func(arg string) bool {
		return arg == "-pubout" || arg == "-noout" &&
			!slices.Contains(l.args, "-text")
	})
	for i, arg := range l.args[1:] {
		switch l.args[i] {
		case "-in":
			if slices.Contains(shows, l.args[0]) && !quiet {
				l.use(Reads, arg)
			}
		case "-out", "-keyout":
			l.use(Writes, arg)
		}
	}
}

// edited notes a file that an editor opens.
func edited(l line) {
	o := newOptions("c: S< s: u< i: w> W> t: q< e: cmd: r: T: l: eval: load<")
	args := o.parse(l.args)
	l.files(o, args)
	for _, operand := range args.operands {
		if !strings.HasPrefix(operand, "+") {
			l.use(Reads, operand)
			l.use(Writes, operand)
		}
	}
}
