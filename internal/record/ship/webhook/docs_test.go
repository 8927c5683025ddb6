package webhook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record/ship/webhook"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// example returns the program in this language from the documentation.
func example(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(string(page))
	if block == nil {
		t.Fatalf("docs/telemetry.md has no program in %s", language)
	}
	return block[1]
}

// A question is one that receivers must answer: is this delivery genuine?
type question struct {
	header, body string
	now          int64
	want         bool
}

func questions() []question {
	at := time.Unix(1_772_366_400, 0)
	body := `{"version":1,"events":[{"tool":"naïve \ud83d\ude00"}]}`
	good := webhook.Sign(secret, at, []byte(body))
	other := webhook.Sign("another", at, []byte(body))
	return []question{
		{good, body, at.Unix(), true},
		{good, body, at.Unix() + 299, true},
		{good, body, at.Unix() - 299, true},
		{good, body, at.Unix() + 301, false},
		{good, body, at.Unix() - 301, false},
		{good, body + " ", at.Unix(), false},
		{other, body, at.Unix(), false},
		{strings.Replace(good, "t=1772366400", "t=1772366401", 1), body, at.Unix(), false},
		{good[:len(good)-1], body, at.Unix(), false},
		{"", body, at.Unix(), false},
		{"t=,v1=", body, at.Unix(), false},
		{"t=x,v1=y", body, at.Unix(), false},
		{"v1=" + good, body, at.Unix(), false},
	}
}

// run runs a program that prints an answer for each question, and compares.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers := strings.Fields(strings.ToLower(string(out)))
	if len(answers) != len(questions()) {
		t.Fatalf("it says %q", out)
	}
	for i, q := range questions() {
		if answers[i] != fmt.Sprint(q.want) {
			t.Errorf("question %d, %q: %s", i, q.header, answers[i])
		}
	}
}

func program(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDocumentedGo(t *testing.T) {
	text := example(t, "go") + "\nfunc main() {\n"
	for _, q := range questions() {
		text += fmt.Sprintf("\tprintln(verify(%q, %q, []byte(%q), time.Unix(%d, 0)))\n", secret, q.header, q.body, q.now)
	}
	cmd := exec.Command("go", "run", program(t, "main.go", text+"}\n"))
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	run(t, cmd)
}

func TestDocumentedPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		need.Missing(t, "the Python receiver of webhooks", "python3 is not installed")
	}
	text := example(t, "python") + "\n"
	for _, q := range questions() {
		text += fmt.Sprintf("print(verify(%+q, %+q, %s.encode(), %d))\n", secret, q.header, pythonString(q.body), q.now)
	}
	run(t, exec.Command(python, program(t, "main.py", text)))
}

// pythonString writes a string of characters that Python and Go write alike, and those that they do not as numbers.
func pythonString(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\U%08x`, r)
	}
	return `"` + b.String() + `"`
}
