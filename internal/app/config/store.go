package config

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Store says where the record is kept.
type Store struct {
	URL string // sqlite:// and a path, or postgres:// and a database; it may hold a password
}

const sqliteScheme = "sqlite://"

var storeShape = yamlfile.Shape{Required: []string{"url"}}

func (r *reader) store(cfg *Config, n *yamlfile.Node) {
	if !r.report.Mapping(n, storeShape) || n.Get("url") == nil {
		return
	}
	v := n.Get("url")
	text, ok := r.text(v, "a URL such as sqlite:///var/lib/weir/weir.db")
	if !ok {
		return
	}
	path, isSQLite := strings.CutPrefix(text, sqliteScheme)
	switch {
	case isSQLite:
		r.sqlite(cfg, v, path)
	case strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://"):
		r.postgres(v, text)
		cfg.Store.URL = text
	default:
		r.report.Add(v, "this is not a store", "write sqlite:// and a path, such as sqlite:///var/lib/weir/weir.db, or postgres://user@host/database")
	}
}

func (r *reader) sqlite(cfg *Config, n *yamlfile.Node, path string) {
	const cure = "write sqlite:// and the path of a file, such as sqlite:///var/lib/weir/weir.db"
	switch {
	case path == "" || strings.HasSuffix(path, "/"):
		r.report.Add(n, "no file is named", cure)
	case strings.ContainsAny(path, "?#"):
		r.report.Add(n, "a path with ? or # is not supported", cure)
	default:
		cfg.Store.URL = sqliteScheme + r.file(n, path)
	}
}

// postgres checks what can be told of the URL of a database without connecting. Nothing of it is repeated in a message: what is
// wrong may hide where the password ends.
func (r *reader) postgres(n *yamlfile.Node, text string) {
	const cure = "write postgres://user:password@host:5432/database, with special characters in it as %XX"
	u, err := url.Parse(text)
	// A / ? # or @ in the password that nobody wrote as %XX ends it too early, and the rest stands where it does not belong.
	if err != nil || u.Fragment != "" || strings.Contains(u.Path, "@") || u.User == nil && u.Host != "" && strings.Contains(u.RawQuery, "@") {
		r.report.Add(n, "this is not the URL of a database", cure)
		return
	}
	query := u.Query()
	if named, _ := r.env("PGDATABASE"); strings.Trim(u.Path, "/") == "" && named == "" && !query.Has("dbname") && !query.Has("service") {
		r.report.Add(n, "no database is named", cure)
	}
	for host := range strings.SplitSeq(u.Host, ",") {
		if _, port, err := net.SplitHostPort(host); err == nil && !isPort(port) {
			r.report.Add(n, "the port is not a number from 1 to 65535", cure)
		}
	}
	if query.Has("port") && !isPort(query.Get("port")) {
		r.report.Add(n, "the option port is not a number from 1 to 65535", cure)
	}
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}
