package postgrestest

import (
	"os"
	"testing"
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
