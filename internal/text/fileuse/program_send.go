package fileuse

import "strings"

// senders returns the programs that send files to other machines, or fetch them.
func senders() map[string]program {
	return map[string]program{
		"curl":              transfer,
		"wget":              fetch,
		"http https xh xhs": httpItems,
		"socat":             relay,
		"gh":                hub,
	}
}

var curlOptions = newOptions(`o> T< K< c> D> b: d: F: H: X: u: A: e: x: U: m: w: r: E: C: Y: y: z: t: P: Q: output> upload-file< config<
	cookie-jar> dump-header> cookie:
	data: data-ascii: data-binary: data-raw: data-urlencode: json: form: form-string: header: request: user: user-agent: referer: proxy:
	proxy-user: proxy-header:
	max-time: write-out: range: cert: key: cacert: capath: cert-type: key-type: pass: ciphers: resolve: connect-to: connect-timeout: retry:
	retry-delay:
	retry-max-time: limit-rate: max-redirs: output-dir: trace> trace-ascii> stderr> netrc-file: url: url-query: interface: unix-socket:
	abstract-unix-socket: dns-servers:
	noproxy: oauth2-bearer: aws-sigv4: etag-save> etag-compare< hsts: alt-svc: variable: rate: parallel-max: create-file-mode:
	expect100-timeout: keepalive-time:
	mail-from: mail-rcpt: pinnedpubkey: preproxy: proto: proto-default: proto-redir: pubkey: service-name: speed-limit: speed-time: tls-max:
	happy-eyeballs-timeout-ms:`)

// transfer reads curl.
func transfer(l line) {
	args := curlOptions.parse(l.args)
	folder := ""
	for _, dir := range args.values("output-dir") {
		folder = dir
	}
	for _, given := range args.given {
		switch given.name {
		case "o", "output":
			l.use(Writes, below(folder, given.value))
			continue
		case "d", "data", "data-ascii", "data-binary", "json", "H", "header", "proxy-header", "w", "write-out":
			if file, ok := strings.CutPrefix(given.value, "@"); ok {
				l.use(Reads, file)
			}
		case "data-urlencode", "url-query", "variable":
			if _, file, ok := strings.Cut(given.value, "@"); ok && !strings.Contains(given.value, "=") {
				l.use(Reads, file)
			}
		case "F", "form":
			l.formFile(given.value)
		case "b", "cookie":
			if !strings.Contains(given.value, "=") {
				l.use(Reads, given.value)
			}
		case "url":
			l.fileURL(given.value)
		case "T", "upload-file", "K", "config", "etag-compare":
			l.use(Reads, given.value)
		case "c", "cookie-jar", "D", "dump-header", "trace", "trace-ascii", "stderr", "etag-save":
			l.use(Writes, given.value)
		}
	}
	for _, operand := range args.operands {
		l.fileURL(operand)
		if args.has("O", "remote-name", "remote-name-all") {
			l.use(Writes, below(folder, remoteName(operand)))
		}
	}
}

// formFile notes the file of a field such as x=@file or x=<file;type=text/plain.
func (f *finder) formFile(field string) {
	_, value, _ := strings.Cut(field, "=")
	if value == "" || value[0] != '@' && value[0] != '<' {
		return
	}
	list, _, _ := strings.Cut(value[1:], ";")
	for file := range strings.SplitSeq(list, ",") {
		f.use(Reads, strings.Trim(file, `"`))
	}
}

// fileURL notes the file that a URL names.
func (f *finder) fileURL(url string) {
	if len(url) > 5 && strings.EqualFold(url[:5], "file:") {
		path := strings.TrimLeft(url[5:], "/")
		path = strings.TrimPrefix(path, "localhost/")
		f.use(Reads, "/"+path)
	}
}

// remoteName is the name under which a URL is saved.
func remoteName(url string) string {
	path, _, _ := strings.Cut(url, "?")
	_, path, _ = strings.Cut(path, "://")
	if i := strings.LastIndexByte(path, '/'); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	return unknownMark
}

var wgetOptions = newOptions(`O> o> a> i< e: t: T: w: Q: P: U: l: A: R: D: I: X: B: output-document> output-file> append-output>
	input-file< post-file< body-file< post-data: body-data:
	header: method: user: password: user-agent: directory-prefix: tries: timeout: wait: level: accept: reject: domains: load-cookies<
	save-cookies> certificate: private-key:
	ca-certificate: referer: base: execute: limit-rate: quota: cut-dirs: default-page: progress: bind-address: config<`)

// fetch reads wget.
func fetch(l line) {
	args := wgetOptions.parse(l.args)
	l.files(wgetOptions, args)
	if args.has("O", "output-document", "spider") {
		return
	}
	folder := ""
	for _, dir := range args.values("P", "directory-prefix") {
		folder = dir
	}
	for _, operand := range args.operands {
		l.use(Writes, below(folder, remoteName(operand)))
	}
}

// httpItems reads the items of HTTPie: field@file, field=@file, field:=@file and @file send files.
func httpItems(l line) {
	o := newOptions("o> output> a: auth: A: auth-type: p: print: s: style: session: proxy: verify: cert: cert-key: timeout: max-redirects:")
	args := o.parse(l.args)
	l.files(o, args)
	for _, operand := range args.operands {
		if i := strings.IndexByte(operand, '@'); i >= 0 && !strings.Contains(operand[:i], "/") {
			l.use(Reads, operand[i+1:])
		}
	}
}

// relay reads the addresses of socat that are files.
func relay(l line) {
	for _, arg := range l.args {
		kind, rest, ok := strings.Cut(arg, ":")
		file, _, _ := strings.Cut(rest, ",")
		switch strings.ToLower(kind) {
		case "file", "open", "gopen", "create", "creat":
			if ok {
				l.use(Reads, file)
				l.use(Writes, file)
			}
		}
	}
}

// hub reads the commands of gh that publish files.
func hub(l line) {
	args := newOptions("d: desc: f: filename: R: repo: t: title: n: notes: F< notes-file< body-file< b: body: D: dir: p: " +
		"pattern:").parse(l.args)
	if len(args.operands) < 3 {
		return
	}
	switch args.operands[0] + " " + args.operands[1] {
	case "gist create", "gist new":
		for _, file := range args.operands[2:] {
			l.use(Reads, file)
		}
	case "release create", "release upload":
		for _, file := range args.operands[3:] {
			l.use(Reads, file)
		}
	}
}
