// Package postgrestest starts PostgreSQL servers for tests, and ends them with the test.
package postgrestest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/port"
)

// User is the role that owns a server. It may do everything.
const User = "weir"

// patience is how long a server may take to start or to end.
const patience = time.Minute

// A Server is a PostgreSQL server that listens on this machine alone. It does not sync to disk, unless a test wants it.
type Server struct {
	lent     bool   // another process runs it; then only password and port are known
	bin      string // the folder of its programs
	dir      string // the folder of its files
	password string
	port     int
	release  func() // its port
	settings []string

	keeper *exec.Cmd
	orders io.WriteCloser
	ended  chan struct{}
}

// keeperScript runs a server until it reads a line with the signal to end it, or its input ends. The input ends whenever the test's
// process ends. Then the server's files are removed, too.
const keeperScript = `dir=$1; shift
"$@" >>"$dir/log" 2>&1 &
server=$!
IFS= read -r how
kill -"${how:-QUIT}" "$server" 2>/dev/null
wait "$server"
[ -n "$how" ] || rm -rf "$dir"
`

// New starts a server that ends with the test. The test may stop it and start it again. Settings such as "fsync=on" make a server
// more like a real one.
func New(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := prepare(t)
	s.settings = settings
	t.Cleanup(func() {
		s.end(t, "")
		s.release()
		os.RemoveAll(s.dir) // if it was stopped, its files still exist
	})
	s.Start(t)
	return s
}

// prepare is create for a test. It ends the test if PostgreSQL is not installed.
func prepare(t testing.TB) *Server {
	t.Helper()
	need.Long(t)
	s, err := create()
	if errors.Is(err, errMissing) {
		need.Missing(t, "the record in PostgreSQL", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var errMissing = errors.New("initdb and postgres are not installed")

// create makes the files of a server.
func create() (*Server, error) {
	bin, found := programs()
	if !found {
		return nil, errMissing
	}
	dir, err := os.MkdirTemp("", "weirpg")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir, password: rand.Text()}
	if err := s.initialise(); err != nil {
		os.RemoveAll(dir) // the first error is the one to report
		return nil, err
	}
	address, release, err := port.Hold()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.release = release
	s.port = int(netip.MustParseAddrPort(address).Port())
	return s, nil
}

func (s *Server) initialise() error {
	passwordFile := filepath.Join(s.dir, "password")
	if err := os.WriteFile(passwordFile, []byte(s.password), 0o600); err != nil {
		return err
	}
	if err := giveAway(s.dir, passwordFile); err != nil {
		return fmt.Errorf("give the server's files to its user: %w", err)
	}
	out, err := s.command("initdb", "-D", s.data(), "-U", User, "-A", "scram-sha-256", "--pwfile="+passwordFile,
		"--encoding=UTF8", "--no-locale", "--no-sync", "--no-instructions").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }
func (s *Server) log() string  { return filepath.Join(s.dir, "log") }

// command runs a program as a user who is not root, which PostgreSQL demands.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	path := name
	if !filepath.IsAbs(name) {
		path = filepath.Join(s.bin, name)
	}
	c := exec.Command(path, args...)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + s.dir}
	c.Dir = s.dir
	c.SysProcAttr = unprivileged()
	return c
}

// Start starts a server that is not running.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) start() error {
	err := s.tryStart()
	if err == nil {
		return nil
	}
	err = errors.Join(err, s.signal("INT"))
	log, _ := os.ReadFile(s.log())
	return fmt.Errorf("start PostgreSQL: %w\n%s", err, log[max(0, len(log)-4000):])
}

func (s *Server) tryStart() error {
	args := []string{
		"-c", keeperScript, "sh", s.dir, filepath.Join(s.bin, "postgres"), "-D", s.data(), "-p", strconv.Itoa(s.port), "-k", s.dir,
	}
	for _, setting := range append([]string{"listen_addresses=127.0.0.1", "fsync=off", "full_page_writes=off", "autovacuum=off"},
		s.settings...) {
		args = append(args, "-c", setting)
	}
	s.keeper = s.command("/bin/sh", args...)
	var err error
	if s.orders, err = s.keeper.StdinPipe(); err != nil {
		return err
	}
	if err := s.keeper.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.ended = ended
	keeper := s.keeper
	go func() {
		defer close(ended)
		keeper.Wait() // how it ended does not matter
	}()
	return s.await()
}

// await waits until the server responds.
func (s *Server) await() error {
	deadline := time.Now().Add(patience)
	for {
		err := run(s.URL("postgres"), "SELECT 1")
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond) // it depends on another process, so there is nothing to wait on
	}
}

// Stop ends the server, but not its files: at once, as if it was killed, or after it has closed all connections.
func (s *Server) Stop(t testing.TB, atOnce bool) {
	t.Helper()
	if atOnce {
		s.end(t, "QUIT")
	} else {
		s.end(t, "INT")
	}
}

// end ends the server by a signal; "": it also removes its files.
func (s *Server) end(t testing.TB, how string) {
	t.Helper()
	if err := s.signal(how); err != nil {
		t.Error(err)
	}
}

func (s *Server) signal(how string) error {
	if s.keeper == nil {
		return nil
	}
	if how != "" {
		io.WriteString(s.orders, how+"\n") // it may have ended already
	}
	s.orders.Close() // likewise
	s.keeper = nil
	select {
	case <-s.ended:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("PostgreSQL in %s does not end", s.dir)
	}
}

// programs finds the folder of PostgreSQL's programs: in PATH, or in the usual folders, the newest first.
func programs() (dir string, found bool) {
	folders := filepath.SplitList(os.Getenv("PATH"))
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin", "/usr/local/opt/postgresql*/bin",
		"/opt/homebrew/opt/postgresql*/bin",
	} {
		more, _ := filepath.Glob(pattern) // the patterns are well-formed
		slices.Sort(more)
		slices.Reverse(more)
		folders = append(folders, more...)
	}
	for _, dir := range folders {
		if executable(filepath.Join(dir, "initdb")) && executable(filepath.Join(dir, "postgres")) {
			return dir, true
		}
	}
	return "", false
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
