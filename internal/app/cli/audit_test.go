package cli

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/custodian"
	"github.com/weir-gate/weir/internal/record/follower"
	"github.com/weir-gate/weir/internal/record/home"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store"
)

// A keptRecord is a record that a keeper looked after, and the key it did so with.
type keptRecord struct {
	dir, url, key string
}

// keepRecord makes a record of two chains. Of the first the older half was removed.
func keepRecord(t *testing.T) keptRecord {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	r := keptRecord{dir: dir, url: "sqlite://" + filepath.Join(dir, "weir.db"), key: filepath.Join(dir, "weir", "audit.key")}
	s, err := home.Open(t.Context(), home.Config{URL: r.url})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // what was written is committed
	key, err := checkpoint.OpenKey(r.key)
	if err != nil {
		t.Fatal(err)
	}
	place, err := store.URL(r.url).Location()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var rec *recorder.Recorder
		k := custodian.New(custodian.Config{
			Store: s, Key: key, Witness: checkpoint.Witness{KeyPath: r.key, Location: place}, Chain: func() string { return rec.Chain() }, MaxBytes: 12 << 10,
		})
		log, err := s.Follow(follower.Config{OnStored: k.StoredEntries})
		if err != nil {
			t.Fatal(err)
		}
		rec = recorder.New(recorder.Config{Store: log})
		if err := k.Checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			rec.Record(record.Event{
				Type: record.Types.ToolCall, Tool: fmt.Sprint("=tool", i, "<b>"), Ruling: record.Ruling{Blocked: i%2 == 0},
				Time: time.Now(),
			}, nil)
		}
		if err := errors.Join(rec.Close(t.Context()), log.Close(t.Context()), k.Maintain(t.Context()), k.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// weir runs a command and returns its exit code and output.
func weir(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func wantRun(t *testing.T, code int, text string, args ...string) string {
	t.Helper()
	got, out, errOut := weir(t, args...)
	if got != code || !strings.Contains(out+errOut, text) {
		t.Errorf("weir %s: code %d, want %d and %q in:\n%s%s", strings.Join(args, " "), got, code, text, out, errOut)
	}
	return out
}

func TestVerifyKept(t *testing.T) {
	r := keepRecord(t)
	lines := filepath.Join(r.dir, "heads.txt")
	whole := wantRun(t, 0, "\nintact: ", "audit", "verify", "--store", r.url)
	if !strings.Contains(whole, "\nkey ed25519:") || strings.Count(whole, "head chain_") != 2 || strings.Contains(whole, "10 events") {
		t.Errorf("verify says:\n%s", whole)
	}
	heads := wantRun(t, 0, `"heads"`, "audit", "export", "--heads", "--store", r.url)
	report := wantRun(t, 0, `"intact": true`, "audit", "verify", "--json", "--store", r.url)
	for _, text := range []string{whole, heads, report} {
		if err := os.WriteFile(lines, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.url, "--head", lines)
		changed := regexp.MustCompile(`"n": ?`).ReplaceAllString(text, "${0}1")
		if err := os.WriteFile(lines, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		wantRun(t, 1, "what was kept was changed", "audit", "verify", "--store", r.url, "--head", lines)
	}
}

func TestVerifyKeys(t *testing.T) {
	r := keepRecord(t)
	public := filepath.Join(r.dir, "keys.txt")
	out := wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.url)
	if err := os.WriteFile(public, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(r.dir, "moved.key")
	if err := os.Rename(r.key, moved); err != nil {
		t.Fatal(err)
	}
	out = wantRun(t, 1, "signed by an unknown key", "audit", "verify", "--store", r.url)
	if !strings.Contains(out, "no checkpoint vouches for it") {
		t.Errorf("a cut that an unknown key signed is accepted:\n%s", out)
	}
	wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.url, "--key", moved)
	wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.url, "--key", public)
	if _, err := checkpoint.OpenKey(r.key); err != nil { // weir has made another one
		t.Fatal(err)
	}
	wantRun(t, 1, "signed by an unknown key", "audit", "verify", "--store", r.url)
	wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.url, "--key", public)
	wantRun(t, 2, "no Ed25519 key", "audit", "verify", "--store", r.url, "--key", "root.go")
	if err := os.Chmod(r.key, 0o644); err != nil {
		t.Fatal(err)
	}
	wantRun(t, 2, "run chmod 600", "audit", "verify", "--store", r.url)
}

// TestVerifyWitness rewrites a record without its key: the newest checkpoint lies beside the key.
func TestVerifyWitness(t *testing.T) {
	r := keepRecord(t)
	info, err := os.Stat(r.key + ".last")
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("beside the key: %v, %v", info, err)
	}
	s, err := sql.Open("sqlite", strings.TrimPrefix(r.url, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"DROP TRIGGER checkpoints_no_delete", "DELETE FROM checkpoints WHERE n = (SELECT max(n) FROM checkpoints)"} {
		if _, err := s.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	wantRun(t, 1, "the kept checkpoint is not in the record: it was removed", "audit", "verify", "--store", r.url)
	// A copy of the store is not the store.
	wantRun(t, 0, "intact: ", "audit", "verify", "--store", r.copyStore(t))
	// Whoever has the key elsewhere has the file elsewhere.
	for _, suffix := range []string{"", ".last"} {
		if err := os.Rename(r.key+suffix, filepath.Join(r.dir, "moved.key"+suffix)); err != nil {
			t.Fatal(err)
		}
	}
	wantRun(t, 1, "it was removed", "audit", "verify", "--store", r.url, "--key", filepath.Join(r.dir, "moved.key"))
	out := wantRun(t, 1, "not signed: no checkpoint of a known key covers this record", "audit", "verify", "--store", r.url)
	if !strings.Contains(out, "with --key") {
		t.Errorf("the cure is not named:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "moved.key.last"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantRun(t, 2, "move the file away", "audit", "verify", "--store", r.url, "--key", filepath.Join(r.dir, "moved.key"))
	if _, err := s.Exec("DELETE FROM checkpoints"); err != nil {
		t.Fatal(err)
	}
	wantRun(t, 1, "not signed: no checkpoint of a known key covers this record", "audit", "verify", "--store", r.url)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// copyStore copies the database and returns the copy's URL.
func (r keptRecord) copyStore(t *testing.T) string {
	t.Helper()
	from, path := strings.TrimPrefix(r.url, "sqlite://"), filepath.Join(r.dir, "copy.db")
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.CopyFS(path+"-log", os.DirFS(from+"-log"))); err != nil {
		t.Fatal(err)
	}
	return "sqlite://" + path
}

func TestExportKept(t *testing.T) {
	r := keepRecord(t)
	out := filepath.Join(r.dir, "events")
	for _, format := range []string{"jsonl", "csv", "ocsf"} {
		shown := wantRun(t, 0, "tool", "audit", "export", "--store", r.url, "--format", format)
		wantRun(t, 0, "", "audit", "export", "--store", r.url, "--format", format, "--out", out)
		written, err := os.ReadFile(out)
		if err != nil || string(written) != shown {
			t.Errorf("%s: the file holds something else, %v", format, err)
		}
		if info, err := os.Stat(out); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: mode %v, %v", format, info.Mode(), err)
		}
		if strings.ContainsAny(shown, "<>") {
			t.Errorf("%s: markup in\n%s", format, shown)
		}
	}
	refused := wantRun(t, 0, "", "audit", "export", "--store", r.url, "--blocked", "--type", "tool_call")
	all := wantRun(t, 0, "", "audit", "export", "--store", r.url)
	if n, m := strings.Count(refused, "\n"), strings.Count(all, "\n"); n == 0 || n >= m {
		t.Errorf("%d of %d events are refused calls", n, m)
	}
	for line := range strings.Lines(all) {
		if err := json.Unmarshal([]byte(line), &map[string]any{}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	table := wantRun(t, 0, "", "audit", "export", "--store", r.url, "--format", "csv", "--until", "2000-01-01")
	if rows, err := csv.NewReader(strings.NewReader(table)).ReadAll(); err != nil || len(rows) != 1 {
		t.Errorf("of no events: %v, %v", rows, err)
	}
	wantRun(t, 2, `"xml" is not a format; use jsonl, csv or ocsf`, "audit", "export", "--store", r.url, "--format", "xml")
	wantRun(t, 2, "--type", "audit", "export", "--store", r.url, "--type", "x")
	wantRun(t, 2, "--since", "audit", "export", "--store", r.url, "--since", "soon")
	wantRun(t, 2, "--out", "audit", "export", "--store", r.url, "--out", filepath.Join(r.dir, "nowhere", "x"))
	wantRun(t, 2, "heads", "audit", "export", "--store", r.url, "--heads", "--format", "csv")
	if left, err := filepath.Glob(filepath.Join(r.dir, ".*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
