package script

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A program is a text and how it is run.
type program struct {
	Source string `json:"source"`
	Module bool   `json:"module"`
}

// A made call is one that a running program made.
type made struct {
	Tool string  `json:"tool"`
	Args *string `json:"args"` // what JSON.stringify gave; nil: nothing
}

// runAll runs programs with node and gives the calls that each makes.
func runAll(t *testing.T, programs []program) [][]made {
	t.Helper()
	need.Long(t)
	node, err := exec.LookPath("node")
	if err != nil {
		need.Missing(t, "the reading of JavaScript against a run of it", "node is not installed")
	}
	input, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "--experimental-vm-modules", "--no-warnings", filepath.Join("testdata", "run.cjs"))
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var calls [][]made
	if err := json.Unmarshal(output, &calls); err != nil || len(calls) != len(programs) {
		t.Fatalf("%d programs ran, want %d: %v", len(calls), len(programs), err)
	}
	return calls
}

// covers reports whether one of calls says what a program did.
func covers(calls []Call, did made) bool {
	for _, c := range calls {
		if c.Tool != did.Tool {
			continue
		}
		if !c.Known {
			return true
		}
		var want, got any
		if json.Unmarshal(c.Args, &want) != nil {
			return false
		}
		switch {
		case did.Args == nil:
			got = map[string]any{}
		case json.Unmarshal([]byte(*did.Args), &got) != nil:
			continue
		}
		if s, ok := got.(string); ok {
			got = map[string]any{"input": s}
		}
		holes := map[string]bool{}
		for _, hole := range c.Holes {
			holes[hole] = true
		}
		if same(want, got, "", holes) {
			return true
		}
	}
	return false
}

// same compares two values, except where want has holes.
func same(want, got any, at string, holes map[string]bool) bool {
	if holes[at] {
		return true
	}
	inside := func(name string) string {
		return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		for name := range got {
			if _, has := want[name]; !has {
				return false
			}
		}
		for name, item := range want {
			if _, has := got[name]; !has && !holes[inside(name)] || !same(item, got[name], inside(name), holes) {
				return false
			}
		}
		return ok
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !same(want[i], got[i], inside(strconv.Itoa(i)), holes) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}

// tooOften gives the tool that a program called more often than its reading says, if there is one.
func tooOften(calls []Call, did []made) string {
	made, read, repeats := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, d := range did {
		made[d.Tool]++
	}
	for _, c := range calls {
		read[c.Tool]++
		repeats[c.Tool] = repeats[c.Tool] || c.Repeats
	}
	for tool, n := range made {
		if n > read[tool] && !repeats[tool] {
			return tool
		}
	}
	return ""
}

// compare runs programs and fails for every call that the reading lacks. It gives how many were not opaque, and how
// many calls of those were made.
func compare(t *testing.T, programs []program) (certain, count int) {
	t.Helper()
	for i, did := range runAll(t, programs) {
		r := Read(programs[i].Source, []string{"tools"})
		strict(t, r)
		if r.Opaque {
			continue
		}
		certain++
		count += len(did)
		if tool := tooOften(r.Calls, did); tool != "" {
			t.Errorf("%s is called more often than was read by (module: %v)\n%s\nread:\n%s", tool, programs[i].Module, programs[i].Source, calls(r))
		}
		for _, d := range did {
			if !covers(r.Calls, d) {
				args := "nothing"
				if d.Args != nil {
					args = *d.Args
				}
				t.Errorf("%s with %s is called by (module: %v)\n%s\nbut was read:\n%s", d.Tool, args, programs[i].Module, programs[i].Source, calls(r))
			}
		}
	}
	return certain, count
}

// corpus is the programs of the test files.
func corpus(t testing.TB) []string {
	t.Helper()
	var sources []string
	for _, name := range []string{"ordinary.txtar", "obfuscated.txtar"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".js") {
				sources = append(sources, string(f.Data))
			}
		}
	}
	return sources
}

func seed(t *testing.T) *rand.Rand {
	n := uint64(1)
	if s := os.Getenv("SCRIPT_SEED"); s != "" {
		var err error
		if n, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return rand.New(rand.NewPCG(n, 7))
}

// TestNodeCorpus: what the programs of the tables do when they run is in their readings.
func TestNodeCorpus(t *testing.T) {
	var programs []program
	for _, source := range corpus(t) {
		programs = append(programs, program{source, false}, program{source, true})
	}
	if certain, count := compare(t, programs); certain < 200 || count < 200 {
		t.Errorf("%d programs were clear and made %d calls", certain, count)
	}
}

// TestNodeSpliced: the same for programs put together of others, with tokens lost, doubled and exchanged.
func TestNodeSpliced(t *testing.T) {
	rnd := seed(t)
	sources := corpus(t)
	var programs []program
	for range 2000 {
		var parts []string
		for range 1 + rnd.IntN(3) {
			part := sources[rnd.IntN(len(sources))]
			if rnd.IntN(3) == 0 {
				part = mutate(rnd, part, sources)
			}
			parts = append(parts, wrap(rnd, part))
		}
		programs = append(programs, program{strings.Join(parts, "\n"), rnd.IntN(2) == 0})
	}
	certain, count := compare(t, programs)
	t.Logf("%d of %d programs are clear and make %d calls", certain, len(programs), count)
}

// wrap puts a program where it is run in another way.
func wrap(rnd *rand.Rand, source string) string {
	switch rnd.IntN(7) {
	case 0:
		return "{\n" + source + "\n}"
	case 1:
		return "await (async () => {\n" + source + "\n})();"
	case 2:
		return "try {\n" + source + "\n} catch {}"
	case 3:
		return "for (const zz of [1, 2]) {\n" + source + "\n}"
	case 4:
		return "async function ff(tools) {\n" + source + "\n}\nawait ff(tools);"
	case 5:
		return "await [0].map(async function (x) {\n" + source + "\n})[0];"
	}
	return source
}

// mutate changes a few tokens of a program.
func mutate(rnd *rand.Rand, source string, sources []string) string {
	tokens := split(source)
	for range 1 + rnd.IntN(3) {
		if len(tokens) < 2 {
			break
		}
		i, j := rnd.IntN(len(tokens)), rnd.IntN(len(tokens))
		switch rnd.IntN(4) {
		case 0:
			tokens = append(tokens[:i], tokens[i+1:]...)
		case 1:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 2:
			tokens[i] = tokens[j]
		case 3:
			other := split(sources[rnd.IntN(len(sources))])
			tokens[i] = other[rnd.IntN(len(other))]
		}
	}
	return strings.Join(tokens, "")
}

// split cuts a program into words and the characters between them.
func split(source string) []string {
	var tokens []string
	word := false
	for i := range len(source) {
		c := source[i]
		w := c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || c == '\\'
		if w && word {
			tokens[len(tokens)-1] += string([]byte{c})
		} else {
			tokens = append(tokens, string([]byte{c}))
		}
		word = w
	}
	return tokens
}
