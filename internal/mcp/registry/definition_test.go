package registry

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

const everything = `{
	"name": "read_file", "title": "Read", "description": "Reads a file.",
	"inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
	"outputSchema": {"type": "object"},
	"annotations": {"readOnlyHint": true},
	"_meta": {"version": 1.0},
	"icons": [], "execution": {"taskSupport": "optional"}
}`

func read(t *testing.T, text string) Definition {
	t.Helper()
	d, err := Bounds{}.Read("fs", []byte(text))
	expect.OK(t, err, "%s", text)
	return d
}

func TestRead(t *testing.T) {
	want := Definition{
		Server: "fs", Name: "read_file", Title: "Read", Description: "Reads a file.",
		InputSchema:  jsontext.Value(`{"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"}`),
		OutputSchema: jsontext.Value(`{"type":"object"}`),
		Annotations:  jsontext.Value(`{"readOnlyHint":true}`),
		Meta:         jsontext.Value(`{"version":1}`),
		Other:        jsontext.Value(`{"execution":{"taskSupport":"optional"},"icons":[]}`),
	}
	entry := []byte(everything)
	got, err := Bounds{}.Read("fs", entry)
	expect.OK(t, err)
	clear(entry) // a definition outlives the buffer that it was read from
	expect.Same(t, want, got)
	least := read(t, `{"name":"x","title":null,"description":"","inputSchema":null,"annotations":null,"_meta":null}`)
	expect.Same(t, Definition{Server: "fs", Name: "x"}, least)
}

func TestReadRefuses(t *testing.T) {
	small := Bounds{Definition: 200, Depth: 4, Name: 10}
	for _, tt := range []struct {
		in   string
		want error
	}{
		{``, strictjson.ErrSyntax},
		{`[]`, ErrDefinition},
		{`"x"`, ErrDefinition},
		{`{}`, ErrName},
		{`{"name":""}`, ErrName},
		{`{"name":null}`, ErrName},
		{`{"name":"\u200b \u2800"}`, ErrName},
		{`{"name":1}`, ErrDefinition},
		{`{"name":"x","title":[]}`, ErrDefinition},
		{`{"name":"x","description":{}}`, ErrDefinition},
		{`{"name":"x","inputSchema":[]}`, ErrDefinition},
		{`{"name":"x","inputSchema":"{}"}`, ErrDefinition},
		{`{"name":"x","annotations":true}`, ErrDefinition},
		{`{"name":"x","name":"y"}`, strictjson.ErrAmbiguous},
		{`{"name":"x","Name":"y"}`, strictjson.ErrAmbiguous},
		{`{"NAME":"x"}`, strictjson.ErrAmbiguous},
		{`{"name":"x","inputschema":{}}`, strictjson.ErrAmbiguous},
		{`{"name":"x","inputSchema":{"type":"object","type":"string"}}`, strictjson.ErrAmbiguous},
		{`{"name":"x","icons":1,"icons":2}`, strictjson.ErrAmbiguous},
		{`{"name":"x","_meta":{"a":1,"a":2}}`, strictjson.ErrAmbiguous},
		{`{"name":"\ud83d"}`, strictjson.ErrSurrogate},
		{`{"name":"x","description":"\ud83d"}`, strictjson.ErrSurrogate},
		{`{"name":"x","\ud83d":1}`, strictjson.ErrSurrogate},
		{`{"name":"x","inputSchema":{"maximum":1e9999999999}}`, errNumber},
		{`{"name":"` + strings.Repeat("x", 11) + `"}`, ErrBounds},
		{`{"name":"x","description":"` + strings.Repeat("x", 200) + `"}`, ErrBounds},
		{`{"name":"x","inputSchema":{"a":{"b":{"c":{}}}}}`, ErrBounds},
	} {
		d, err := small.Read("fs", []byte(tt.in))
		expect.Is(t, err, tt.want, "%s", tt.in)
		expect.NoDiff(t, cmp.Diff(Definition{}, d), "%s is read in part", tt.in)
	}
}

// The hash is part of what is stored and shown: it must not change from one weir to the next.
func TestHashIsFixed(t *testing.T) {
	d := read(t, everything)
	const hashed = `{"annotations":{"readOnlyHint":true},"description":"Reads a file.",` +
		`"inputSchema":{"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"},` +
		`"name":"read_file","outputSchema":{"type":"object"},"title":"Read"}`
	expect.Same(t, hashed, string(d.appendHashed(nil, true)))
	expect.Equal(t, d.Hash(), "weirtool1:4dc617342639952d0d1dddfcd93fa48d81c198f100e32c2f06bb118a01e602bc", "the hash is")
	if !strings.HasPrefix(string(d.body()), "weirbody1:") {
		t.Errorf("the hash of the body is %s", d.body())
	}
}

// What is hashed changes the hash; what is not, does not.
func TestHashCovers(t *testing.T) {
	base := read(t, everything)
	for replace, covered := range map[string]bool{
		`"read_file"→"read_File"`:                    true,
		`"Read"→"read"`:                              true,
		`Reads a file.→Reads a file`:                 true,
		`"path": {→"Path": {`:                        true,
		`["path"]→[]`:                                true,
		`["path"]→["path","path"]`:                   true,
		`"outputSchema": {→"outputSchema2":{`:        true,
		`"readOnlyHint": true→"readOnlyHint": false`: true,
		`"readOnlyHint": true→"readOnlyHint": null`:  true,
		`"readOnlyHint": true→`:                      true,
		`1.0→2`:                                      false,
		`"icons": []→"icons": [1]`:                   false,
		`"icons"→"symbols"`:                          false,
		`1.0→1`:                                      false,
	} {
		before, after, _ := strings.Cut(replace, "→")
		text := strings.Replace(everything, before, after, 1)
		if text == everything {
			t.Fatalf("%s replaces nothing", replace)
		}
		if got := read(t, text); (got.Hash() != base.Hash()) != covered {
			t.Errorf("%s: covered is %v", replace, !covered)
		}
	}
	other := base
	other.Server, other.Name = "git", "renamed"
	if other.body() != base.body() || other.Hash() == base.Hash() {
		t.Error("a tool is not known again under another name, or not told from it")
	}
}

// Any way to write a definition gives the same hash, and any other value another.
func TestHashOfRandom(t *testing.T) {
	r := randomJSON{rand.New(rand.NewPCG(3, 4))}
	hashes := map[Hash]string{}
	for range 2000 {
		v := map[string]any{
			"name": "n" + r.text(), "description": r.text(), "inputSchema": map[string]any{"v": r.value(4)},
			"annotations": map[string]any{r.text(): r.value(1)},
		}
		var first, second strings.Builder
		r.write(&first, v)
		r.write(&second, v)
		one, two := read(t, first.String()), read(t, second.String())
		if one.Hash() != two.Hash() {
			t.Fatalf("%s\n%s\nhave different hashes", first.String(), second.String())
		}
		if diff := Diff(one, two); len(diff) > 0 {
			t.Fatalf("%s\n%s\ndiffer in %v", first.String(), second.String(), diff)
		}
		oracle := jsontext.Value(first.String())
		expect.OK(t, oracle.Canonicalize())
		text := strings.Replace(string(oracle), `"description":"",`, "", 1)
		if other, seen := hashes[one.Hash()]; seen && other != text {
			t.Fatalf("%s\n%s\nhave one hash", other, text)
		}
		hashes[one.Hash()] = text
	}
	if len(hashes) < 1500 {
		t.Errorf("only %d different definitions were tried", len(hashes))
	}
}

// FuzzRead: what is read is read again from its canonical form, with the same hash and without a difference, and no error repeats
// what was sent.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		everything, `{"name":"x"}`, `{"name":"x","inputSchema":true}`, `{"name":"\u0000x","Title":1}`, `{"name":"x","a":1,"\u0061":2}`,
		`{"name":"x","inputSchema":{"maximum":1.50e3}}`, `{"name":"Ωmega","_meta":{"😀":[1,-0]}}`, `[`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, entry []byte) {
		d, err := Bounds{}.Read("fs", slices.Clone(entry))
		if err != nil {
			return
		}
		again, err := Bounds{}.Read("fs", d.entry())
		expect.OK(t, err, "%s of %q", d.entry(), entry)
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("(-once +twice):\n%s", diff)
		}
		if d.Hash() != again.Hash() || len(Diff(d, again)) > 0 {
			t.Fatalf("%q has another hash or differs from itself", entry)
		}
		if len(keysOf(d.Name)) == 0 || newLook(d.Name).folded == "" {
			t.Fatalf("%q has a name that cannot be said", entry)
		}
	})
}

// entry writes a definition as a server would.
func (d *Definition) entry() []byte {
	out := d.appendHashed(nil, true)
	out = out[:len(out)-1]
	if d.Meta != nil {
		out = append(append(out, `,"_meta":`...), d.Meta...)
	}
	if d.Other != nil {
		return append(append(out, ','), d.Other[1:]...)
	}
	return append(out, '}')
}
