package postgrestest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// shared is the server that the tests of this process share, maybe with other processes.
var shared struct {
	sync.Mutex
	*Server
}

// Database returns the URL of a new, empty database. It is on a server that the tests of this process share: the server of Lend, or
// their own.
func Database(t testing.TB) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	startShared(t)
	return shared.Database(t)
}

// startShared starts the shared server if there is none. The caller must hold its lock.
func startShared(t testing.TB) {
	t.Helper()
	if shared.Server == nil {
		shared.Server = borrowed(t)
	}
	if shared.Server == nil {
		shared.Server = prepare(t)
		shared.Start(t)
	}
}

// prepared are the databases that are copied, by name.
var prepared = map[string]string{}

// Prepared returns the URL of a new copy of the database with this name, which prepare makes once: copying is faster than preparing
// again.
func Prepared(t testing.TB, name string, prepare func(url string) error) string {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	startShared(t)
	if prepared[name] == "" {
		template := "prepared_" + rand.Text()
		shared.Exec(t, "postgres", fmt.Sprintf("CREATE DATABASE %q", template))
		if err := prepare(shared.URL(template)); err != nil {
			t.Fatal(err)
		}
		prepared[name] = template
	}
	return shared.database(t, fmt.Sprintf("TEMPLATE %q STRATEGY FILE_COPY", prepared[name]))
}

// Address is the server's host and port.
func (s *Server) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// Password is the password of User.
func (s *Server) Password() string { return s.password }

// URL is the URL of a database for User.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(User, s.password), Host: s.Address(), Path: "/" + database}
	return u.String()
}

// Database creates an empty database and returns its URL. It is dropped at the end of the test.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	return s.database(t, "")
}

func (s *Server) database(t testing.TB, options string) string {
	t.Helper()
	name := "test_" + rand.Text()
	s.Exec(t, "postgres", fmt.Sprintf("CREATE DATABASE %q %s", name, options))
	t.Cleanup(func() {
		if s.keeper != nil || s.lent {
			s.Exec(t, "postgres", fmt.Sprintf("DROP DATABASE %q WITH (FORCE)", name))
		}
	})
	return s.URL(name)
}

// Exec runs statements on a database as User.
func (s *Server) Exec(t testing.TB, database string, statements ...string) {
	t.Helper()
	Exec(t, s.URL(database), statements...)
}

// Exec runs statements on the database at url.
func Exec(t testing.TB, url string, statements ...string) {
	t.Helper()
	if err := run(url, statements...); err != nil {
		t.Fatal(err)
	}
}

func run(url string, statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer c.Close(ctx) // the statements are done
	for _, s := range statements {
		if _, err := c.PgConn().Exec(ctx, s).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}
