package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

func TestReplaceJSON(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		doc, want      string
		replaced, kept []string
	}{
		"nothing keeps its bytes": {doc: `{ "a" : "\u0061\/" , "n":1.50e3 }`},
		"a value":                 {doc: `{"to": "ann@b.co", "x": "\u0061"}`, want: `{"to": "[redacted:email]", "x": "\u0061"}`, replaced: []string{"email"}},
		"inside a text":           {doc: `["say \"hi\" to ann@b.co\n"]`, want: `["say \"hi\" to [redacted:email]\n"]`, replaced: []string{"email"}},
		"escaped":                 {doc: `{"a":"\u0061nn\u0040b\u002eco"}`, want: `{"a":"[redacted:email]"}`, replaced: []string{"email"}},
		"two in one":              {doc: `"a@b.co 123-45-6789"`, want: `"[redacted:email] [redacted:ssn_us]"`, replaced: []string{"email", "ssn_us"}},
		"a name":                  {doc: `{"ann@b.co":1}`, want: `{"[redacted:email]":1}`, replaced: []string{"email"}},
		"names stay unique": {
			doc:      `{"ann@b.co":1,"bob@b.co":2,"[REDACTED:email]#2":3,"[redacted:email]":4}`,
			want:     `{"[redacted:email]#3":1,"[redacted:email]#4":2,"[REDACTED:email]#2":3,"[redacted:email]":4}`,
			replaced: []string{"email", "email"},
		},
		"a number":               {doc: `{"card":4111111111111111}`, kept: []string{"credit_card"}},
		"a number that is none":  {doc: `{"card":4111111111111112,"x":1e5,"y":0.4111111111111111}`},
		"the name tells":         {doc: `{"ssn":"123456789","id":"123456789"}`, want: `{"ssn":"[redacted:ssn_us]","id":"123456789"}`, replaced: []string{"ssn_us"}},
		"of each element":        {doc: `{"phones":["2125550100"]}`, want: `{"phones":["[redacted:phone]"]}`, replaced: []string{"phone"}},
		"and of a number":        {doc: `{"ssn":123456789}`, kept: []string{"ssn_us"}},
		"a replaced name is mum": {doc: `{"123-45-6789":"234567890"}`, want: `{"[redacted:ssn_us]":"234567890"}`, replaced: []string{"ssn_us"}},
		"secret by name": {
			doc:  `{"SecretAccessKey":"abcdefghijklmnopqrstuvwxyzabcdefghijklmn"}`,
			want: `{"SecretAccessKey":"[redacted:aws_secret_key]"}`, replaced: []string{"aws_secret_key"},
		},
		"deep":         {doc: `{"a":[{"b":[["x","ann@b.co"]]}]}`, want: `{"a":[{"b":[["x","[redacted:email]"]]}]}`, replaced: []string{"email"}},
		"pem on lines": {doc: `{"k":"-----BEGIN PRIVATE KEY-----\n` + pemBody + `\n-----END PRIVATE KEY-----\n"}`, want: `{"k":"[redacted:private_key]\n"}`, replaced: []string{"private_key"}},
		"other kinds":  {doc: `[true,false,null,{},[],""]`},
		"pem as an array of lines": {
			doc:      `{"key":["-----BEGIN PRIVATE KEY-----","` + pemBody + `","` + pemBody + `","-----END PRIVATE KEY-----"],"a":"b"}`,
			want:     `{"key":["[redacted:private_key]","[redacted:private_key]","[redacted:private_key]","[redacted:private_key]"],"a":"b"}`,
			replaced: slices.Repeat([]string{"private_key"}, 4),
		},
		"pem in members": {
			doc:      `{"a":"x","begin":"-----BEGIN EC PRIVATE KEY-----","body":"` + pemBody + `","end":"-----END EC PRIVATE KEY-----","b":"y"}`,
			want:     `{"a":"x","begin":"[redacted:private_key]","body":"[redacted:private_key]","end":"[redacted:private_key]","b":"y"}`,
			replaced: slices.Repeat([]string{"private_key"}, 3),
		},
		"pem in objects without an end": {
			doc:      `[{"line":"-----BEGIN PRIVATE KEY-----"},{"line":"` + pemBody + `"},{"line":"some words"}]`,
			want:     `[{"line":"[redacted:private_key]"},{"line":"[redacted:private_key]"},{"line":"some words"}]`,
			replaced: slices.Repeat([]string{"private_key"}, 2),
		},
		"a search for keys": {doc: `{"pattern":"-----BEGIN RSA PRIVATE KEY-----","path":"/home/ann/work/Project2/src","output_mode":"files_with_matches"}`},
		"a token in two elements": {
			doc:      `["sk-ant-api03-` + dashed[:30] + `","` + dashed[30:] + `"]`,
			want:     `["[redacted:anthropic_key]","[redacted:anthropic_key]"]`,
			replaced: []string{"anthropic_key", "anthropic_key"},
		},
		"a token in two members": {
			doc:      `{"a":"key ghp_` + alnum36[:18] + `","b":"` + alnum36[18:] + ` rest"}`,
			want:     `{"a":"key [redacted:github_token]","b":"[redacted:github_token] rest"}`,
			replaced: []string{"github_token", "github_token"},
		},
		"a card in four elements": {
			doc:      `{"pan":["4111","1111","1111","1111"]}`,
			want:     `{"pan":["[redacted:credit_card]","[redacted:credit_card]","[redacted:credit_card]","[redacted:credit_card]"]}`,
			replaced: slices.Repeat([]string{"credit_card"}, 4),
		},
		"a list of years":       {doc: `["4001","4002","4003","4004","4005"]`},
		"a header and value":    {doc: `["curl","-H","Authorization: Bearer","abc123def"]`, want: `["curl","-H","Authorization: Bearer","[redacted:bearer_token]"]`, replaced: []string{"bearer_token"}},
		"a flag and value":      {doc: `{"args":["login","--password","hunter2","-v"]}`, want: `{"args":["login","--password","[redacted:generic_secret]","-v"]}`, replaced: []string{"generic_secret"}},
		"a header by name":      {doc: `{"headers":{"Authorization":"Bearer abcdef","Accept":"Bearer abcdef"}}`, want: `{"headers":{"Authorization":"Bearer [redacted:bearer_token]","Accept":"Bearer abcdef"}}`, replaced: []string{"bearer_token"}},
		"a header in a list":    {doc: `[{"name":"Authorization","value":"Bearer abcdef"}]`, want: `[{"name":"Authorization","value":"Bearer [redacted:bearer_token]"}]`, replaced: []string{"bearer_token"}},
		"a header's scheme":     {doc: `{"authorization":"Bearer","Authorization ":"none"}`},
		"a password by name":    {doc: `{"password":"correct horse","user":"correct horse"}`, want: `{"password":"[redacted:generic_secret]","user":"correct horse"}`, replaced: []string{"generic_secret"}},
		"no password by name":   {doc: `{"password":"${PW}","token":"none","pwd":"/home/ann","api_key":"string","page_token":"` + alnum24 + `"}`},
		"a key by name":         {doc: `{"mistral_api_key":"` + alnum36[:32] + `"}`, want: `{"mistral_api_key":"[redacted:generic_secret]"}`, replaced: []string{"generic_secret"}},
		"card with a fraction":  {doc: `[4111111111111111.0]`, kept: []string{"credit_card"}},
		"card with a power":     {doc: `[4.111111111111111e15,4.111111111111111E+15,411111111111111.1e1,41111111111111110e-1]`, kept: slices.Repeat([]string{"credit_card"}, 4)},
		"phone as a number":     {doc: `{"phone":2125550100,"mobile":491701234567,"id":2125550100}`, kept: []string{"phone", "phone"}},
		"phone in a list":       {doc: `[{"type":"phone","value":"491701234567"}]`, want: `[{"type":"phone","value":"[redacted:phone]"}]`, replaced: []string{"phone"}},
		"ssn without its zeros": {doc: `{"ssn":12345678,"id":12345678}`, kept: []string{"ssn_us"}},
		"ssn with a power":      {doc: `{"ssn":1.23456789e8,"n":{"ssn":{"value":123456789.0}}}`, kept: []string{"ssn_us", "ssn_us"}},
		"numbers that are none": {doc: `[4.111111111111112e15,1e999999999,-0,0e5,1e-5,4.1111111111111115e15]`},
		"a service account of google": {
			doc:  `{"type":"service_account","private_key_id":"` + hex64[:40] + `","private_key":"-----BEGIN PRIVATE KEY-----\n` + pemBody + `\n-----END PRIVATE KEY-----\n"}`,
			want: `{"type":"service_account","private_key_id":"` + hex64[:40] + `","private_key":"[redacted:private_key]\n"}`, replaced: []string{"private_key"},
		},
		"a key after a long text": {
			doc:      `{"a":"` + strings.Repeat("long text ", 2000) + `-----BEGIN PRIVATE KEY-----","b":"` + strings.Repeat(pemBody+`\n`, 300) + `-----END PRIVATE KEY-----","c":"d"}`,
			want:     `{"a":"` + strings.Repeat("long text ", 2000) + `[redacted:private_key]","b":"[redacted:private_key]","c":"d"}`,
			replaced: []string{"private_key", "private_key"},
		},
	}
	s := mustNew(t, Config{Presets: Presets()})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := s.ReplaceJSON([]byte(tt.doc), nil)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				want = tt.doc
			}
			if diff := cmp.Diff(want, string(got.JSON)); diff != "" {
				t.Errorf("JSON: -want +got\n%s", diff)
			}
			if diff := cmp.Diff([][]string{tt.replaced, tt.kept}, [][]string{namesIn(got.Replaced), namesIn(got.Kept)}); diff != "" {
				t.Errorf("replaced and kept: -want +got\n%s", diff)
			}
			checkJSON(t, s, []byte(tt.doc))
		})
	}
}

// namesIn returns the names of findings.
func namesIn(found []Finding) (names []string) {
	for _, f := range found {
		names = append(names, f.Name)
	}
	return names
}

func TestReplaceJSONWithin(t *testing.T) {
	t.Parallel()
	const doc = `{"a":"ann@b.co","b":{"c":"bob@b.co","dan@b.co":4111111111111111}}`
	place := func(part string) Span {
		at := strings.Index(doc, part)
		return Span{at, at + len(part)}
	}
	tests := map[string]struct {
		within []Span
		want   string
		kept   int
	}{
		"none":        {[]Span{}, doc, 0},
		"one":         {[]Span{place(`"bob@b.co"`)}, strings.Replace(doc, "bob@b.co", "[redacted:email]", 1), 0},
		"an object":   {[]Span{place(`{"c":"bob@b.co","dan@b.co":4111111111111111}`)}, strings.NewReplacer("bob@b.co", "[redacted:email]", "dan@b.co", "[redacted:email]").Replace(doc), 1},
		"out of turn": {[]Span{place(`"bob@b.co"`), place(`"ann@b.co"`), place(`"ann@b.co"`)}, strings.NewReplacer("bob@b.co", "[redacted:email]", "ann@b.co", "[redacted:email]").Replace(doc), 0},
		"a number":    {[]Span{place(`4111111111111111`)}, doc, 1},
		"a part":      {[]Span{place(`ann@b.co`)}, doc, 0},
	}
	s := mustNew(t, Config{Presets: Presets()})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := s.ReplaceJSON([]byte(doc), tt.within)
			if err != nil {
				t.Fatal(err)
			}
			if string(got.JSON) != tt.want || len(got.Kept) != tt.kept {
				t.Errorf("got %s and kept %d, want %s and %d", got.JSON, len(got.Kept), tt.want, tt.kept)
			}
		})
	}
}

func TestReplaceJSONRefuses(t *testing.T) {
	t.Parallel()
	s := mustNew(t, Config{Presets: Presets()})
	for doc, want := range map[string]error{
		``: strictjson.ErrSyntax, `{`: strictjson.ErrSyntax, `{"a":1}x`: strictjson.ErrSyntax, "\"\xff\"": strictjson.ErrSyntax,
		`{"a":"\ud800"}`: strictjson.ErrSurrogate, `{"\udc00":1}`: strictjson.ErrSurrogate, `["\ud800"]`: strictjson.ErrSurrogate,
		strings.Repeat("[", 300) + strings.Repeat("]", 300): strictjson.ErrBounds,
	} {
		if _, err := s.ReplaceJSON([]byte(doc), nil); !errors.Is(err, want) {
			t.Errorf("ReplaceJSON(%.40q): %v, want %v", doc, err, want)
		}
	}
}

// TestReplaceJSONKeepsNumberedNames demands a kept finding where the number that makes a name unique is found as well.
func TestReplaceJSONKeepsNumberedNames(t *testing.T) {
	t.Parallel()
	s := mustNew(t, Config{Presets: []string{"email"}, Patterns: []Pattern{{"number", `#\d`}}})
	got, err := s.ReplaceJSON([]byte(`{"ann@b.co":1,"bob@b.co":2}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"email"}, namesIn(got.Kept)); diff != "" {
		t.Errorf("kept: -want +got\n%s", diff)
	}
}

// checkJSON demands what holds for every document: the same tree of kinds, unique names if they were, no change without a
// finding, and nothing but what was kept is found in the result.
func checkJSON(t *testing.T, s *Set, doc []byte) {
	t.Helper()
	before := bytes.Clone(doc)
	got, err := s.ReplaceJSON(doc, nil)
	if err != nil {
		return
	}
	if !bytes.Equal(before, doc) {
		t.Fatalf("ReplaceJSON wrote to %s", before)
	}
	if !json.Valid(got.JSON) {
		t.Fatalf("ReplaceJSON(%s) = %s: not JSON", doc, got.JSON)
	}
	if len(got.Replaced) == 0 && !bytes.Equal(doc, got.JSON) {
		t.Fatalf("ReplaceJSON(%s) = %s without a finding", doc, got.JSON)
	}
	want, wereUnique := shape(t, doc)
	is, areUnique := shape(t, got.JSON)
	if want != is || wereUnique && !areUnique {
		t.Fatalf("ReplaceJSON(%s) = %s: shape %s, was %s; names unique: %t, was %t", doc, got.JSON, is, want, areUnique, wereUnique)
	}
	for _, f := range got.Replaced {
		if doc[f.Start] != '"' || doc[f.End-1] != '"' {
			t.Fatalf("ReplaceJSON(%s): finding %+v is no string", doc, f)
		}
	}
	again, err := s.ReplaceJSON(got.JSON, nil)
	if err != nil {
		t.Fatalf("ReplaceJSON(%s) = %s, and again: %v", doc, got.JSON, err)
	}
	if len(again.Replaced) > 0 || len(again.Kept) > len(got.Kept) {
		t.Fatalf("ReplaceJSON(%s) = %s, in which %+v and %+v are found", doc, got.JSON, again.Replaced, again.Kept)
	}
}

// shape returns the kinds of a document's values, with literals that are no strings, and whether the names of each object are
// all different.
func shape(t *testing.T, doc []byte) (kinds string, unique bool) {
	t.Helper()
	var d strictjson.Doc
	if err := d.Parse(doc); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	unique = true
	var walk func(v strictjson.Value)
	walk = func(v strictjson.Value) {
		fmt.Fprintf(&out, "%d(", v.Kind())
		seen := map[string]bool{}
		for name, value := range v.Members() {
			text, _ := name.Text()
			seen[strings.ToLower(text)] = true
			walk(value)
		}
		for elem := range v.Elems() {
			walk(elem)
		}
		if k := v.Kind(); k == strictjson.Number || k == strictjson.Bool {
			out.Write(v.Raw())
		}
		out.WriteByte(')')
		unique = unique && (len(seen) == v.Len() || v.Kind() != strictjson.Object)
	}
	walk(d.Root())
	return out.String(), unique
}

func FuzzReplaceJSON(f *testing.F) {
	for i, text := range need.Seeds(samples()) {
		quoted := string(strictjson.AppendString(nil, text))
		f.Add([]byte([]string{quoted, `{"a":` + quoted + `}`, `{` + quoted + `:[1,` + quoted + `]}`}[i%3]))
	}
	f.Add([]byte(`["-----BEGIN PRIVATE KEY-----","` + pemBody + `","-----END PRIVATE KEY-----"]`))
	f.Add([]byte(`{"a":["4111","1111","1111","1111"],"Authorization":"Bearer abcdef","x":[{"name":"ssn","value":1.23456789e8}]}`))
	f.Add([]byte(`{"a":"key ghp_` + alnum36[:18] + `","b":"` + alnum36[18:] + ` rest","args":["--password","hunter2"]}`))
	f.Add([]byte(`{"ssn":123456789,"ann@b.co":1,"bob@b.co":4111111111111111}`))
	var sets []*Set
	for _, cfg := range allConfigs()[:2] {
		sets = append(sets, mustNew(f, cfg))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, s := range sets {
			checkJSON(t, s, doc)
		}
	})
}

// TestReplaceJSONSpread spreads a key over the strings of documents of many shapes, and demands that none of its lines is left.
func TestReplaceJSONSpread(t *testing.T) {
	t.Parallel()
	s := mustNew(t, Config{Presets: []string{"secrets"}, Patterns: []Pattern{{"greedy", `token=[^&]+`}}})
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		lines := []string{"-----BEGIN PRIVATE KEY-----"}
		for range 3 + random.IntN(100) {
			line := make([]byte, 64)
			for i := range line {
				line[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random.IntN(64)]
			}
			lines = append(lines, string(line))
		}
		if random.IntN(4) > 0 {
			lines = append(lines, "-----END PRIVATE KEY-----")
		}
		doc := []byte(`{"title":"a key"`)
		for i, rest := 0, lines; len(rest) > 0; i++ {
			n := 1 + random.IntN(len(rest))
			part := strictjson.AppendString(nil, strings.Join(rest[:n], "\n"))
			doc = fmt.Appendf(doc, []string{`,"m%d":%s`, `,"m%d":[%s]`, `,"m%d":{"x":[{"y":%s,"z":1}]}`}[random.IntN(3)], i, part)
			rest = rest[n:]
		}
		doc = append(doc, `,"url":"https://x/?token=a1","last":"some words"}`...)
		got, err := s.ReplaceJSON(doc, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			if strings.Contains(string(got.JSON), line) {
				t.Fatalf("ReplaceJSON(%s) = %s: left %s", doc, got.JSON, line)
			}
		}
		if !strings.HasPrefix(string(got.JSON), `{"title":"a key"`) || !strings.HasSuffix(string(got.JSON), `"last":"some words"}`) {
			t.Fatalf("ReplaceJSON(%s) = %s: changed what is around the key", doc, got.JSON)
		}
		checkJSON(t, s, doc)
	}
}
