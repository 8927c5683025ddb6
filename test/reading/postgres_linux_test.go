package reading

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

const (
	postgres      = "postgres"             // what a job's Dump says
	socketsVar    = "READING_TEST_SOCKETS" // the folder with the server's socket, outside of a sandbox
	socketsFolder = "/run/postgres"        // the same inside
)

// startPostgres starts a server with the database "shop", and returns the variables of sandboxes that may use it. A sandbox has no network, so
// the server listens on a socket in a folder, too.
func startPostgres(t *testing.T) []string {
	t.Helper()
	sockets, err := os.MkdirTemp("", "reading")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	if err := os.Chmod(sockets, 0o777); err != nil { // the server is another user
		t.Fatal(err)
	}
	server := postgrestest.New(t, "unix_socket_directories="+sockets)
	server.Exec(t, "postgres", "CREATE DATABASE shop")
	for _, statement := range []string{
		"CREATE TABLE users (id integer, name text)", "INSERT INTO users VALUES (1,'a'), (2,'b'), (3,'c')",
		"CREATE TABLE orders (id integer)", "INSERT INTO orders VALUES (7)",
	} {
		server.Exec(t, "shop", statement)
	}
	_, port, err := net.SplitHostPort(server.Address())
	if err != nil {
		t.Fatal(err)
	}
	return []string{socketsVar + "=" + sockets, "PGPORT=" + port, "PGUSER=" + postgrestest.User, "PGPASSWORD=" + server.Password()}
}

// bindSockets shows the folder of the server's socket in a sandbox.
func bindSockets(folder *os.File) error {
	if os.Getenv(socketsVar) == "" {
		return nil
	}
	if err := os.Mkdir(socketsFolder, 0o755); err != nil {
		return err
	}
	from := fmt.Sprintf("/proc/self/fd/%d", folder.Fd())
	if err := unix.Mount(from, socketsFolder, "", unix.MS_BIND, ""); err != nil {
		return &os.PathError{Op: "mount", Path: socketsFolder, Err: err}
	}
	return nil
}

// postgresVariables lead the programs of a sandbox to its own database.
func postgresVariables() (list []string) {
	if os.Getenv(socketsVar) == "" {
		return nil
	}
	for _, name := range []string{"PGPORT", "PGUSER", "PGPASSWORD"} {
		list = append(list, name+"="+os.Getenv(name))
	}
	return append(list, "PGHOST="+socketsFolder, "PGDATABASE="+ownDatabase())
}

// ownDatabase is the copy of "shop" that a sandbox works on.
func ownDatabase() string { return fmt.Sprintf("shop%d", os.Getpid()) }

// renewPostgres makes the copy anew.
func renewPostgres() error {
	_, err := client("psql", "-q", "-d", "template1", "-v", "ON_ERROR_STOP=1", "-c", "SET client_min_messages = error",
		"-c", "DROP DATABASE IF EXISTS "+ownDatabase()+" WITH (FORCE)", "-c", "CREATE DATABASE "+ownDatabase()+" TEMPLATE shop")
	return err
}

// dumpPostgres prints the copy, and nothing if it is gone.
func dumpPostgres() (string, error) {
	names, err := client("psql", "-d", "template1", "-Atc", "SELECT datname FROM pg_database")
	if err != nil || !slices.Contains(strings.Fields(names), ownDatabase()) {
		return "", err
	}
	out, err := client("pg_dump")
	lines := slices.DeleteFunc(strings.Split(out, "\n"), func(line string) bool {
		return strings.Contains(line, "restrict") // with a key that is another one each time
	})
	return strings.Join(lines, "\n"), err
}

func client(name string, args ...string) (string, error) {
	cmd := exec.Command(filepath.Join("/usr/bin", name), args...)
	cmd.Env = environment(true)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return string(out), nil
}
