package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record/bodies"
)

// incompressible is a content as it comes from a compressor.
func incompressible(size int) []byte {
	b := make([]byte, size)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(b) // it never fails
	return b
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// The file becomes smaller when bodies go, while other processes have it open, and all go on.
func TestSpaceIsGivenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir.db")
	one, two := openStore(t, path), openStore(t, path)
	recordAll(t, two, "before")
	var all []bodies.Body
	content := incompressible(100 << 10)
	for i := range 100 {
		all = append(all, bodies.Body{RequestID: fmt.Sprint(i), Side: "request", Time: time.UnixMicro(int64(i)), Content: content})
	}
	if err := one.PutBodies(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	recordAll(t, two, "between")
	mergeLog(t, one)
	if size := sizeOf(t, path); size < 100*100<<10 {
		t.Fatalf("the file has %d bytes", size)
	}
	recordAll(t, two, "full")
	limit := bodies.Limit{Size: 1 << 20}
	for more := true; more; {
		var err error
		if _, more, err = one.DropBodies(t.Context(), limit); err != nil {
			t.Fatal(err)
		}
	}
	if err := one.FreeSpace(t.Context()); err != nil {
		t.Fatal(err)
	}
	mergeLog(t, one)
	if size := sizeOf(t, path); size > 3<<20 {
		t.Errorf("the file still has %d bytes", size)
	}
	recordAll(t, one, "after")
	recordAll(t, two, "after, too")
	if got := tools(t, readURL(t, "sqlite://"+path)); got != "before between full after after, too" {
		t.Errorf("read %q", got)
	}
	// A file that somebody cuts is still noticed.
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	if err := two.PutBodies(t.Context(), all[:1]); err == nil || !strings.Contains(err.Error(), "was cut while in use") {
		t.Errorf("after the file was cut: %v", err)
	}
}

// mergeLog has SQLite merge its log into the file.
func mergeLog(t *testing.T, s *Store) {
	t.Helper()
	var busy, log, moved int
	if err := s.write.QueryRow("PRAGMA wal_checkpoint(FULL)").Scan(&busy, &log, &moved); err != nil || busy != 0 {
		t.Fatalf("checkpoint: busy %d, %v", busy, err)
	}
}

// bodyVariable names the database that TestBodiesSurviveAKill's child writes to.
const bodyVariable = "WEIR_STORE_TEST_BODIES"

// TestBodyChild is the child: it stores bodies for as long as it lives, and prints what is durable.
func TestBodyChild(t *testing.T) {
	url := os.Getenv(bodyVariable)
	if url == "" {
		t.Skip("this is for TestBodiesSurviveAKill")
	}
	s, err := Open(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	content := incompressible(50 << 10)
	for i := 0; ; i++ {
		id := fmt.Sprintf("req_%d", i)
		pair := []bodies.Body{
			{RequestID: id, Side: "request", Time: time.Now(), Content: content, Body: call.Body{Size: 1}},
			{RequestID: id, Side: "response", Time: time.Now(), Content: content, Body: call.Body{Size: 1}},
		}
		if err := s.PutBodies(context.Background(), pair); err != nil {
			t.Fatal(err)
		}
		fmt.Println(id)
		if i%20 == 19 {
			if _, _, err := s.DropBodies(context.Background(), bodies.Limit{Size: 1 << 20}); err != nil {
				t.Fatal(err)
			}
			if err := s.FreeSpace(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Killed at any instant, also between deleting and giving back space: what was reported durable is there, both bodies of an exchange or
// none, and the next process goes on.
func TestBodiesSurviveAKill(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		for round := range 4 {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBodyChild$")
			c.Env = append(os.Environ(), bodyVariable+"="+url)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			last := ""
			for n := 0; n < 15+round && lines.Scan(); n++ {
				last = lines.Text()
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
				last = lines.Text() // it was said before the end
			}
			_ = c.Wait() // it was killed
			checkPairs(t, url, last)
		}
	})
}

// checkPairs demands that the last exchange is there, and every one as a whole.
func checkPairs(t *testing.T, url, last string) {
	t.Helper()
	s := openURL(t, url)
	if got, err := s.Bodies(t.Context(), last); err != nil || len(got) != 2 {
		t.Errorf("%d bodies of %q are there, %v", len(got), last, err)
	}
	var halves int
	if err := s.write.QueryRow("SELECT count(*) FROM (SELECT request_id FROM bodies GROUP BY request_id HAVING count(*) <> 2) AS halves").Scan(&halves); err != nil {
		t.Fatal(err)
	}
	if halves > 1 { // a portion that was dropped may end between two
		t.Errorf("%d exchanges are not whole", halves)
	}
	if _, _, err := s.DropBodies(t.Context(), bodies.Limit{}); err != nil {
		t.Error(err)
	}
}
