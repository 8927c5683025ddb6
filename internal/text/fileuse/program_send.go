package fileuse

import "strings"

// transfer reads curl.
func transfer(l line) {
	args := l.read()
	folder := ""
	for _, dir := range args.Values("output-dir") {
		folder = dir
	}
	for _, option := range args.Signed('<') {
		for _, file := range listedFiles(option.Value) {
			l.use(Reads, file)
		}
	}
	for _, option := range args.Signed('>') {
		if option.Is("o") {
			option.Value = below(folder, option.Value)
		}
		l.use(Writes, option.Value)
	}
	for _, text := range args.Values("d", "data-ascii", "data-binary", "json", "H", "proxy-header", "w") {
		if file, ok := strings.CutPrefix(text, "@"); ok {
			l.use(Reads, file)
		}
	}
	for _, text := range args.Values("data-urlencode", "url-query", "variable") {
		if _, file, ok := strings.Cut(text, "@"); ok && !strings.Contains(text, "=") {
			l.use(Reads, file)
		}
	}
	for _, field := range args.Values("F") {
		l.formFile(field)
	}
	for _, cookie := range args.Values("b") {
		if !strings.Contains(cookie, "=") {
			l.use(Reads, cookie)
		}
	}
	for _, url := range append(texts(args, 0), args.Values("url")...) {
		l.fileURL(url)
	}
	if l.may(args, "O", "remote-name-all") {
		for _, url := range texts(args, 0) {
			l.use(Writes, below(folder, remoteName(url)))
		}
	}
}

// listedFiles are the files that curl means by a list in braces, such as {a,b}.
func listedFiles(text string) []string {
	open, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if open < 0 || end < open || len(text) > maxPath {
		return []string{text}
	}
	var out []string
	for name := range strings.SplitSeq(text[open+1:end], ",") {
		if len(out) < maxListed {
			out = append(out, text[:open]+name+text[end+1:])
		}
	}
	return out
}

// maxListed bounds the files of one list.
const maxListed = 64

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

// fetch reads wget.
func fetch(l line) {
	args := l.read()
	l.optionFiles(args)
	if sure(args, "O", "spider") {
		return
	}
	folder := ""
	for _, dir := range args.Values("P") {
		folder = dir
	}
	for _, url := range texts(args, 0) {
		l.use(Writes, below(folder, remoteName(url)))
	}
}

// httpItems reads the items of HTTPie: field@file, field=@file, field:=@file and @file send files.
func httpItems(l line) {
	args := l.read()
	l.optionFiles(args)
	for _, operand := range texts(args, 0) {
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
		if kind = strings.ToLower(kind); strings.HasPrefix(kind, "unix") && ok {
			kind = "file" // a socket has a name as a file has
		}
		switch kind {
		case "file", "open", "gopen", "create", "creat":
			if ok {
				l.use(Reads, file)
				l.use(Writes, file)
			}
		}
	}
}
