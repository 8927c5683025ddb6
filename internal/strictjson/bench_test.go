package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/strictjson"
)

const chatChunk = `{"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,` +
	`"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,` +
	`"delta":{"content":" tomorrow"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"q8Zt0mWcR4yN"}`

// largeArguments is about 100 KB of the kind that an edit of a file has.
func largeArguments() []byte {
	var b strings.Builder
	b.WriteString(`{"file_path":"/home/ann/project/main.go","edits":[`)
	for i := 0; b.Len() < 100<<10; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"line":%d,"old":"\tif err != nil {\n\t\treturn err\n\t}","new":"\tif err != nil {\n\t\treturn fmt.Errorf(\"step %d: %%w\", err)\n\t}","all":false}`, i, i)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, bc := range []struct {
		name string
		text []byte
	}{
		{"anthropic-text-delta", []byte(textDelta)},
		{"chat-chunk", []byte(chatChunk)},
		{"arguments-100KB", largeArguments()},
		{"plain-string-100KB", []byte(`"` + strings.Repeat("plain text, ", 8<<10) + `"`)},
		{"chinese-string-100KB", []byte(`"` + strings.Repeat("漢字かな", 8<<10) + `"`)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			var doc strictjson.Doc
			b.SetBytes(int64(len(bc.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := doc.Parse(bc.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTextDelta is what a text frame costs: the parse, and the look at the members that make it one.
func BenchmarkTextDelta(b *testing.B) {
	var doc strictjson.Doc
	frame := []byte(textDelta)
	b.ReportAllocs()
	for b.Loop() {
		if err := doc.Parse(frame); err != nil {
			b.Fatal(err)
		}
		root := doc.Root()
		kind, _ := root.Member("type")
		index, _ := root.Member("index")
		delta, _ := root.Member("delta")
		deltaKind, _ := delta.Member("type")
		if _, ok := index.Uint(); !ok || !kind.Is("content_block_delta") || !deltaKind.Is("text_delta") {
			b.Fatal("not a text delta")
		}
	}
}

func BenchmarkCheckArguments(b *testing.B) {
	text := largeArguments()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := strictjson.CheckArguments(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPartial(b *testing.B) {
	text := largeArguments()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var partial strictjson.Partial
		if partial.Write(text) != strictjson.Complete {
			b.Fatal("not complete")
		}
	}
}
