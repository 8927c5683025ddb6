package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	postgresForm = "postgres://user:password@host:5432/database"
	postgresCure = "write " + postgresForm + ", with special characters in it as %XX"
)

var postgresKind = kind{
	schemes:   []string{"postgres", "postgresql"},
	form:      postgresForm,
	example:   "postgres://user@host/database",
	described: "postgres:// with user, host and database",
	advised:   "postgres://user@host/database",
	parse:     func(storeURL string) (address, error) { return parsePostgres(storeURL) },
	check:     checkPostgres,
	trouble:   postgresTrouble,
	passing:   postgresPassing,
}

// A postgresAddress is how to connect to a server, and the name of its database for people.
type postgresAddress struct {
	config *pgx.ConnConfig
	name   string
}

func (a postgresAddress) String() string { return a.name }

func (a postgresAddress) location() string {
	place := fmt.Sprintf("postgres://%s:%d/%s", a.config.Host, a.config.Port, a.config.Database)
	if schema := a.config.RuntimeParams["search_path"]; schema != "" {
		place += "?search_path=" + schema
	}
	return place
}

// connectWithin bounds how long connecting may take, if the URL does not.
const connectWithin = 5 * time.Second

// parsePostgres parses a store URL. Errors show nothing of it: in a wrong URL it may not be clear where the password ends.
func parsePostgres(storeURL string) (postgresAddress, error) {
	u, err := url.Parse(storeURL)
	if err != nil || ambiguous(u) {
		return postgresAddress{}, errors.New("store: url: it cannot be read; " + postgresCure)
	}
	query := u.Query()
	if strings.Trim(u.Path, "/") == "" && !query.Has("dbname") && os.Getenv("PGDATABASE") == "" && !query.Has("service") {
		return postgresAddress{}, errors.New("store: url: no database is named; " + postgresCure)
	}
	if !query.Has("sslmode") && os.Getenv("PGSSLMODE") == "" && !query.Has("service") && !local(u, query) {
		// The driver's own default falls back to plain text, which an attacker on the network can force.
		u.RawQuery = strings.TrimPrefix(u.RawQuery+"&sslmode=require", "&") // existing options stay as they are written
	}
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return postgresAddress{}, fmt.Errorf("store: url: the options of %s cannot be used; check them, sslmode and the files "+
			"that they name, or %s", nameOf(u), postgresCure)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectWithin
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "weir"
	}
	config.DialFunc = dial
	return postgresAddress{config: config, name: nameOf(u)}, nil
}

func checkPostgres(storeURL string, env func(string) (string, bool), report func(what, cure string)) {
	u, err := url.Parse(storeURL)
	if err != nil || ambiguous(u) {
		report("this is not the URL of a database", postgresCure)
		return
	}
	query := u.Query()
	if named, _ := env("PGDATABASE"); strings.Trim(u.Path, "/") == "" && named == "" && !query.Has("dbname") && !query.Has("service") {
		report("no database is named", postgresCure)
	}
	for host := range strings.SplitSeq(u.Host, ",") {
		if _, port, err := net.SplitHostPort(host); err == nil && !isPort(port) {
			report("the port is not a number from 1 to 65535", postgresCure)
		}
	}
	if query.Has("port") && !isPort(query.Get("port")) {
		report("the option port is not a number from 1 to 65535", postgresCure)
	}
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

// local says whether all hosts of a URL are this machine.
func local(u *url.URL, query url.Values) bool {
	hosts := u.Host
	if query.Has("host") {
		hosts = query.Get("host")
	} else if hosts == "" {
		hosts = os.Getenv("PGHOST")
	}
	for host := range strings.SplitSeq(hosts, ",") {
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		ip := net.ParseIP(strings.Trim(host, "[]"))
		if host != "" && host != "localhost" && !strings.HasPrefix(host, "/") && (ip == nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// dial connects with keep-alives, so that a lost peer is noticed also while nothing is sent.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}}
	return d.DialContext(ctx, network, address)
}
