package address

import (
	"strings"
	"unicode"
)

// A Server is where a connection string leads. The host of one on this machine may be the path of its socket.
type Server struct {
	Scheme string // of a URL, without the name of a driver; "": it is no URL
	Host   string
	Port   string // "": it does not say
}

// maxServers bounds the servers of one connection string.
const maxServers = 64

// Servers returns the servers that a connection string of a database names: a URL, also one of JDBC and one with several hosts; pairs such
// as host=a port=1 or Server=tcp:a,1; user@host/name. Other text is a host if plain says so, or else the name of a database.
func Servers(text string, plain bool) []Server {
	text = strings.TrimSpace(text)
	for _, driver := range []string{"jdbc:", "r2dbc:"} {
		if len(text) > len(driver) && strings.EqualFold(text[:len(driver)], driver) {
			text = text[len(driver):]
		}
	}
	var out []Server
	scheme, rest, isURL := strings.Cut(text, "://")
	switch {
	case isURL && isScheme(scheme):
		out = urlServers(scheme[strings.LastIndexByte(scheme, ':')+1:], rest)
	case strings.Contains(text, "="):
		out = pairServers(strings.FieldsFunc(spacelessPairs(text), isPairEnd(text)))
	case strings.Contains(text, "@"):
		rest := strings.TrimLeft(text[strings.LastIndexByte(text, '@')+1:], "/")
		out = hostServers("", rest[:strings.IndexAny(rest+"/", "/?")])
	default:
		host, _, path := strings.Cut(text, "/")
		if plain && !strings.HasPrefix(text, "/") || path && strings.Contains(host, ":") {
			text = host
		} else if !plain {
			return nil
		}
		out = hostServers("", text)
	}
	return out[:min(len(out), maxServers)]
}

func isScheme(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-._:", r)
	}) < 0
}

// urlServers are the servers of a URL. Those of a file have none.
func urlServers(scheme, rest string) []Server {
	scheme = strings.ToLower(scheme)
	if name, _, ok := strings.Cut(scheme, "+"); ok && !strings.HasSuffix(scheme, "+srv") {
		scheme = name // of a driver: mysql+pymysql
	}
	switch scheme {
	case "sqlite", "sqlite3", "file", "duckdb", "h2":
		return nil
	}
	end := strings.IndexAny(rest+"/", "/?#;")
	authority, after := rest[:end], rest[end:]
	out := hostServers(scheme, authority[strings.LastIndexByte(authority, '@')+1:])
	if i := strings.IndexAny(after, "?;"); i >= 0 {
		pairs := strings.FieldsFunc(after[i+1:], func(r rune) bool { return r == '&' || r == ';' })
		for _, s := range pairServers(pairs) {
			s.Scheme = scheme
			out = append(out, s)
		}
	}
	return out
}

// hostServers are the servers of a list of hosts, each with its port or without.
func hostServers(scheme, list string) (out []Server) {
	for _, protocol := range []string{"tcp:", "np:", "lpc:", "admin:"} { // of SQL Server
		list = strings.TrimPrefix(list, protocol)
	}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(strings.NewReplacer("%2F", "/", "%2f", "/").Replace(one))
		if isDigits(one) && len(out) > 0 && out[len(out)-1].Port == "" {
			out[len(out)-1].Port = one // host,1433
			continue
		}
		s := Server{Scheme: scheme, Host: one}
		if i := strings.LastIndexByte(one, ':'); i >= 0 && isDigits(one[i+1:]) && (strings.Count(one, ":") == 1 || one[i-1] == ']') {
			s.Host, s.Port = one[:i], one[i+1:]
		}
		if !strings.HasPrefix(s.Host, "/") {
			s.Host, _, _ = strings.Cut(s.Host, `\`) // an instance of SQL Server
		}
		if s.Host != "" {
			out = append(out, s)
		}
	}
	return out
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// spacelessPairs removes the blanks around equals signs, and joins the words of names that have two.
func spacelessPairs(text string) string {
	for _, blank := range []string{" =", "= "} {
		for strings.Contains(text, blank) {
			text = strings.ReplaceAll(text, blank, "=")
		}
	}
	return text
}

// isPairEnd says what separates pairs: semicolons if there are any, or else blanks; and parentheses.
func isPairEnd(text string) func(rune) bool {
	if strings.Contains(text, ";") {
		return func(r rune) bool { return r == ';' || r == '(' || r == ')' }
	}
	return func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' }
}

// pairServers are the servers that pairs of names and values say.
func pairServers(pairs []string) (out []Server) {
	var ports []string
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		value = strings.Trim(strings.TrimSpace(value), `'"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "host", "hostaddr", "hostname", "server", "servername", "data source", "datasource", "address", "addr", "network address":
			out = append(out, hostServers("", value)...)
		case "port", "portnumber":
			ports = strings.Split(value, ",")
		case "service":
			out = append(out, Server{Host: "\xff"}) // a file names its host
		}
	}
	for i := range out {
		if len(ports) > 0 && out[i].Port == "" {
			out[i].Port = ports[min(i, len(ports)-1)]
		}
	}
	return out
}
