package code

import (
	"regexp"
	"slices"
	"strings"
)

// inbound stands for the address of whoever asks a server.
const inbound = "http://inbound.invalid"

// isRequest reports a name for what a request to a server brings.
func isRequest(name string) bool {
	switch name {
	case "$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_get", "$_post", "$_request", "$_cookie", "request.args", "request.form",
		"request.values",
		"request.json", "request.data", "request.GET", "request.POST", "req.query", "req.body", "req.params", "request.query", "request.body",
		"request.params", "request.get_json()", "request.get_data()", "params":
		return true
	}
	return false
}

// readsNetrc and readsShadow read the functions that open a file of passwords without naming it.
func readsNetrc(e *evaluator, c invocation) value {
	if c.count() > 0 {
		return reads(e, c)
	}
	e.note(Act{Words: []string{"cat", "--", Home + "/.netrc"}})
	return value{taint: taint{files: []string{Home + "/.netrc"}}}
}

func readsShadow(e *evaluator, _ invocation) value {
	e.note(Act{Words: []string{"cat", "--", "/etc/shadow"}})
	return value{taint: taint{files: []string{"/etc/shadow"}}}
}

// unpacksTo reads the functions that unpack an archive into a folder.
func unpacksTo(e *evaluator, c invocation) value {
	folder, ok := c.key("path", "extract_dir", "cwd", "C", "dir")
	if !ok {
		folder = c.arg(1) // behind the archive, unless that is the object
	}
	if !folder.known() && strings.Contains(strings.ToLower(c.name), "extractall") {
		folder = c.arg(0)
	}
	if folder.known() {
		e.act([]string{"tar"}, []string{"-x"}, []string{"-C"}, folder.texts)
	}
	return value{}
}

// killsFound reads the methods that end a process, where code goes through all processes: the names that it compares say which.
func killsFound(e *evaluator, _ invocation) value {
	iterates := func(t token) bool {
		return t.kind == 'n' && (strings.HasSuffix(t.text, "process_iter") || strings.HasSuffix(t.text, "pids"))
	}
	if e.spend(len(e.tokens)) && slices.ContainsFunc(e.tokens, iterates) {
		e.killsNamed()
	}
	return value{}
}

// senders match the libraries by which code sends data to other machines in ways of their own.
var senders = regexp.MustCompile(`\b(?:boto3|paramiko|pysftp|fabric|websockets?|redis|xmlrpc|scapy|dgram|nodemailer|minio|pika|` +
	`kafkajs|kafka|paho|mqtt|slack_sdk|telegram|telebot|discord|nats|zmq|ssh2|socketio|httr|dropbox|pymongo)\b|` +
	`aws-sdk|google\.cloud|google-cloud|azure[./]storage|['"]ws['"]|socket\.io|ftplib|b2sdk`)

// clouds match those that know their host themselves.
var clouds = regexp.MustCompile(`boto3|aws-sdk|google\.cloud|google-cloud|azure|slack_sdk|telegram|telebot|discord|dropbox|b2sdk`)

// target is the host that code with such a library sends to; "": it has none, or one on this machine. It is looked for once.
func (e *evaluator) target() string {
	if e.to == nil {
		to := e.findTarget()
		e.to = &to
	}
	return *e.to
}

func (e *evaluator) findTarget() string {
	if !senders.MatchString(e.text) || standIns.MatchString(e.text) {
		return ""
	}
	for _, t := range e.tokens {
		if t.kind != 's' {
			continue
		}
		if isURL(t.text) && !strings.HasPrefix(t.text, "file:") {
			return t.text
		}
		if plainHost.MatchString(t.text) && !strings.HasPrefix(t.text, ".") && !strings.Contains(t.text, "_") {
			return "https://" + t.text
		}
	}
	if clouds.MatchString(e.text) {
		return "https://" + Unknown
	}
	return ""
}

// uploads reads the methods of such libraries that take a file.
func uploads(e *evaluator, c invocation) value {
	if e.collecting() {
		return value{}
	}
	to := e.target()
	if to == "" {
		return value{}
	}
	t := c.taint()
	t.nets = nil
	e.transfer(to, "PUT", value{}, false, t)
	for _, file := range append(slices.Clone(c.arg(0).texts), keyed(c, "Filename", "filename", "file", "path", "localpath")...) {
		if !hasHole(file) && file != "" && !isURL(file) {
			e.note(Act{Words: []string{"curl", "-T", file, to}})
		}
	}
	return value{}
}

func keyed(c invocation, names ...string) []string {
	v, _ := c.key(names...)
	return v.texts
}

// handsOn notes a method that is not known, of an object that was made, which gets secrets, where code has a library that sends.
func (e *evaluator) handsOn(name string, c invocation) {
	if e.collecting() || !strings.Contains(name, "().") && !strings.Contains(name, ".") {
		return
	}
	root, _, _ := strings.Cut(name, ".")
	if otherObjects[root] {
		return
	}
	var t taint
	for _, a := range c.args {
		if !accessKeys[strings.ToLower(a.key)] {
			t = t.with(a.whole())
		}
	}
	if t.nets = nil; !t.env && len(t.files) == 0 {
		return
	}
	if to := e.target(); to != "" {
		e.transfer(to, "POST", value{}, false, t)
	}
}

var (
	otherObjects = words("console logging logger log sys json os re path print io fs shutil pathlib process JSON Buffer yaml csv pprint np pd")
	accessKeys   = words("token password auth api_key apikey apitoken secret key aws_secret_access_key aws_access_key_id aws_session_token " +
		"username user access_key secret_key credentials headers pkey key_filename")
)

// mentioned notes the hidden files and those of the system that the texts of code name, where few functions of the language are known:
// it probably opens them.
func (e *evaluator) mentioned(source string) {
	const longest = 256
	if e.cut || e.language != Any && e.language != Java {
		return
	}
	left := maxTaint
	for _, t := range lex(source, e.language) {
		if t.kind != 's' || len(t.text) > longest || left == 0 || strings.ContainsAny(t.text, " \n*") {
			continue
		}
		ofSystem := strings.HasPrefix(t.text, "/etc/") || strings.HasPrefix(t.text, "/proc/")
		if ofSystem || strings.Contains(t.text, "/.") || strings.HasPrefix(t.text, "~/") {
			left--
			e.note(Act{Words: []string{"cat", "--", t.text}})
		}
	}
}

// These match the sockets of .NET, and what runs a text in PowerShell.
var (
	powerSockets = regexp.MustCompile(`(?i)\b(?:TcpListener|TcpClient|UdpClient|HttpListener|ClientWebSocket|NamedPipeServerStream)\b`)
	powerRuns    = regexp.MustCompile(`(?i)\b(?:iex|invoke-expression|invokescript)\b|\[scriptblock\]::create|\bcmd(?:\.exe)?\s+/c\s+\$`)
)

// powerShell notes PowerShell that has a socket and runs texts: what comes from the socket, in all that is known of such code.
func (e *evaluator) powerShell(source string) {
	if e.language.power && e.spend(len(source)) && powerSockets.MatchString(source) && powerRuns.MatchString(source) {
		e.note(Act{Words: []string{"nc", "-e", "/bin/sh", "0.0.0.1", "80"}})
	}
}
