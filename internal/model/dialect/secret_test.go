package dialect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

func TestWithoutSecrets(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing secret", `{"type":"mcp" , "server_label":"a"}`, `{"type":"mcp" , "server_label":"a"}`},
		{"texts", `{"authorization":"Bearer x","Authorization_Token":"y","API-Key":"z","a":1}`, `{"authorization":"[redacted]","Authorization_Token":"[redacted]","API-Key":"[redacted]","a":1}`},
		{"any depth", `{"a":[{"b":{"clientSecret":"x"}}]}`, `{"a":[{"b":{"clientSecret":"[redacted]"}}]}`},
		{"headers keep their names", `{"headers":{"X-One":"a","X-Two":["b",3]},"http_headers":null}`, `{"headers":{"X-One":"[redacted]","X-Two":["[redacted]","[redacted]"]},"http_headers":null}`},
		{"escaped name", `{"p\u0061ssword":"x"}`, `{"p\u0061ssword":"[redacted]"}`},
		{"no secret by its name", `{"max_tokens":5,"tokenizer":"x","key":"k"}`, `{"max_tokens":5,"tokenizer":"x","key":"k"}`},
		{"a flag is none", `{"token":true}`, `{"token":true}`},
		{
			"parameters of a schema stay",
			`{"parameters":{"type":"object","properties":{"password":{"type":"string","default":"hunter2","enum":["a"]},"user":{"default":"ann"}}}}`,
			`{"parameters":{"type":"object","properties":{"password":{"type":"string","default":"[redacted]","enum":["[redacted]"]},"user":{"default":"ann"}}}}`,
		},
		{"but not what only looks like one", `{"properties":{"password":"hunter2"}}`, `{"properties":{"password":"[redacted]"}}`},
		{"nor inside a secret", `{"headers":{"properties":{"x":{"y":"z"}}}}`, `{"headers":{"properties":{"x":{"y":"[redacted]"}}}}`},
		{
			"urls", `{"server_url":"https://ann:pw@mcp.example.com/mcp?api_key=1&q=a&token=2&key=3#x"}`,
			`{"server_url":"https://redacted@mcp.example.com/mcp?api_key=redacted&q=a&token=redacted&key=redacted#x"}`,
		},
		{"a url without credentials", `{"server_url":"https://mcp.example.com/a@b"}`, `{"server_url":"https://mcp.example.com/a@b"}`},
		{"no url", `{"description":"write to ann@example.com, see :// there"}`, `{"description":"write to ann@example.com, see :// there"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := "[ 1, " + tt.in + "]"
			var doc strictjson.Doc
			if err := doc.Parse([]byte(body)); err != nil {
				t.Fatal(err)
			}
			var v strictjson.Value
			for v = range doc.Root().Elems() { // the last one is meant
			}
			if diff := cmp.Diff(tt.want, string(dialect.WithoutSecrets(v))); diff != "" {
				t.Errorf("secrets (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzWithoutSecrets(f *testing.F) {
	f.Add("authorization", "Bearer x", `{"properties":{"token":{"default":1}}}`)
	f.Add("headers", "", `[{"url":"https://a:b@c/?x=1"}]`)
	f.Fuzz(func(t *testing.T, name, secret, other string) {
		var doc strictjson.Doc
		body := `{"x":` + other + `,"api_key":{` + dialect.Quote(name) + `:` + dialect.Quote("\x00"+secret) + `}}`
		if doc.Parse([]byte(body)) != nil {
			return
		}
		clean := dialect.WithoutSecrets(doc.Root())
		var again strictjson.Doc
		if err := again.Parse(clean); err != nil {
			t.Fatalf("%s became %s: %v", body, clean, err)
		}
		if !strings.HasSuffix(string(clean), `"[redacted]"}}`) {
			t.Fatalf("the secret of %s is in %s", body, clean)
		}
		if twice := dialect.WithoutSecrets(again.Root()); string(twice) != string(clean) {
			t.Fatalf("%s is not the last word: %s", clean, twice)
		}
	})
}
