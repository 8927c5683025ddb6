package yamledit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

var (
	added  = Map(Member("tool", Text("Bash")), Member("value", Text("a \"b\": 'c' # d")))
	unless = []Step{{Key: "rules"}, {Index: 1}, {Key: "unless"}}
)

func TestAppend(t *testing.T) {
	const item = `tool: Bash` + "\n" + `        value: "a \"b\": 'c' # d"` + "\n"
	const flow, asJSON = `{tool: Bash, value: "a \"b\": 'c' # d"}`, `{"tool":"Bash","value":"a \"b\": 'c' # d"}`
	for name, tt := range map[string]struct {
		path         []Step
		before, want string
	}{
		"a key of a block, with a comment after it": {
			unless,
			"rules:\n  - id: a\n    # of a\n    verdict: deny\n  - id: b\n    verdict: deny # why\n\n# the end\ndefault: allow\n",
			"rules:\n  - id: a\n    # of a\n    verdict: deny\n  - id: b\n    verdict: deny # why\n    unless:\n      - " + item + "\n# the end\ndefault: allow\n",
		},
		"an item of a block": {
			unless,
			"rules:\n  - id: a\n  - id: b\n    unless:\n      - who: {team: x}\n        reason: |\n          # no comment\n\n          two\n    verdict: deny\n",
			"rules:\n  - id: a\n  - id: b\n    unless:\n      - who: {team: x}\n        reason: |\n          # no comment\n\n          two\n      - " + item + "    verdict: deny\n",
		},
		"dashes below their key": {
			unless,
			"rules:\n- id: a\n- unless:\n  - {a: b}\n  id: b\n",
			"rules:\n- id: a\n- unless:\n  - {a: b}\n  - tool: Bash\n    value: \"a \\\"b\\\": 'c' # d\"\n  id: b\n",
		},
		"a key of a mapping in brackets": {
			unless,
			"rules:\n  - {id: a}\n  - {id: \"b}\", tool: [x, 'y]'] } # {\n",
			"rules:\n  - {id: a}\n  - {id: \"b}\", tool: [x, 'y]'], unless: [" + flow + "] } # {\n",
		},
		"an item of a list in brackets": {
			unless,
			"rules: [{id: a}, {unless: [{who: {team: don't}},\n ], id: b}]\n",
			"rules: [{id: a}, {unless: [{who: {team: don't}}," + flow + "\n ], id: b}]\n",
		},
		"JSON": {
			unless,
			"{\n  \"rules\": [\n    {\"id\": \"a\"},\n    {\n      \"id\": \"ü}\"\n    }\n  ]\n}\n",
			"{\n  \"rules\": [\n    {\"id\": \"a\"},\n    {\n      \"id\": \"ü}\", \"unless\": [" + asJSON + "]\n    }\n  ]\n}\n",
		},
		"a list that is not there": {
			[]Step{{Key: "rules"}},
			"# mine\nversion: 1\nextends: balanced",
			"# mine\nversion: 1\nextends: balanced\nrules:\n  - tool: Bash\n    value: \"a \\\"b\\\": 'c' # d\"\n",
		},
		"other ends of lines": {
			[]Step{{Key: "rules"}},
			"version: 1\r\n",
			"version: 1\r\nrules:\r\n  - tool: Bash\r\n    value: \"a \\\"b\\\": 'c' # d\"\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Append([]byte(tt.before), tt.path, added)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestOddFilesAreLeftAlone(t *testing.T) {
	for name, before := range map[string]string{
		"an empty list":              "rules: [{id: a}, {id: b, unless: []}]\n",
		"no list":                    "rules: [{id: a}, {id: b, unless: {a: b}}]\n",
		"a comment before the end":   "rules:\n  - {id: a}\n  - {id: b # no\n    }\n",
		"a key without a value":      "rules:\n  - id: a\n  - id: b\n    unless: # none\n",
		"a key twice":                "rules: [{id: a}, {id: b}]\n# and\nrules: []\n",
		"less than the path demands": "rules: [{id: a}]\n",
	} {
		if got, err := Append([]byte(before), unless, added); err == nil {
			t.Errorf("%s: became\n%s", name, got)
		}
	}
}

// Whatever the rule of a preset and the text that is added, the file has exactly that more.
func TestAppendToPresets(t *testing.T) {
	files, err := filepath.Glob("../../policy/preset/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	odd := []string{"", "yes", "- a", "#", "a: b", "\x00\x7f\u0085\u2028\ufeff", "ü 🙂", "line\nline\n", "tab\t", `\n`, "'", `"`, "%d", "@", "`", "{", "? x", "!t", "&a", "*", "0x1", "1e3", "~", "|", ">", " lead", "trail "}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		root, _ := yamlfile.Parse(file, data)
		for i := range root.Get("rules").Items {
			text := odd[i%len(odd)]
			value := Map(Member("tool", Text(text)), Member("conditions", Map(Member("all", List(Map(Member("value", Text(strings.Repeat(text, 1+i%9)))), Text(text))))))
			got, err := Append(data, []Step{{Key: "rules"}, {Index: i}, {Key: "unless"}}, value)
			if err != nil {
				t.Errorf("%s, rule %d, %q: %v", file, i, text, err)
				continue
			}
			if len(got) <= len(data) || !isLonger(data, got) {
				t.Errorf("%s, rule %d: other text changed", file, i)
			}
		}
	}
}

// isLonger says that the second text is the first with one piece more.
func isLonger(a, b []byte) bool {
	head := 0
	for head < len(a) && a[head] == b[head] {
		head++
	}
	return bytes.HasSuffix(b, a[head:])
}
