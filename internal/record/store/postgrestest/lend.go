package postgrestest

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"testing"
)

// lentVar holds the URL of a server that the tests of several processes share.
const lentVar = "WEIR_POSTGRES"

// Lend starts a server for the tests of several processes and writes a line with its URL, for WEIR_POSTGRES. It ends the server
// when the input ends. If PostgreSQL is not installed, the line is empty, and each test reports that itself.
func Lend(in io.Reader, out io.Writer) error {
	s, err := create()
	if errors.Is(err, errMissing) {
		_, err = fmt.Fprintln(out)
		return err
	}
	if err != nil {
		return err
	}
	s.settings = []string{"max_connections=400"}
	if err := s.start(); err != nil {
		return errors.Join(err, os.RemoveAll(s.dir))
	}
	_, err = fmt.Fprintln(out, s.URL("postgres"))
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	return errors.Join(err, s.signal(""), os.RemoveAll(s.dir))
}

// borrowed is the server that Lend runs for this process; nil: there is none.
func borrowed(t testing.TB) *Server {
	t.Helper()
	text := os.Getenv(lentVar)
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", lentVar, err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatalf("%s has no port: %v", lentVar, err)
	}
	password, _ := u.User.Password()
	return &Server{lent: true, password: password, port: port}
}
