package code

import (
	"slices"
	"strings"
)

// A socket is a connection, or a position where connections are awaited.
type socket struct {
	host, port string
	listens    bool
}

// bodyKeys are the arguments that are sent.
var bodyKeys = []string{"data", "json", "body", "files", "content", "form", "payload", "query", "multipart", "postData", "Content"}

// fetches reads the functions that load from an address, or send to one.
func fetches(e *evaluator, c invocation) value {
	method := strings.ToUpper(c.name[strings.LastIndexByte(c.name, '.')+1:])
	address, rest := e.address(c)
	body, sends := c.key(bodyKeys...)
	switch {
	case sends:
	case (method == "POST" || method == "PUT" || method == "PATCH" || method == "POST_FORM" || method == "REQUEST" || method == "URLOPEN") &&
		len(rest) > 0 && (rest[0].key == "" || !rest[0].list):
		body, sends = rest[0].value, method != "REQUEST" || rest[0].known()
		if e.language == Go && method == "POST" && len(rest) > 1 {
			body = rest[1].value // after the type of it
		}
	}
	if given, ok := c.key("method"); ok && len(given.texts) == 1 {
		method = strings.ToUpper(given.texts[0])
	} else if first := strings.Join(c.arg(0).texts, " "); first != "" && strings.Trim(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		method = first
	}
	// An address, or a message that becomes part of one, brings its arguments with it.
	from := c.sent().with(body.whole()).with(e.formFiles(body))
	for _, url := range address.alternatives() {
		e.transfer(url, method, body, sends, from)
	}
	if strings.HasSuffix(c.name, "retrieve") || strings.HasSuffix(c.name, "getstore") || strings.HasSuffix(c.name, "download.file") ||
		strings.HasSuffix(c.name, "download") {
		if len(rest) > 0 && rest[0].known() {
			e.act([]string{"curl"}, []string{"-o"}, rest[0].alternatives(), address.alternatives())
		}
	}
	return value{texts: []string{Unknown}, taint: taint{nets: address.alternatives()}}
}

// sent is where the arguments come from, but for the headers of a request and what was loaded before.
func (c invocation) sent() taint {
	var t taint
	for _, a := range c.args {
		if a.key == "headers" || a.key == "auth" || a.key == "verify" || len(a.params) > 0 {
			continue
		}
		if !a.list {
			t = t.with(a.whole())
			continue
		}
		for _, item := range a.items {
			if item.key != "headers" && item.key != "auth" {
				t = t.with(item.whole())
			}
		}
	}
	t.nets = nil
	return t
}

// transfer notes a request.
func (e *evaluator) transfer(url, method string, body value, sends bool, from taint) {
	base := []string{"curl"}
	switch method {
	case "POST", "PUT", "PATCH", "DELETE":
		base = append(base, "-X", method)
	}
	if len(from.sources()) > 0 {
		e.transferFrom(base, url, from)
		return
	}
	if !sends {
		e.note(Act{Words: append(base, url)})
		return
	}
	e.sendsUnknown(base, url, body)
	for _, content := range body.alternatives() {
		e.note(Act{Words: append(slices.Clone(base), "--data", content, url)})
	}
}

// address is the address of a request, and the positional arguments behind it.
func (e *evaluator) address(c invocation) (value, []argument) {
	for i, a := range c.args {
		if a.key == "" && slices.ContainsFunc(a.texts, looksLikeURL) {
			return a.value, c.args[i+1:]
		}
	}
	if v, ok := c.key("url", "uri", "baseURL", "full_url"); ok {
		return v, nil
	}
	if host, ok := c.key("hostname", "host"); ok {
		v := e.join(text("https://"), host)
		if p, ok := c.key("path"); ok {
			v = e.join(v, p)
		}
		return v, nil
	}
	if c.on != nil && (len(c.on.texts) > 0 && looksLikeURL(c.on.texts[0])) {
		return *c.on, c.args
	}
	if c.on != nil && len(c.on.made) > 0 {
		return e.address(invocation{args: c.on.made})
	}
	if len(c.args) > 0 {
		first := c.args[0]
		if first.made != nil && !first.known() {
			// Request(url), URI(url)
			v, _ := e.address(invocation{args: first.made})
			return v, c.args[1:]
		}
		v := first.value
		v.texts = first.alternatives()
		return v, c.args[1:]
	}
	return text(Unknown), nil
}

func looksLikeURL(s string) bool {
	return isURL(s) || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "www.")
}

// curlOption reads the options of a request of PHP.
func curlOption(e *evaluator, c invocation) value {
	switch option := strings.ToUpper(strings.Join(c.arg(1).names, " ")); {
	case strings.Contains(option, "CURLOPT_URL"):
		return fetches(e, invocation{name: "get", args: []argument{{value: c.arg(2)}}})
	case strings.Contains(option, "POSTFIELDS") || strings.Contains(option, "INFILE"):
		body := c.arg(2)
		url := text(Unknown)
		if made := c.arg(0).made; len(made) > 0 {
			url = made[0].value
		}
		return fetches(e, invocation{name: "post", args: []argument{{value: url}, {key: "body", value: body}}})
	}
	return value{}
}

// httpConnection reads the objects that stand for a host.
func httpConnection(e *evaluator, c invocation) value {
	host := c.first("host")
	for _, h := range host.alternatives() {
		if h != Unknown && h != "" {
			e.note(Act{Words: []string{"curl", e.hostURL(c, h)}})
		}
	}
	return value{}
}

func (e *evaluator) hostURL(c invocation, host string) string {
	scheme := "https://"
	switch {
	case strings.Contains(c.name, "FTP"):
		scheme = "ftp://"
	case strings.Contains(c.name, "SMTP"):
		scheme = "smtp://"
	}
	if isURL(host) {
		scheme = ""
	}
	if ports := c.arg(1).texts; len(ports) == 1 && strings.Trim(ports[0], "0123456789") == "" {
		host += ":" + ports[0]
	}
	return scheme + host
}

// requestsOn reads the methods of such an object.
func requestsOn(e *evaluator, c invocation) value {
	host := Unknown
	if c.on != nil && len(c.on.made) > 0 {
		name := ""
		if len(c.on.names) > 0 {
			name = c.on.names[0]
		}
		for _, h := range c.on.made[0].alternatives()[:1] {
			host = e.hostURL(invocation{name: name, args: c.on.made}, h)
		}
	}
	from := c.sent()
	method := strings.ToUpper(strings.Join(c.arg(0).texts, ""))
	e.transfer(host, method, value{}, c.count() > 2 || from.any() || strings.HasPrefix(host, "smtp:"), from)
	return value{texts: []string{Unknown}, taint: taint{nets: []string{host}}}
}

// connects reads the functions that open a connection.
func connects(e *evaluator, c invocation) value {
	if s, ok := e.endpoint(c); ok {
		e.socket(s)
		return value{taint: taint{nets: []string{"tcp://" + s.host + ":" + s.port}}}
	}
	return value{}
}

func listens(e *evaluator, c invocation) value {
	s, ok := e.endpoint(c)
	if !ok {
		return value{}
	}
	s.listens = true
	e.socket(s)
	return value{}
}

func (e *evaluator) socket(s socket) {
	if !e.collecting() && !slices.Contains(e.sockets, s) && len(e.sockets) < maxTaint {
		e.sockets = append(e.sockets, s)
	}
}

func isPort(s string) bool { return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == "" }

// endpoint is the host and port that the arguments name, in either order, in a tuple, or with names.
func (e *evaluator) endpoint(c invocation) (socket, bool) {
	s := socket{host: Unknown, port: Unknown}
	host, named := c.key("host", "hostname", "PeerAddr", "PeerHost", "LocalAddr", "address")
	port, ported := c.key("port", "PeerPort", "LocalPort")
	if named && host.known() {
		s.host = host.texts[0]
	}
	if ported && port.known() {
		s.port = port.texts[0]
	}
	ofURL := false
	var flat []value
	for _, a := range c.args {
		if a.list && a.key == "" {
			for _, item := range a.items {
				if item.key == "" {
					flat = append(flat, item.value)
				}
			}
		} else if a.key == "" {
			flat = append(flat, a.value)
		}
	}
	for i, v := range flat {
		if v.made != nil && !v.known() && i < 4 { // inet_aton("host"), sockaddr_in(…)
			inner, _ := e.endpoint(invocation{args: v.made})
			if inner.host != Unknown {
				s.host = inner.host
			}
			if inner.port != Unknown {
				s.port = inner.port
			}
		}
		for _, t := range v.texts[:min(1, len(v.texts))] {
			h, p, both := strings.Cut(t, ":")
			switch {
			case both && isPort(p) && h != "" && !isURL(t):
				s.host, s.port = h, p
			case isPort(t) && s.port == Unknown:
				s.port = t
			case t == Unknown || hasHole(t) && s.host != Unknown || isPort(t):
			case isURL(t):
				s.host, s.port = splitURL(t)
				ofURL = !strings.HasPrefix(t, "file:")
			case s.host == Unknown && i < 4 && !strings.ContainsAny(t, " /=;"):
				s.host = t
			}
		}
	}
	return s, s.port != Unknown || (named || ofURL) && s.host != Unknown
}

// splitURL returns the host and port of an address such as tcp://host:1.
func splitURL(url string) (host, port string) {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	host, port, ok := strings.Cut(rest, ":")
	if !ok {
		port = Unknown
	}
	return host, port
}

// resolves reads functions that look up the address of a name. What is in the name reaches the server that knows the names below the
// last part of it.
func resolves(e *evaluator, c invocation) value {
	from := c.arg(0).whole()
	if from.nets = nil; len(from.sources()) > 0 {
		for _, name := range c.arg(0).texts {
			known := strings.Trim(name[strings.LastIndex(name, Unknown)+1:], ".")
			if strings.Contains(known, ".") {
				e.transfer("http://"+known, "POST", value{}, true, from)
			}
		}
		return value{}
	}
	for _, name := range c.arg(0).texts {
		if name != Unknown {
			e.note(Act{Words: []string{"nslookup", name}})
		}
	}
	return value{}
}

// connectsHost reads the functions that name only the host of a connection.
func connectsHost(e *evaluator, c invocation) value {
	host, ok := c.key("host", "hostname", "dst")
	if !ok {
		host = c.arg(0)
	}
	for _, name := range host.texts {
		if plainHost.MatchString(name) {
			e.socket(socket{host: name, port: "22"})
			return value{taint: taint{nets: []string{"tcp://" + name}}}
		}
	}
	return connects(e, c)
}

// mails reads the functions that send a message.
func mails(e *evaluator, c invocation) value {
	from := c.taint()
	from.nets = nil
	for _, address := range c.arg(0).texts {
		if _, host, ok := strings.Cut(address, "@"); ok {
			e.transfer("smtp://"+host, "POST", value{}, true, from)
		}
	}
	return value{}
}

// sends reads the methods that write to a connection, or to a file.
func sends(e *evaluator, c invocation) value {
	t := c.taint()
	to := t.nets
	if c.on != nil && strings.HasSuffix(c.name, "pipe") {
		t = t.with(c.on.taint) // what is read goes to what is given
	} else if c.on != nil {
		to = c.on.taint.nets
	}
	if t.nets = nil; len(to) > 0 && len(t.sources()) > 0 {
		e.transfer(to[0], "POST", value{}, false, t)
	}
	e.sendsTo(c)
	if !e.collecting() {
		e.sent = e.sent.with(t)
	}
	e.sendsTo(c)
	if c.on != nil && slices.ContainsFunc(c.on.names, func(n string) bool { return n == "open()" || strings.HasSuffix(n, ".open()") }) &&
		len(c.on.made) > 1 {
		content := c.arg(0)
		if len(content.texts) == 1 && content.texts[0] != Unknown {
			e.written(c.on.made[0].value, content, taint{})
		} else if nets := c.taint().nets; len(nets) > 0 {
			e.written(c.on.made[0].value, value{}, taint{nets: nets})
		}
	}
	return value{}
}

// sendsTo reads the methods that name the other end with each message, because there is no connection.
func (e *evaluator) sendsTo(c invocation) {
	name := c.name[strings.LastIndexByte(c.name, '.')+1:]
	if name != "sendto" && (name != "send" || c.count() < 3) || c.count() < 2 {
		return
	}
	rest := c.args[1:]
	if first := rest[0]; len(rest) > 2 && len(first.texts) == 1 && first.texts[0] == "0" {
		rest = rest[1:] // flags
	}
	if s, ok := e.endpoint(invocation{args: rest}); ok && s.host != Unknown && s.port != "0" {
		e.socket(s)
	}
}

// finish notes the connections, with what is sent through them. A shell beside a connection is a shell on it.
func (e *evaluator) finish() {
	e.pass = passes - 1
	e.finishRequests()
	for _, file := range e.dataFiles {
		e.note(Act{Words: []string{"sqlite3", "--", file}})
	}
	for _, s := range e.sockets {
		words := []string{"nc"}
		if s.listens {
			words = append(words, "-l")
		}
		if s.listens && s.host == Unknown {
			s.host = "0.0.0.0"
		}
		if e.shells || s.listens && e.unknown {
			words = append(words, "-e", "/bin/sh")
		}
		words = append(words, s.host, s.port)
		if s.listens {
			words[len(words)-1] = s.port
		}
		sources := e.sent.sources()
		if len(sources) == 0 {
			sources = e.strays.sources()
		}
		if len(sources) == 0 || s.listens {
			e.note(Act{Words: words})
			continue
		}
		for _, source := range sources {
			e.note(Act{Words: words, From: source})
		}
	}
}
