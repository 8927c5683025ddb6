package code

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// Strings of Python mean the same to Python.
func TestDifferentialPythonStrings(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		need.Missing(t, "python3", err.Error())
	}
	random := rand.New(rand.NewPCG(20, 26))
	var literals []string
	for range 600 {
		literals = append(literals, randomLiteral(random))
	}
	given, _ := json.Marshal(literals)
	command := exec.Command(python, "-W", "ignore", "-c", `
import ast, json, sys
out = []
for text in json.load(sys.stdin):
    try:
        value = ast.literal_eval(text)
        out.append(value if isinstance(value, str) else None)
    except Exception:
        out.append(None)
json.dump(out, sys.stdout)
`)
	command.Stdin = bytes.NewReader(given)
	data, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var meant []*string
	if err := json.Unmarshal(data, &meant); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, want := range meant {
		if want == nil {
			continue // no string of Python
		}
		compared++
		e := newEvaluator(literals[i], Python)
		e.cursor = cursor{text: literals[i], tokens: lex(literals[i], Python)}
		if got := e.expression(); len(got.texts) != 1 || got.texts[0] != *want {
			t.Errorf("%s: %q, and %q for Python", literals[i], got.texts, *want)
		}
	}
	if compared < 300 {
		t.Errorf("only %d strings are compared", compared)
	}
}

// randomLiteral writes one string or several side by side, with escapes and all kinds of quotes.
func randomLiteral(r *rand.Rand) string {
	pieces := []string{
		"a", "rm -rf", " ", "/", `\n`, `\t`, `\\`, `\'`, `\"`, `\x41`, `\101`, `\0`, `\u0042`, `\U00000043`, `\d`, `\/`, "'", `"`, "#", "{", "}", "%s",
		"é", "\\\n", "$x", "`", `\7a`, `\x7e`,
	}
	var out strings.Builder
	for i := range 1 + r.IntN(3) {
		if i > 0 {
			out.WriteString([]string{" ", " + ", "  "}[r.IntN(3)])
		}
		var inside strings.Builder
		for range r.IntN(8) {
			inside.WriteString(pieces[r.IntN(len(pieces))])
		}
		quote := []string{"'", `"`, `"""`, "'''"}[r.IntN(4)]
		prefix := []string{"", "", "", "r", "u", "R"}[r.IntN(6)]
		fmt.Fprintf(&out, "%s%s%s%s", prefix, quote, inside.String(), quote)
	}
	return out.String()
}
