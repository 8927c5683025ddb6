package address

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/program"
)

// trim removes the characters around a URL or host that clients ignore.
func trim(text string) string {
	t := strings.TrimFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 || r == '\ufeff' })
	return strings.Trim(t, "\"'`<>“”‘’«»")
}

// lineBreaks are the characters that browsers drop anywhere in a URL.
const lineBreaks = "\t\n\r"

// one reads the text as one URL or host.
func (s *scanner) one(t string) {
	if colon := schemeEnd(t); colon > 0 {
		scheme := schemeBefore(t, colon)
		slashes, width := countSlashes(scheme, t[colon+1:])
		if isSpecial(scheme) || slashes > 0 && opensAuthority(scheme, t[colon+1:], slashes) {
			s.authority(url{scheme: scheme, rest: t[colon+1+width:], slashes: slashes, whole: true})
			return
		}
		if isHostless(scheme) || colon == 1 || slashes > 0 {
			return
		}
	}
	if slashes, width := countSlashes("", t); slashes >= 2 {
		rest := t[width:]
		if len(rest) > 6 && strings.HasPrefix(rest, `?\`) && strings.EqualFold(rest[2:6], `UNC\`) {
			rest = rest[6:]
		}
		s.authority(url{scheme: "http", rest: rest, slashes: slashes, whole: true})
		return
	}
	if c, ok := readWord(t, s.programs&program.Logins != 0); ok {
		s.bare(c)
	}
}

// schemeEnd returns the position of the colon after a scheme at the start of t; 0 if there is none.
func schemeEnd(t string) int {
	if t == "" || !isLetter(t[0]) {
		return 0
	}
	for i := range min(len(t), maxScheme+1) {
		if t[i] == ':' {
			return i
		}
		if !isSchemeByte(t[i]) {
			break
		}
	}
	return 0
}

// A candidate is a word that could be a host, and what surrounds it.
type candidate struct {
	host string
	user bool // user@ comes before it
	port string
	path bool // something other than a port follows: host:path or host/path
}

// readWord splits [user@]host[:port][/path] and [user@]host:path.
func readWord(w string, logins bool) (candidate, bool) {
	if w == "" || strings.IndexByte("/.~-@#$%+?", w[0]) >= 0 || strings.ContainsFunc(w, func(r rune) bool { return r <= ' ' }) {
		return candidate{}, false
	}
	if colon := schemeEnd(w); colon > 0 && isHostless(strings.ToLower(w[:colon])) {
		return candidate{}, false
	}
	var c candidate
	head := w[:indexAny(w, `/\?#`)]
	c.path = len(head) < len(w)
	if at := strings.LastIndexByte(head, '@'); at >= 0 {
		// Without a password or path it looks like an email address.
		if strings.IndexByte(head, ':') < 0 && !logins {
			return candidate{}, false
		}
		c.user, head = true, head[at+1:]
	}
	c.host = cutPort(head)
	if after, ok := strings.CutPrefix(head[len(c.host):], ":"); ok {
		switch {
		case isPort(after):
			c.port = after
		case strings.IndexByte(after, ':') >= 0:
			return candidate{}, false
		default:
			c.path = true
		}
	}
	return c, c.host != ""
}

func isPort(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return len(s) > 0 && len(s) <= 5
}

// bare adds the host of a text that is a host without a scheme.
func (s *scanner) bare(c candidate) {
	hosts := readHost(c.host)
	addr, kind := addressKind(c.host, hosts)
	switch {
	case kind == notAddress && !isName(c.host):
		return
	case kind == wholeAddress:
		s.hosts(c.host, url{})
		return
	case kind == shortAddress && (isAddressNumber(c.host) || strings.IndexByte(c.host, '.') >= 0),
		kind == shortAddress && addr.IsUnspecified() && len(c.port) > 2:
		s.unsure(func() { s.tellAll(hosts, true) })
		return
	case kind == shortAddress, endsInNumber(hosts):
		return
	}
	name := hosts[0].Name
	dotted := strings.IndexByte(name, '.') >= 0
	loose := name != "localhost" && !c.user && (!dotted || isFileName(name))
	if len(hosts) > 1 || c.path && (!dotted && !c.user || loose) {
		s.unsure(func() { s.tellAll(hosts, loose) })
		return
	}
	s.tellAll(hosts, loose)
}

func (s *scanner) tellAll(hosts []Host, loose bool) {
	for _, h := range hosts {
		h.Loose = loose
		s.emit(h)
	}
}

// maxWord bounds the words of a longer text that could be a host.
const maxWord = 4096

// word adds a word of a longer text if it looks like a host.
func (s *scanner) word(w string) {
	w = strings.TrimRight(w, ".,:;!?)")
	if strings.HasPrefix(w, "[") && strings.IndexByte(w, ':') < 0 {
		w = strings.Trim(w, "[]")
	}
	first := w[:indexAny(w, "/")]
	if len(w) < 3 || len(w) > maxWord || s.programs&program.Logins == 0 &&
		!strings.ContainsAny(first, ".:。．｡") && !isAddressNumber(first) &&
		!strings.EqualFold(first, "localhost") {
		return
	}
	c, ok := readWord(w, s.programs&program.Logins != 0)
	if !ok {
		return
	}
	hosts := readHost(c.host)
	_, kind := addressKind(c.host, hosts)
	plausible := false
	switch kind {
	case wholeAddress:
		plausible = true
	case shortAddress:
		plausible = isAddressNumber(c.host) || startsPrivate(c.host) || strings.IndexByte(c.host, '.') >= 0 && (c.port != "" || c.path || c.user)
	default:
		dotted := strings.IndexAny(c.host, ".。．｡") > 0
		plausible = isName(c.host) && !endsInNumber(hosts) && (dotted || c.user || len(c.port) > 1 || strings.EqualFold(c.host, "localhost"))
	}
	if plausible {
		s.unsure(func() { s.tellAll(hosts, true) })
	}
}

type addressForm int

const (
	notAddress   addressForm = iota
	shortAddress             // fewer than four numbers, which could be a version or an amount
	wholeAddress
)

func addressKind(raw string, hosts []Host) (addr netip.Addr, form addressForm) {
	if len(hosts) == 0 || !hosts[0].Addr.IsValid() {
		return netip.Addr{}, notAddress
	}
	addr = hosts[0].Addr
	if addr.Is4() && strings.IndexByte(raw, ':') < 0 && strings.Count(strings.TrimRight(raw, "."), ".") < 3 && isASCII(raw) {
		return addr, shortAddress
	}
	return addr, wholeAddress
}

// isAddressNumber reports a single number that is more likely an address than an amount: hexadecimal, or beyond the first
// sixteen million.
func isAddressNumber(s string) bool {
	n, ok := parsePart(strings.TrimRight(s, "."))
	return ok && n >= 1<<24 && n < 1<<34
}

// startsPrivate reports the short forms that people write on purpose: of this machine, of private networks, and in other number
// bases.
func startsPrivate(s string) bool {
	first, rest, _ := strings.Cut(s, ".")
	if rest == "" {
		return false
	}
	if first == "127" || strings.HasPrefix(s, "192.168.") || strings.HasPrefix(s, "169.254.") {
		return true
	}
	return len(first) > 1 && first[0] == '0'
}

// isName reports whether a word has the shape of a host's name.
func isName(s string) bool {
	if len(s) > 1024 {
		return false
	}
	label := 0
	for _, r := range strings.TrimRight(s, ".") {
		switch {
		case r == '.' && label == 0:
			return false
		case r == '.':
			label = 0
		case r < utf8.RuneSelf && (isLetter(byte(r)) || isDigit(byte(r))), r == '-', r == '_', r == '%', isDot(r),
			r >= utf8.RuneSelf && !unicode.IsPunct(r) && !unicode.IsSpace(r):
			label++
		default:
			return false
		}
	}
	return label > 0
}

// isDot reports the dots of other scripts that IDNA treats as dots.
func isDot(r rune) bool { return r == '。' || r == '．' || r == '｡' }

// endsInNumber reports names that no client looks up because they end in a number, such as versions.
func endsInNumber(hosts []Host) bool {
	if len(hosts) == 0 {
		return true
	}
	name := hosts[0].Name
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last == "" || isDigit(last[0])
}

// isFileName reports names with the ending of a file that no public host has.
func isFileName(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "go", "js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "json", "jsonl", "yaml", "yml", "toml", "txt", "c", "h", "cpp", "hpp",
		"java", "kt", "html", "htm", "css", "scss", "xml", "csv", "tsv", "sql", "lock", "log", "png", "jpg", "jpeg", "gif", "svg", "pdf",
		"doc", "docx", "xls", "xlsx", "gz", "tar", "tgz", "bz2", "xz", "exe", "dll", "o", "a", "php", "rb", "swift", "lua", "env", "ini",
		"cfg", "conf", "proto", "mod", "sum", "bak", "tmp", "ipynb", "vue", "bat", "cmd", "ps1", "bin", "dat", "db", "sqlite", "pem",
		"key", "crt", "wasm", "map", "patch", "diff", "tex", "ex", "exs", "hs", "cs", "fs", "vb", "gradle", "tf", "out", "orig", "woff":
		return true
	}
	return false
}
