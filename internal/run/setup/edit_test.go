package setup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edits are documents before and after one edit.
var edits = []struct {
	name   string
	format Format
	before string
	path   []string
	value  any // nil: removed
	after  string
}{
	{"new file", JSON, "", []string{"env", "A"}, "b", "{\n  \"env\": {\n    \"A\": \"b\"\n  }\n}\n"},
	{"blank file", JSON, " \r\n", []string{"a"}, true, "{\r\n  \"a\": true\r\n}\r\n"},
	{"empty object", JSON, "{}\n", []string{"a"}, 1, "{\n  \"a\": 1\n}\n"},
	{"empty object with a comment", JSON, "{\n  // nothing yet\n}\n", []string{"a"}, 1, "{\n  // nothing yet\n  \"a\": 1\n}\n"},
	{"last of several", JSON, "{\n    \"a\": 1\n}", []string{"b"}, 2.5, "{\n    \"a\": 1,\n    \"b\": 2.5\n}"},
	{"tabs", JSON, "{\n\t\"a\": {\n\t\t\"x\": 1\n\t}\n}", []string{"a", "y", "z"}, 2, "{\n\t\"a\": {\n\t\t\"x\": 1,\n\t\t\"y\": {\n\t\t\t\"z\": 2\n\t\t}\n\t}\n}"},
	{"empty object inside", JSON, "{\n  \"env\": {},\n  \"b\": 1\n}", []string{"env", "A"}, "x", "{\n  \"env\": {\n    \"A\": \"x\"\n  },\n  \"b\": 1\n}"},
	{"behind a comment", JSON, "{\n  \"a\": 1 // why\n}\n", []string{"b"}, 2, "{\n  \"a\": 1, // why\n  \"b\": 2\n}\n"},
	{"comma at the end", JSON, "{\n  \"a\": 1, // why\n}\n", []string{"b"}, 2, "{\n  \"a\": 1, // why\n  \"b\": 2,\n}\n"},
	{"one line", JSON, `{"a": 1}`, []string{"b"}, []string{"x", "y"}, `{"a": 1, "b": ["x", "y"]}`},
	{"tight line", JSON, `{"a":{}}`, []string{"a", "b"}, map[string]any{"c": 1, "d": []int{1, 2}}, `{"a":{"b":{"c":1,"d":[1,2]}}}`},
	{"one line with a comma", JSON, `{"a": 1,}`, []string{"b"}, 2, `{"a": 1, "b": 2,}`},
	{"a value of another kind", JSON, "{\n  \"a\": [1, /* two */ 2], // list\n}", []string{"a"}, "x", "{\n  \"a\": \"x\", // list\n}"},
	{"into a table", JSON, "{\n  \"a\": { // of\n    \"x\": 1, // one\n    \"y\": 2\n  }\n}", []string{"a"}, map[string]string{"x": "2", "z": "3"}, "{\n  \"a\": { // of\n    \"x\": \"2\", // one\n    \"z\": \"3\"\n  }\n}"},
	{"byte order mark", JSON, "\xef\xbb\xbf{}", []string{"a"}, 1, "\xef\xbb\xbf{\n  \"a\": 1\n}"},
	{"long numbers stay", JSON, `{"n": 12345678901234567890123, "m": 1.10}`, []string{"a"}, 1, `{"n": 12345678901234567890123, "m": 1.10, "a": 1}`},
	{"remove the first", JSON, "{\n  \"a\": 1,\n  // about b\n  \"b\": 2\n}", []string{"a"}, nil, "{\n  // about b\n  \"b\": 2\n}"},
	{"remove the last", JSON, "{\n  \"a\": 1, // about a\n  \"b\": 2\n}", []string{"b"}, nil, "{\n  \"a\": 1 // about a\n}"},
	{"remove the only one", JSON, "{\n  \"a\": {\n    \"b\": 1\n  }\n}", []string{"a", "b"}, nil, "{\n  \"a\": {}\n}"},
	{"remove on a line", JSON, `{"a": 1, "b": 2, "c": 3}`, []string{"b"}, nil, `{"a": 1, "c": 3}`},
	{"remove the last on a line", JSON, `{"a": 1, "b": 2}`, []string{"b"}, nil, `{"a": 1}`},
	{"remove what is not there", JSON, `{"a": 1}`, []string{"b", "c"}, nil, `{"a": 1}`},
	{"null stays apart from nothing", JSON, `{"a": null}`, []string{"a"}, nil, `{}`},
	{"set what is set", JSON, `{ "a" : [ 1 ] }`, []string{"a"}, []int{1}, `{ "a" : [ 1 ] }`},

	{"toml: new file", TOML, "", []string{"a", "b", "c"}, "x", "[a.b]\nc = \"x\"\n"},
	{"toml: new key at the top", TOML, "# mine\n[t]\nx = 1\n", []string{"k"}, "v", "k = \"v\"\n\n# mine\n[t]\nx = 1\n"},
	{"toml: behind the last key", TOML, "a = 1 # one\n\n[t]\n", []string{"k"}, "v", "a = 1 # one\nk = \"v\"\n\n[t]\n"},
	{"toml: another value", TOML, "a = '''\nx\n''' # long\nb = 1\n", []string{"a"}, "q\"\\\n\x01", "a = \"q\\\"\\\\\\n\\u0001\" # long\nb = 1\n"},
	{"toml: under its header", TOML, "[a]\n  x = 1\n# c\n\n[b]\n", []string{"a", "y"}, 2.5, "[a]\n  x = 1\n  y = 2.5\n# c\n\n[b]\n"},
	{"toml: dotted keys", TOML, "p.w.url = \"u\"\nz = 1\n", []string{"p", "w", "name"}, "n", "p.w.url = \"u\"\np.w.name = \"n\"\nz = 1\n"},
	{"toml: dotted keys under a header", TOML, "[p]\nw.url = \"u\"\n", []string{"p", "w", "x", "y"}, true, "[p]\nw.url = \"u\"\nw.x.y = true\n"},
	{"toml: in braces", TOML, "s = {fs = {command = \"x\"}} # c\n", []string{"s", "fs", "args"}, []string{"a"}, "s = {fs = {command = \"x\", args = [\"a\"]}} # c\n"},
	{"toml: in empty braces", TOML, "s = {}\n", []string{"s", "a"}, 1, "s = { a = 1 }\n"},
	{"toml: replaced in braces", TOML, "s = { a.b = 1, c = 2 }\n", []string{"s", "a", "b"}, 3, "s = { a.b = 3, c = 2 }\n"},
	{"toml: beside its kin", TOML, "[s.fs]\ncommand = \"x\"\n\n[z]\n", []string{"s", "fs", "env", "K"}, "v", "[s.fs]\ncommand = \"x\"\n\n[s.fs.env]\nK = \"v\"\n\n[z]\n"},
	{"toml: above its kin", TOML, "[s.fs]\ncommand = \"x\"", []string{"s", "on"}, true, "[s.fs]\ncommand = \"x\"\n\n[s]\non = true\n"},
	{"toml: a whole table", TOML, "[s.fs] # files\ncommand = \"x\" # run\nold = 1\n", []string{"s", "fs"}, map[string]any{"command": "w", "args": []string{"x"}, "env": map[string]string{"A B": "c"}}, "[s.fs] # files\ncommand = \"w\" # run\nargs = [\"x\"]\n\n[s.fs.env]\n\"A B\" = \"c\"\n"},
	{"toml: a table in place of a value", TOML, "a = 1\nb = 2\n", []string{"a"}, map[string]int{"x": 1}, "b = 2\n\n[a]\nx = 1\n"},
	{"toml: remove a key", TOML, "a = 1\nb = 2\n", []string{"a"}, nil, "b = 2\n"},
	{"toml: remove a table", TOML, "a = 1\n\n[t]\nx = 1\n\n[t.u]\ny = 2\n\n[z]\n", []string{"t"}, nil, "a = 1\n\n[z]\n"},
	{"toml: remove in braces", TOML, "s = { a = 1, b = 2, c = 3 }\n", []string{"s", "b"}, nil, "s = { a = 1, c = 3 }\n"},
	{"toml: remove the last in braces", TOML, "s = { a = 1, b = 2 }\n", []string{"s", "b"}, nil, "s = { a = 1 }\n"},
	{"toml: remove the only dotted key", TOML, "a.b = 1\nc = 2\n", []string{"a", "b"}, nil, "c = 2\n"},
	{"toml: lines of Windows", TOML, "a = 1\r\n[t]\r\nx = 1\r\n", []string{"t", "y"}, 2, "a = 1\r\n[t]\r\nx = 1\r\ny = 2\r\n"},
	{"toml: nan and dates stay", TOML, "n = nan\nd = 1979-05-27T07:32:00-08:00\nl = 1979-05-27\n", []string{"a"}, 1, "n = nan\nd = 1979-05-27T07:32:00-08:00\nl = 1979-05-27\na = 1\n"},
	{"toml: beside a list of tables", TOML, "[[p]]\nx = 1\n", []string{"q", "a"}, 1, "[[p]]\nx = 1\n\n[q]\na = 1\n"},
	{"toml: a quoted key", TOML, "[s.\"a.b\"]\nx = 1\n", []string{"s", "a.b", "y"}, 1, "[s.\"a.b\"]\nx = 1\ny = 1\n"},
}

func TestEdit(t *testing.T) {
	for _, tt := range edits {
		t.Run(tt.name, func(t *testing.T) {
			got, err := editOnce(tt.format, []byte(tt.before), tt.path, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			again, err := editOnce(tt.format, got, tt.path, tt.value)
			if err != nil || string(again) != string(got) {
				t.Errorf("a second time it gives %q, %v", again, err)
			}
		})
	}
}

func editOnce(f Format, data []byte, path []string, value any) ([]byte, error) {
	e, err := editorFor(f)
	if err != nil {
		return nil, err
	}
	v, err := canonical(value)
	if err != nil {
		return nil, err
	}
	d, err := e.open(data)
	if err != nil {
		return nil, err
	}
	d, err = e.edit(d, step{path: path, value: v, remove: v == nil})
	return d.data, err
}

func TestEditRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format Format
		data   string
		path   []string
		value  any
		want   string
	}{
		{"no JSON", JSON, "{\n  \"a\": ,\n}", []string{"a"}, 1, "2:8: invalid character ',' at start of value"},
		{"a list", JSON, "\n []", []string{"a"}, 1, "2:2: expected an object in braces"},
		{"twice", JSON, "{\"a\": 1,\n \"\\u0061\": 2}", []string{"b"}, 1, "2:2: the key a is there twice"},
		{"no text", JSON, "{\"a\": \"\xff\"}", []string{"b"}, 1, "1:8: the file is not valid UTF-8"},
		{"a value on the way", JSON, `{"a": {"b": 1}}`, []string{"a", "b", "c"}, 1, "a.b holds a value, not settings; remove it or rename it"},
		{"no key", JSON, `{}`, nil, 1, "a setting needs a key"},
		{"no TOML", TOML, "a = 1\nb = \n", []string{"a"}, 1, "2:5: "},
		{"a list of tables on the way", TOML, "[[p]]\nx = 1\n", []string{"p", "y"}, 1, "p holds a value, not settings; remove it or rename it"},
		{"null in TOML", TOML, "", []string{"p"}, []any{nil}, "change p: TOML has no null"},
		{"a value of no kind", TOML, "", []string{"p"}, struct{}{}, "a setting cannot be of type struct {}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := editOnce(tt.format, []byte(tt.data), tt.path, tt.value)
			if err == nil {
				t.Fatalf("it gives %q", got)
			}
			if len(err.Error()) < len(tt.want) || err.Error()[:len(tt.want)] != tt.want {
				t.Errorf("%q, want %q", err, tt.want)
			}
		})
	}
}
