package transcript

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/run/agent"
)

var update = flag.Bool("update", false, "write the expectations")

// home is a copy of what an agent stored: real agents wrote most of the fixtures.
func home(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	if statements, err := os.ReadFile(filepath.Join(dir, "opencode.sql")); err == nil {
		database(t, filepath.Join(dir, "opencode.db"), string(statements))
	}
	return dir
}

func database(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

func readAll(t *testing.T, what Selection) ([]Call, Tally) {
	t.Helper()
	r, err := NewReading(what)
	if err != nil {
		t.Fatal(err)
	}
	var calls []Call
	for c, err := range r.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	return calls, r.Tally
}

// written is a call on one line.
func written(dir string, c Call) string {
	file, err := filepath.Rel(dir, c.File)
	if err != nil {
		file = c.File
	}
	out := fmt.Sprintf("%s:%d%s %s %s", filepath.ToSlash(file), c.Line, c.Row, c.Time.UTC().Format(time.RFC3339), c.Tool)
	if c.Server != "" {
		out += " of " + c.Server
	}
	out += " " + string(c.Args)
	for _, mark := range []struct {
		name string
		is   bool
	}{{"subagent", c.Side}, {"stopped", c.Stopped}, {"ran", c.Ran}, {c.Trouble, c.Trouble != ""}} {
		if mark.is {
			out += " (" + mark.name + ")"
		}
	}
	if len(c.Spellings) > 0 {
		out += " or " + strings.Join(c.Spellings, ", ")
	}
	return out + fmt.Sprintf(" [%s %s %s]", c.ID, c.Model, c.Dir)
}

// The same holds for every agent.
func TestContract(t *testing.T) {
	for _, name := range Agents() {
		t.Run(name, func(t *testing.T) {
			dir := home(t, name)
			what := Selection{Agent: name, Path: dir, Servers: []string{"fs"}}
			calls, tally := readAll(t, what)
			checkGolden(t, dir, name, calls, tally)
			if tally.BadFiles != 0 || tally.BadLines != 0 || tally.Calls != len(calls) {
				t.Errorf("of good transcripts: %+v", tally)
			}
			checkBounds(t, what, calls)
			checkNoise(t, what, calls)
			t.Run("where the agent has them", func(t *testing.T) { checkHomes(t, name, dir, len(calls)) })
		})
	}
}

func checkGolden(t *testing.T, dir, name string, calls []Call, tally Tally) {
	t.Helper()
	var got strings.Builder
	for _, c := range calls {
		got.WriteString(written(dir, c) + "\n")
	}
	fmt.Fprintf(&got, "%d files, %d calls, %d repeated\n", tally.Files, tally.Calls, tally.Repeated)
	golden := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// checkBounds wants only the calls of a time, and no more of them than are asked for.
func checkBounds(t *testing.T, what Selection, all []Call) {
	t.Helper()
	middle := all[len(all)/2].Time
	early, late := what, what
	early.Until, late.Since = middle, middle
	before, _ := readAll(t, early)
	after, _ := readAll(t, late)
	if len(before)+len(after) != len(all) {
		t.Errorf("%d calls before and %d after, of %d", len(before), len(after), len(all))
	}
	for _, c := range before {
		if !c.Time.Before(middle) {
			t.Errorf("a call of %v where all are before %v", c.Time, middle)
		}
	}
	r, err := NewReading(what)
	if err != nil {
		t.Fatal(err)
	}
	for range r.All(t.Context()) {
		break
	}
	if r.Tally.Calls != 1 {
		t.Errorf("%d calls were read where one was wanted", r.Tally.Calls)
	}
	what.Since = time.Now().Add(time.Hour) // after the files were written
	if calls, tally := readAll(t, what); len(calls) != 0 || tally.Files != 0 {
		t.Errorf("of old files: %d calls, %+v", len(calls), tally)
	}
}

// checkNoise wants the same calls where lines are broken, empty, of unknown kinds, of other types and very long, and files unreadable.
func checkNoise(t *testing.T, what Selection, want []Call) {
	t.Helper()
	for path, ext := range map[string]string{
		"claude": "projects/p/noise.jsonl", "codex": "sessions/2026/11/18/rollout-noise.jsonl",
		"gemini": "tmp/p/chats/session-noise.jsonl",
	} {
		if path != what.Agent {
			continue
		}
		noise := strings.Join([]string{
			`{"type":"assistant","message":{"content":[{"type":"tool_use","na`, `[]`, `"x"`, `17`, ``, `   `, `{}`, `null`, "\x00\xff", `{"a":1}{`,
			`{"type":"new_kind","payload":{"type":"new_item","name":7},"message":"text","toolCalls":{},"content":5,"$set":[],"data":"x"}`,
			`{"type":7,"timestamp":{},"payload":{"type":[],"call_id":{}},"message":{"content":{"type":"tool_use"}},"toolCalls":[1,{"name":2}]}`,
			`{"x":"` + strings.Repeat("x", maxLine) + `"}`,
		}, "\n")
		file := filepath.Join(what.Path, filepath.FromSlash(ext))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(noise), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if what.Agent == "opencode" {
		database(t, filepath.Join(what.Path, "opencode.db"), `INSERT INTO part VALUES ('prt_bad', 'm', 's', 1794982400000, 1794982400000, '{"tool"');
			INSERT INTO part VALUES ('prt_odd', 'm', 's', 1794982400000, 1794982400000, '{"type":"tool","tool":7,"state":[]}')`)
		if err := os.WriteFile(filepath.Join(what.Path, "opencode-other.db"), []byte("no database, but long enough"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, tally := readAll(t, what)
	if len(got) != len(want) {
		t.Errorf("%d calls beside noise, want %d", len(got), len(want))
	}
	if tally.BadLines == 0 || len(tally.Troubles) == 0 || tally.Troubles[0].File == "" || tally.Troubles[0].Why == "" {
		t.Errorf("what could not be read is not told: %+v", tally)
	}
	if what.Agent == "opencode" && tally.BadFiles != 1 {
		t.Errorf("%d files could not be read, want 1: %+v", tally.BadFiles, tally.Troubles)
	}
}

// checkHomes wants the transcripts to be found by the variables and folders that the agent itself uses.
func checkHomes(t *testing.T, name, dir string, calls int) {
	user := t.TempDir()
	places := map[string]struct{ variable, value, below string }{
		"claude":   {"CLAUDE_CONFIG_DIR", "elsewhere", ".claude"},
		"codex":    {"CODEX_HOME", "elsewhere", ".codex"},
		"gemini":   {"GEMINI_CLI_HOME", "elsewhere", ".gemini"},
		"opencode": {"XDG_DATA_HOME", "elsewhere", ".local/share/opencode"},
	}
	place := places[name]
	target := filepath.Join(user, filepath.FromSlash(place.below))
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	if err := os.Symlink(dir, target); err != nil {
		t.Fatal(err)
	}
	around := agent.Surroundings{Home: user}
	got, tally := readAll(t, Selection{Agent: name, Around: around})
	if len(got) != calls || len(tally.Places) == 0 {
		t.Errorf("%d calls in the home, want %d: %+v", len(got), calls, tally)
	}
	elsewhere := filepath.Join(user, place.value)
	around.Lookup = func(v string) (string, bool) { return elsewhere, v == place.variable }
	if got, tally := readAll(t, Selection{Agent: name, Around: around}); len(got) != 0 || tally.BadFiles != 0 || !strings.HasPrefix(tally.Places[0], elsewhere) {
		t.Errorf("%d calls, where the agent has nothing: %+v", len(got), tally)
	}
}

func TestWrongSelection(t *testing.T) {
	for _, what := range []Selection{{Agent: "emacs"}, {Agent: "claude", Path: filepath.Join(t.TempDir(), "nowhere")}} {
		if _, err := NewReading(what); err == nil {
			t.Errorf("%+v is read", what)
		}
	}
}

// Codex compresses old files.
func TestCompressed(t *testing.T) {
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(w, `{"timestamp":"2026-11-18T06:00:00Z","type":"response_item","payload":{"type":"local_shell_call","call_id":"c","action":{"command":["ls"]}}}`)
	w.Close()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.jsonl.zst": packed.Bytes(), "b.jsonl.zst": []byte("not packed")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	calls, tally := readAll(t, Selection{Agent: "codex", Path: dir})
	if len(calls) != 1 || calls[0].Tool != "local_shell" || tally.BadFiles != 1 {
		t.Errorf("%+v, %+v", calls, tally)
	}
}

// The memory of a reading does not grow with the transcripts.
func TestReadingIsBounded(t *testing.T) {
	r, err := NewReading(Selection{Agent: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	most, given := 0, 0
	var w waiting
	for i := range 10 * maxWaiting {
		w.add(r, Call{Tool: "t", ID: fmt.Sprint(i), Args: []byte(`{"x":"` + strings.Repeat("x", i*100) + `"}`)}, func(Call) bool { given++; return true })
		most = max(most, len(w.calls))
	}
	w.add(r, Call{Tool: "t", Args: make([]byte, 2*maxHeld)}, func(Call) bool { given++; return true })
	if most > maxWaiting || w.held > maxHeld || given != 10*maxWaiting+1 {
		t.Errorf("%d calls waited, %d bytes are held, %d were given", most, w.held, given)
	}
	for i := range 3 * maxTroubles {
		r.badLine("f", i, errLong)
	}
	if len(r.Tally.Troubles) != maxTroubles || r.Tally.BadLines != 3*maxTroubles {
		t.Errorf("%d troubles are named, %d counted", len(r.Tally.Troubles), r.Tally.BadLines)
	}
}
