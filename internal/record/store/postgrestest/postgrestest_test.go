package postgrestest

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// TestServer starts a server, loses nothing when it is stopped in good order, and leaves nothing behind.
func TestServer(t *testing.T) {
	var dir string
	t.Run("a server", func(t *testing.T) {
		s := New(t)
		dir = s.dir
		url := s.Database(t)
		Exec(t, url, "CREATE TABLE a (b int)", "INSERT INTO a VALUES (1)")
		s.Stop(t, false)
		if run(url, "SELECT 1") == nil {
			t.Error("it answers though stopped")
		}
		s.Start(t)
		Exec(t, url, "INSERT INTO a SELECT b FROM a")
	})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("its files are still there: %v", err)
	}
}

// TestDatabases of the shared server are apart.
func TestDatabases(t *testing.T) {
	one, two := Database(t), Database(t)
	Exec(t, one, "CREATE TABLE a (b int)")
	Exec(t, two, "CREATE TABLE a (b int)")
}

// TestLend lends a server to another process, as which this one poses, and ends it when nobody listens any more.
func TestLend(t *testing.T) {
	in, orders := io.Pipe()
	lines, out := io.Pipe()
	ended := make(chan error)
	go func() {
		err := Lend(in, out)
		out.Close()
		ended <- err
	}()
	line, err := bufio.NewReader(lines).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-ended)
	}
	url := strings.TrimSpace(line)
	if url == "" {
		need.Missing(t, "the record in PostgreSQL", errMissing.Error())
	}
	t.Setenv(lentVar, url)
	t.Run("borrowed", func(t *testing.T) { Exec(t, borrowed(t).Database(t), "CREATE TABLE a (b int)") })
	orders.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if run(url, "SELECT 1") == nil {
		t.Error("it answers though nobody wants it")
	}
}
