package yamlfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAsJSON(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a: 1\nb: [x, 'y''z', \"q\\n\\ud83d\\ude00\"]\n", `{"a":1,"b":["x","y'z","q\n😀"]}`},
		{"a: {b: ~, c: null, d: , e: true, f: False}\n", `{"a":{"b":null,"c":null,"d":null,"e":true,"f":false}}`},
		{"[1e3, 12345678901234567890123, -0.50, '1', yes, 2020-01-01]\n", `[1e3,12345678901234567890123,-0.50,"1","yes","2020-01-01"]`},
		{"a: |\n  x\n  y\nb: >-\n  x\n  y\n", `{"a":"x\ny\n","b":"x y"}`},
		{"a: 'x\n  y'\n", `{"a":"x y"}`},
		{"- a\n-\n- []\n- {}\n- - b\n  - c\n", `["a",null,[],{},["b","c"]]`},
		{"a:\r\n  - b: 1\r\n    c: 2\r\n", `{"a":[{"b":1,"c":2}]}`},
		{"\ufeffa: 1\n", `{"a":1}`},
		{"# only\n---\na: 1 # here\n...\n", `{"a":1}`},
		{"{\"a\":\t[1,\n\t\t{\"b\": \"\\/\\u00e9\"}]}", `{"a":[1,{"b":"/é"}]}`},
		{"1: x\ntrue: y\nnull: z\n", `{"1":"x","true":"y","null":"z"}`},
		{"text", `"text"`},
	}
	for _, tt := range tests {
		n, r := Parse("f", []byte(tt.text))
		if err := r.Err(); err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := string(n.JSON()); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestParseProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "f: the file is empty; write a mapping of keys to values"},
		{"comments", "# x\n", "f: the file is empty; write a mapping of keys to values"},
		{"syntax", "a: [1\n", "f:1:4: sequence end token ']' not found; check quotes, brackets and indentation here and just before"},
		{"indentation", "a: 1\n  b: 2\n", "f:1:4: mapping value is not allowed in this context; check quotes, brackets and indentation here and just before"},
		{"anchors and aliases", "a: &x 1\nb: *x\nc: {<<: *x}\n", `f:1:4: anchors (&name) are not supported; write the value out, or put it in quotes if it begins with &
f:2:4: aliases (*name) are not supported; write the value out, or put a glob in quotes: "*"
f:3:5: merge keys (<<) are not supported; write the keys out
f:3:9: aliases (*name) are not supported; write the value out, or put a glob in quotes: "*"`},
		{"tag", "a: !!binary x\n", "f:1:4: tags (!name) are not supported; leave the tag out, or put the value in quotes if it begins with !"},
		{"directive", "%YAML 1.2\n---\na: 1\n", "f:1:1: directives (%NAME) are not supported; leave the line out, or put a glob in quotes"},
		{"explicit key", "? a\n: b\n", "f:1:1: keys introduced by ? are not supported; write key: value"},
		{"two documents", "a: 1\n---\nb: 2\n", "f:3:1: a second document begins here; keep one document in a file"},
		{"after the end", "a: 1\n...\nb: 2\n", "f:3:1: a second document begins here; keep one document in a file"},
		{"reserved", "a: @x\n", "f:1:4: a plain value cannot begin with this character; put the value in quotes"},
		{"not UTF-8", "a: 1\nb: \xff\n", "f:2:4: this is not UTF-8 text; save the file as UTF-8"},
		{"control character", "a: \x00\n", `f:1:4: control character U+0000; remove it, or write it as an escape in double quotes ("\u0000")`},
		{"duplicates", "a: 1\nb: {c: 1, c: 2}\na: 3\n", `f:2:11: b.c: this key is given twice, first on line 2; remove one of them
f:3:1: a: this key is given twice, first on line 1; remove one of them`},
		{"deep brackets", strings.Repeat("[", 100000), "f:1:65: values are nested too deeply; keep to 64 levels"},
		{"deep braces", strings.Repeat("{a: ", 100000), "f:1:257: values are nested too deeply; keep to 64 levels"},
		{"deep dashes", strings.Repeat("- ", 100000), "f:1:33: values are nested too deeply; keep to 64 levels"},
		{"deep colons", strings.Repeat("a: ", 100000), "f:1:50: values are nested too deeply; keep to 64 levels"},
		{"deep colons in brackets", "[" + strings.Repeat("a: ", 100000), "f:1:51: values are nested too deeply; keep to 64 levels"},
		{"large", strings.Repeat("#", maxSize+1), "f: the file has 4194305 bytes; keep it under 4194304"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, r := Parse("f", []byte(tt.text))
			got := ""
			if err := r.Err(); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// Indentation nests without brackets; the bound holds there too.
func TestDeepIndentation(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	n, r := Parse("f", []byte(b.String()))
	if err := r.Err(); n != nil || err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("got %v", err)
	}
}

func TestKey(t *testing.T) {
	n, r := Parse("f", []byte("a:\n- {b: {'c.d': 1, '': 2}}\n"))
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	item := n.Get("a").Items[0]
	var got []string
	for _, e := range item.Get("b").Entries {
		got = append(got, e.Value.Key())
	}
	if diff := cmp.Diff([]string{`a[0].b."c.d"`, `a[0].b.""`}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"tool", "verdict", "conditions"}
	tests := map[string]string{
		"tools":                  "did you mean tool?",
		"verdcit":                "did you mean verdict?",
		"condition":              "did you mean conditions?",
		"x":                      "the keys here are tool, verdict or conditions",
		strings.Repeat("x", 1e6): "the keys here are tool, verdict or conditions",
	}
	for word, want := range tests {
		if got := suggest(word, known, "the keys here are "); got != want {
			t.Errorf("%.20q: got %q, want %q", word, got, want)
		}
	}
}

func TestQuoteShortens(t *testing.T) {
	got := Quote(strings.Repeat("é", 1000) + "\n")
	if want := `"` + strings.Repeat("é", 60) + `"…`; got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, 'y', \"z\"]\nc: {d: |\n  e\n}\n", "- - a\n- ? b\n", "a: &b [*b]\n", "%TAG ! x\n---\n", "{\"a\": [1e3, null, \"\\ud83d\\ude00\"]}",
		"a: >+\n\n  x\n\n", "a: 'x\n\n y'\n", "\t- a", "a:\n  - b\n c: d\n", "[a: b, {c: d}]: e\n", "a: |2-\n   x\n", "...\n---\n...\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, r := Parse("f", data)
		if err := r.Err(); err != nil {
			for _, p := range err.(Problems) {
				if p.Message == "" || p.File != "f" || strings.ContainsAny(p.String(), "\n") {
					t.Errorf("a problem badly told: %#v", p)
				}
			}
			return
		}
		if n == nil {
			t.Fatal("neither a node nor a problem")
		}
		// What was read, written as JSON, reads the same.
		again, r2 := Parse("f", n.JSON())
		if err := r2.Err(); err != nil {
			t.Fatalf("%s cannot be read again: %v", n.JSON(), err)
		}
		if diff := cmp.Diff(string(n.JSON()), string(again.JSON())); diff != "" {
			t.Errorf("read again it differs:\n%s", diff)
		}
	})
}
