package transcript

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
)

// FuzzRead: no text breaks a reader, and the arguments of a call are strict or said not to be.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{
		"claude/projects/*/*.jsonl", "codex/sessions/*/*/*/*.jsonl", "gemini/tmp/*/chats/*", "opencode/storage/part/*/*.json",
	} {
		files, err := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			lines := bufio.NewScanner(bytes.NewReader(data))
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				f.Add(lines.Bytes())
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check := func(c Call) bool {
			if c.Tool == "" {
				t.Errorf("a call without a name: %+v", c)
			}
			if c.Trouble == "" && strictjson.CheckArguments(c.Args) != nil {
				t.Errorf("the arguments %q pass as strict", c.Args)
			}
			return true
		}
		calls, _ := CallsIn(text)
		for _, c := range calls {
			check(c)
		}
		for _, k := range kinds {
			r, err := NewReading(Selection{Agent: k.name, Servers: []string{"fs"}})
			if err != nil {
				t.Fatal(err)
			}
			r.ctx = t.Context()
			r.readLines("f", bytes.NewReader(text), check)
		}
		_ = geminiMessages(bytes.NewReader(text), func(m geminiMessage) bool {
			for _, c := range m.calls() {
				check(c)
			}
			return true
		})
	})
}
